"""Reads the finished runs of both hosts alike."""

from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Figure, Problem, Run

__all__ = ["Figure", "Problem", "Run", "read_runs"]
