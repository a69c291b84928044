"""Finds the runs of both frameworks in files and folders."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from bias_tasks.names import did_you_mean
from bias_tasks.results.answers import RunAnswers, load_answers
from bias_tasks.results.frameworks.harness_output import read_harness_output
from bias_tasks.results.frameworks.inspect_log import read_inspect_log
from bias_tasks.results.run import Problem, ReadResults, Run, UnusableRunError, split_problems
from bias_tasks.results.shards import join_shards
from bias_tasks.results.text import join_texts, shorten

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
NO_RUN_FOUND = "no finished run of bias-tasks was found"
_INSPECT_START = re.compile(r'\s*\{\s*"version"\s*:\s*\d{1,4}\s*,\s*"status"')
_LM_EVAL_START = re.compile(r'\s*\{\s*"results"\s*:\s*\{')


def read_runs(paths: Iterable[Path]) -> ReadResults:
    """Read the runs in files, and in the `*.eval` and `*.json` files of folders, in order.

    A file that cannot be read is a problem and does not affect other files. A crashed log is
    skipped if a retry of it has finished. The shards of a run are joined, first those below one
    path.
    """
    by_path: list[ReadResults] = []
    seen: set[str] = set()
    for path in paths:
        files, results = _find_log_files(path)
        for file in files:
            real_path = os.path.realpath(file)
            if real_path not in seen:
                results += _read_file(file)
            seen.add(real_path)
        by_path.append(results)
    finished, _ = split_problems([result for results in by_path for result in results])
    attempts = {run.attempt for run in finished} - {""}
    joined: ReadResults = []
    for results in by_path:
        kept = [r for r in results if isinstance(r, Run) or r.attempt not in attempts]
        joined += join_shards(kept, report_incomplete=False)
    return join_shards(joined, report_incomplete=True)


def read_answers(path: Path) -> list[RunAnswers]:
    """Load the answers of each run at a path.

    Args:
        path: A file or folder.

    Raises:
        UnusableRunError: As in `read_usable_runs` and `load_answers`.
    """
    return [load_answers(run) for run in read_usable_runs(path)]


def read_usable_runs(paths: Paths) -> list[Run]:
    """Read the runs in one or several paths.

    Raises:
        UnusableRunError: There is no run, or one did not finish or cannot be read.
    """
    path_list = [paths] if isinstance(paths, str | os.PathLike) else paths
    runs, problems = split_problems(read_runs(map(Path, path_list)))
    failed = [problem for problem in problems if problem.failed]
    if failed or not runs:
        reasons = [f"{problem.path}: {problem.reason}" for problem in failed or problems]
        raise UnusableRunError(join_texts(reasons, 3, "; ") or NO_RUN_FOUND)
    return runs


def select_task(runs: Sequence[Run], name: str | None) -> list[Run]:
    """Select the runs of a task.

    Args:
        runs: The runs.
        name: The task's name in its family or in either framework; None selects all runs.

    Raises:
        UnusableRunError: No run is of this task; the message suggests the nearest name.
    """
    if name is None:
        return list(runs)
    names = [(run.record.task, run.task.rpartition("/")[2]) for run in runs]
    selected = [run for run, task_names in zip(runs, names, strict=True) if name in task_names]
    if not selected:
        near = did_you_mean([name], [task for task_names in names for task in task_names])
        raise UnusableRunError(f"no finished run is of the task {name!r}{near}")
    return selected


def select_reported(problems: Iterable[Problem], paths: Iterable[Path]) -> list[Problem]:
    """Select the problems that concern a user: failed runs, and files that `paths` name."""
    named = set(paths)
    return [problem for problem in problems if problem.failed or problem.path in named]


def _find_log_files(path: Path) -> tuple[list[Path], ReadResults]:
    """Return the files to read, in order, and the folders that cannot be opened."""
    if not os.path.isdir(path):
        return [path], []
    errors: list[OSError] = []
    files = [
        Path(folder, name)
        for folder, _, names in os.walk(path, onerror=errors.append)
        for name in names
        if name.endswith((".eval", ".json"))
    ]
    problems: ReadResults = [_unreadable(Path(error.filename or path), error) for error in errors]
    if not files and not problems:
        reason = "holds no Inspect log and no results of lm-eval"
        return [], [Problem(path, reason, failed=True)]
    return sorted(files), problems


def _read_file(file: Path) -> ReadResults:
    """Return the runs in a file, or why it cannot be read."""
    kind = "a log"
    try:
        with file.open("rb") as stream:
            start = stream.read(200).decode("utf-8", "replace")
        if file.suffix == ".eval" or _INSPECT_START.match(start):
            kind = "an Inspect log"
            return read_inspect_log(file)
        if _LM_EVAL_START.match(start):
            kind = "results of lm-eval"
            return read_harness_output(file)
    except OSError as error:
        return [_unreadable(file, error)]
    except Exception as error:  # noqa: BLE001 - a truncated or edited log can raise any error
        reason = f"cannot be read as {kind} ({type(error).__name__}: {shorten(error)})"
        return [Problem(file, reason, failed=True)]
    return [Problem(file, "skipped: neither an Inspect log nor results of lm-eval")]


def _unreadable(path: Path, error: OSError) -> Problem:
    return Problem(path, f"cannot be read ({shorten(error.strerror or error)})", failed=True)
