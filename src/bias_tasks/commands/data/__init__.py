"""`bias-tasks data`: what the data sets are, and fetching them ahead of a run."""
