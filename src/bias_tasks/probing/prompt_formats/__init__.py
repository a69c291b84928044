"""Prompt formats, and the search among them for the best and the worst under a budget of calls."""
