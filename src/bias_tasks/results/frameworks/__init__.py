"""Reads runs from the logs of both frameworks."""
