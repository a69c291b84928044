"""Finds the runs of both frameworks in files and folders."""

import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from bias_tasks.data.errors import DataError
from bias_tasks.digests import digest
from bias_tasks.families import UnsupportedError
from bias_tasks.results.answers import RunAnswers, load_answers
from bias_tasks.results.frameworks.harness_output import read_harness_output
from bias_tasks.results.run import Problem, ReadResults, Run, UnusableRunError, split_problems
from bias_tasks.results.shards import join_shards
from bias_tasks.results.text import join_texts, shorten
from bias_tasks.user_names import did_you_mean

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

_PathOrLog: TypeAlias = "str | os.PathLike[str] | EvalLog"
Paths: TypeAlias = "_PathOrLog | Iterable[_PathOrLog]"
"""One or several files, folders or logs in memory, whose files are read."""
NO_RUN_FOUND = "no finished run of bias-tasks was found; give Inspect logs or lm-eval results"
_INSPECT_START = re.compile(r'\s*\{\s*"version"\s*:\s*\d{1,4}\s*,\s*"status"')
_LM_EVAL_START = re.compile(r'\s*\{\s*"results"\s*:\s*\{')


def read_runs(
    paths: Iterable[Path], task: str | None = None, *, other_tasks: bool = False
) -> ReadResults:
    """Read the runs in files, and in the `*.eval` and `*.json` files of folders, in order.

    All commands read runs by these rules:

    - A file that cannot be read, and shards that do not make a run, are failed problems. They do
      not affect other files.
    - A log that did not finish is a failed problem only if its path has no finished run of `task`.
      It is skipped if a retry of it has finished.
    - A run that several files have, such as a log, its converted form and a copy, is read once.
      The other files are problems that are not failed.
    - Runs below one path, or of files in one folder, that repeat a run are read. A problem that is
      not failed names both logs.
    - The shards of a run are joined, first those below one path.

    Args:
        paths: Files and folders.
        task: Name of a task in its family or in either framework. Runs of other tasks are left
            out, and no problem of them is failed. None selects all tasks.
        other_tasks: Whether to read runs of other packages' tasks, too.

    Raises:
        UnusableRunError: No run is of this task; the message suggests the nearest name.
    """
    by_path: list[tuple[Path, ReadResults]] = []
    seen: set[str] = set()
    for path in paths:
        files, results = _find_log_files(path)
        for file in files:
            real_path = os.path.realpath(file)
            if real_path not in seen:
                results += _read_file(file, other_tasks)
            seen.add(real_path)
        by_path.append((path if os.path.isdir(path) else path.parent, results))
    everything = [result for _, results in by_path for result in results]
    finished, _ = split_problems(everything)
    attempts = {run.attempt for run in finished} - {""}
    copies = dict(_find_copies(finished))
    joined: ReadResults = []
    first_runs: dict[Path, dict[object, Run]] = {}
    for folder, results in by_path:
        runs, problems = split_problems(results)
        runs = [run for run in runs if task in (None, *run.task_names)]
        kept: ReadResults = [copies.get(run, run) for run in runs]
        for problem in problems:
            is_other = problem.task_names and task not in (None, *problem.task_names)
            if problem.attempt not in attempts:
                is_skipped = is_other or (problem.attempt and runs)
                kept.append(problem._replace(failed=False) if is_skipped else problem)
        kept += list(_find_repeats(kept, first_runs.setdefault(folder, {})))
        joined += join_shards(kept, report_incomplete=False)
    joined = join_shards(joined, report_incomplete=True)
    if task is not None and not any(isinstance(r, Run) or r.failed for r in joined):
        near = did_you_mean([task], {name for result in everything for name in result.task_names})
        raise UnusableRunError(f"no finished run is of the task {task!r}{near}")
    return joined


def read_answers(path: Path) -> list[RunAnswers]:
    """Load the answers of each run at a path.

    Args:
        path: A file or folder.

    Raises:
        UnusableRunError: As in `read_usable_runs` and `load_answers`.
    """
    return [load_answers(run) for run in read_usable_runs(path)]


def read_usable_runs(paths: Paths) -> list[Run]:
    """Read the runs in one or several paths or logs.

    Raises:
        UnusableRunError: There is no run, one that is asked for is missing (`read_runs`), or a log
            has no file.
    """
    is_one = isinstance(paths, str | os.PathLike) or hasattr(paths, "location")
    sources: Any = [paths] if is_one else paths  # An EvalLog is iterable, too.
    path_list = [getattr(source, "location", source) for source in sources]
    if "" in path_list:
        raise UnusableRunError("a log has no file (`location`): give the path of its log")
    runs, problems = split_problems(read_runs(map(Path, path_list)))
    failed = [problem for problem in problems if problem.failed]
    if failed or not runs:
        reasons = join_texts(list(map(str, failed or problems)), 3, "; ")
        raise UnusableRunError(reasons or NO_RUN_FOUND)
    for problem in select_reported(problems, ()):
        warnings.warn(str(problem), stacklevel=3)
    return runs


