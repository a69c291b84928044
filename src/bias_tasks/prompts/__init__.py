"""Prompt templates, and the request to a grader."""
