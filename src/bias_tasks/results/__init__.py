"""Reads the finished runs of both hosts alike."""

from bias_tasks.results.answers import Answered, RunAnswers, UnusableRunError, read_answers
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import FigureValue, Problem, Run

__all__ = [
    "Answered",
    "FigureValue",
    "Problem",
    "Run",
    "RunAnswers",
    "UnusableRunError",
    "read_answers",
    "read_runs",
]