def select_reported(problems: Iterable[Problem], paths: Iterable[Path]) -> list[Problem]:
    """Select the problems that concern a user: those of our runs, and files that `paths` name."""
    named = set(paths)
    return [p for p in problems if p.failed or p.task_names or p.path in named]


def _find_copies(runs: Sequence[Run]) -> Iterator[tuple[Run, Problem]]:
    """Yield each run that an earlier one is a copy of, and the problem that says so."""
    counts = Counter((run.run_id, run.task) for run in runs)
    originals: dict[tuple[str, ...], Run] = {}
    for run in runs:
        if run.run_id and counts[run.run_id, run.task] > 1:
            original = originals.setdefault(_identify(run), run)
            if original is not run:
                reason = f"skipped: it has the same run as {original.path}"
                yield run, Problem(run.path, reason, task_names=run.task_names)


def _find_repeats(results: ReadResults, seen: dict[object, Run]) -> Iterator[Problem]:
    """Yield a notice for each run that repeats one in `seen`, and add the others to it."""
    for run in results:
        if isinstance(run, Run) and run.record.shard is None:
            parameters = repr((run.settings, run.record.parameters))
            key = run.framework, run.task, run.model, run.record.digest, parameters
            first = seen.setdefault(key, run)
            if first is not run:
                reason = f"repeats {first.path} (same model, prompts and settings): both are used"
                yield Problem(run.path, reason, task_names=run.task_names, is_notice=True)


def _identify(run: Run) -> tuple[str, ...]:
    """Return what two files with the same run have in common: its id and its answers."""
    try:
        content = repr(load_answers(run, str).answers)
    except UnusableRunError:  # such as a run of lm-eval without --log_samples
        content = ""
    return run.run_id, run.task, run.model, run.record.digest, digest(content)


def _find_log_files(path: Path) -> tuple[list[Path], ReadResults]:
    """Return the files to read, in order, and the folders that cannot be opened.

    Links to folders are followed, and each folder is read once.
    """
    if not os.path.isdir(path):
        return [path], []
    errors: list[OSError] = []
    files: list[Path] = []
    seen = set(map(str, Path(os.path.realpath(path)).parents))  # a link to one makes a loop
    for folder, subfolders, names in os.walk(path, onerror=errors.append, followlinks=True):
        is_new = os.path.realpath(folder) not in seen
        seen.add(os.path.realpath(folder))
        subfolders[:] = sorted(subfolders) if is_new else []
        files += [Path(folder, n) for n in names if is_new and n.endswith((".eval", ".json"))]
    problems: ReadResults = [_unreadable(Path(error.filename or path), error) for error in errors]
    if not files and not problems:
        return [], [Problem(path, "holds no Inspect log and no results of lm-eval", failed=True)]
    return sorted(files), problems


def _read_file(file: Path, other_tasks: bool) -> ReadResults:
    """Return the runs in a file, or why it cannot be read."""
    kind = "a log"
    try:
        if file.exists() and not file.is_file():  # Opening a FIFO would block forever.
            return [Problem(file, "cannot be read (it is not a file)", failed=True)]
        with file.open("rb") as stream:
            start = stream.read(200).decode("utf-8", "replace")
        if file.suffix == ".eval" or _INSPECT_START.match(start):
            kind = "an Inspect log"
            # Imported here: it loads Inspect.
            from bias_tasks.results.frameworks.inspect_log import read_inspect_log

            return read_inspect_log(file, other_tasks=other_tasks)
        if _LM_EVAL_START.match(start):
            kind = "results of lm-eval"
            return read_harness_output(file, other_tasks=other_tasks)
    except OSError as error:
        return [_unreadable(file, error)]
    except (DataError, UnsupportedError) as error:
        return [Problem(file, f"cannot be read as {kind}: {error}", failed=True)]
    except Exception as error:  # noqa: BLE001 - a truncated or edited log can raise any error
        detail = f"{type(error).__name__}: {shorten(error)}"
        reason = f"cannot be read as {kind}: the file is incomplete or damaged ({detail})"
        return [Problem(file, reason, failed=True)]
    return [Problem(file, "skipped: neither an Inspect log nor results of lm-eval")]


def _unreadable(path: Path, error: OSError) -> Problem:
    return Problem(path, f"cannot be read ({shorten(error.strerror or error)})", failed=True)
