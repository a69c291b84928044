"""Figures of the settings, with their intervals, from the outcomes of a run."""
