"""Checks of generated items: blind answers by level, and what their words alone reveal."""
