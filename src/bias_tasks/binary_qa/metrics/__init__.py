"""Figures of yes/no questions, with their intervals, from the outcomes of a run."""
