"""Judging and choice items: the paper's data sets, generated ones, and the user's own files."""
