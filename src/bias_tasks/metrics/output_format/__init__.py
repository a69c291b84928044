"""Figures of output formats, with their intervals."""
