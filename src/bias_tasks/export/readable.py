"""The runs to export, read one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from bias_tasks.results.answers import UnusableRunError
from bias_tasks.results.find import apart, read_runs
from bias_tasks.results.frames import each_once
from bias_tasks.results.run import Problem, Run

Read = TypeVar("Read")


class NothingFoundError(Exception):
    """There is no finished run that can be read."""


class Source:
    """The finished runs in files and folders, and why others can't be had."""

    def __init__(self, paths: Sequence[Path]) -> None:
        runs, self.problems = apart(read_runs(paths))
        self.runs = each_once(runs)

    def each(self, read: Callable[[Run], Read]) -> Iterator[Read]:
        """What `read` makes of each run; a run that can't be read becomes a problem.

        Raises:
            NothingFoundError: at the end, where no run could be read.
        """
        some = False
        for run in self.runs:
            try:
                found = read(run)
            except UnusableRunError as error:
                reason = str(error).removeprefix(f"{run.path}: ")
                self.problems.append(Problem(run.path, reason, failed=True))
                continue
            some = True
            yield found
        if not some:
            raise NothingFoundError
