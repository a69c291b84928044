"""Rewordings of a task's items that a model or a person made: their checks, and their file."""
