"""Instruction Boundary: what instructions that say too much or too little do to rare answers."""
