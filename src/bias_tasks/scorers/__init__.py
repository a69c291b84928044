"""Scorers and metrics for Inspect: they score and count answers as the families do."""
