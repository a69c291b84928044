"""Figures of output formats, with their intervals, from the outcomes of a run."""
