"""Finds the runs of both hosts in files and folders."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bias_tasks.names import did_you_mean
from bias_tasks.results.answers import RunAnswers, answers_of
from bias_tasks.results.hosts.harness_output import read_harness_output
from bias_tasks.results.hosts.inspect_log import read_inspect_log
from bias_tasks.results.parts import joined
from bias_tasks.results.run import Found, Keep, Problem, Run, UnusableRunError, apart
from bias_tasks.results.text import brief, listed

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
NOTHING = "no finished run of bias-tasks was found"
# How each host begins its files.
_INSPECT = re.compile(r'\s*\{\s*"version"\s*:\s*\d{1,4}\s*,\s*"status"')
_LM_EVAL = re.compile(r'\s*\{\s*"results"\s*:\s*\{')


def read_runs(paths: Iterable[Path]) -> Found:
    """The runs in files and folders (their `*.eval`, `*.json`), in order, and what else is there.

    A file that can't be read is a problem, and hides no other. A log that broke off is left aside
    where a retry of it has finished. Parts are one run, those below one path first.
    """
    by_path: list[Found] = []
    seen: set[str] = set()
    for path in paths:
        files, here = _log_files(path)
        for file in files:
            place = os.path.realpath(file)
            here += [] if place in seen else _read(file)
            seen.add(place)
        by_path.append(here)
    runs, _ = apart([each for here in by_path for each in here])
    done = {run.attempt for run in runs} - {""}
    left = [[e for e in here if isinstance(e, Run) or e.attempt not in done] for here in by_path]
    return joined([each for here in left for each in joined(here)], to_the_end=True)


def read_answers(path: Path, keep: Keep = None) -> list[RunAnswers]:
    """The answers of each run at a path; an UnusableRunError as `usable_runs` and `answers_of`."""
    return [answers_of(run, keep) for run in usable_runs(path)]


def usable_runs(paths: Paths) -> list[Run]:
    """The runs in one or several paths; an UnusableRunError where there is none, or one that did
    not finish or can't be read."""
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    runs, problems = apart(read_runs(map(Path, given)))
    failed = [each for each in problems if each.failed]
    if failed or not runs:
        reasons = [f"{each.path}: {each.reason}" for each in failed or problems]
        raise UnusableRunError(listed(reasons, 3, "; ") or NOTHING)
    return runs


def of_task(runs: Sequence[Run], name: str | None) -> list[Run]:
    """The runs of a task, by its name in the family or in either host; all where none is given. An
    UnusableRunError with the nearest name where no run is of it."""
    names = [(run.record["task"], run.task.rpartition("/")[2]) for run in runs]
    found = [run for run, own in zip(runs, names, strict=True) if name is None or name in own]
    if name is not None and not found:
        near = did_you_mean([name], [each for own in names for each in own])
        raise UnusableRunError(f"no finished run is of the task {name!r}{near}")
    return found


def worth_naming(problems: Iterable[Problem], given: Iterable[Path]) -> list[Problem]:
    """What could have been a run, and of what is none only what was given by its name."""
    named = set(given)
    return [each for each in problems if each.failed or each.path in named]


def _log_files(path: Path) -> tuple[list[Path], Found]:
    """The files to read, in order, and the folders that can't be looked into."""
    if not os.path.isdir(path):
        return [path], []
    unreadable: list[OSError] = []
    files = [
        Path(folder, name)
        for folder, _, names in os.walk(path, onerror=unreadable.append)
        for name in names
        if name.endswith((".eval", ".json"))
    ]
    problems: Found = [_unreadable(Path(each.filename or path), each) for each in unreadable]
    if not files and not problems:
        nothing = "holds no Inspect log and no results of lm-eval"
        return [], [Problem(path, nothing, failed=True)]
    return sorted(files), problems


def _read(file: Path) -> Found:
    """What a file holds, or why it can't be read: a log may be cut short, edited or made to hurt,
    and what its readers raise then is no closed list."""
    what = "a log"
    try:
        with file.open("rb") as stream:
            start = stream.read(200).decode("utf-8", "replace")
        if file.suffix == ".eval" or _INSPECT.match(start):
            what = "an Inspect log"
            return read_inspect_log(file)
        if _LM_EVAL.match(start):
            what = "results of lm-eval"
            return read_harness_output(file)
    except OSError as error:
        return [_unreadable(file, error)]
    except Exception as error:  # noqa: BLE001 - said above; nothing is swallowed
        reason = f"cannot be read as {what} ({type(error).__name__}: {brief(error)})"
        return [Problem(file, reason, failed=True)]
    return [Problem(file, "skipped: neither an Inspect log nor results of lm-eval")]


def _unreadable(path: Path, error: OSError) -> Problem:
    return Problem(path, f"cannot be read ({brief(error.strerror or error)})", failed=True)
