"""Scorers and metrics for Inspect: what a family reads and counts, in the host's types."""
