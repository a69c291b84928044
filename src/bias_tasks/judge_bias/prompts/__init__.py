"""Prompts of judges, independent of the framework."""
