"""Asking a model for texts, and reading what it replies."""
