"""`bias-tasks compare`."""
