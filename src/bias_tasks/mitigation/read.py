"""Reads the answers of a run from an Inspect log or from lm-eval's results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bias_tasks.mitigation.answers import Answers, UnusableRunError
from bias_tasks.mitigation.harness_samples import read_harness_answers
from bias_tasks.mitigation.inspect_samples import read_inspect_answers
from bias_tasks.results import Problem, Run, read_runs


def read_answers(path: Path) -> Answers:
    """The answers in an Inspect log, or beside a results file of lm-eval.

    Raises:
        UnusableRunError: the run is none of a format task, did not finish, or its samples were not
            kept.
    """
    found = read_runs([path])
    runs = [entry for entry in found if isinstance(entry, Run)]
    problems = [entry for entry in found if isinstance(entry, Problem)]
    if any(problem.failed for problem in problems) or not runs:
        raise UnusableRunError(f"{path}: {_told(problems)}")
    if runs[0].host == "inspect":
        return read_inspect_answers(path, runs[0])
    return read_harness_answers(path, runs)


def _told(problems: Iterable[Problem]) -> str:
    return "; ".join(dict.fromkeys(problem.reason for problem in problems))
