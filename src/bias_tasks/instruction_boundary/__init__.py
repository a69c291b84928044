"""Instruction Boundary: how instructions that say too much or too little change answers."""
