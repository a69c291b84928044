"""Prompts of the Instruction Boundary settings; no framework is imported here."""
