"""Scorers and metrics for Inspect: they call `bias_tasks.scoring` and `bias_tasks.statistics`."""
