"""Runs as the logs of either host have them."""
