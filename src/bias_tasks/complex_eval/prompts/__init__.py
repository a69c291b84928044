"""Prompts of judges and attackers: the templates and the code that fills them in."""
