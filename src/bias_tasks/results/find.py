"""Finds the files of both hosts among paths and tells them apart."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from bias_tasks.results.guarded import Found, guarded
from bias_tasks.results.harness_output import read_harness_output
from bias_tasks.results.inspect_log import read_inspect_log
from bias_tasks.results.run import Host, Problem, Run

NOTHING = "holds no Inspect log and no results of lm-eval"
"""Of a folder in which no file could be read."""
# How each host begins its files.
_INSPECT = re.compile(r'\s*\{\s*"version"\s*:\s*\d{1,4}\s*,\s*"status"')
_LM_EVAL = re.compile(r'\s*\{\s*"results"\s*:\s*\{')


def read_runs(paths: Iterable[Path]) -> Found:
    """The runs in files and folders, in order, and what else was found there.

    A folder is searched with its subfolders for `*.eval` and `*.json`. A file that is broken or
    something else's is a problem of its own, and does not keep the others from being read.
    """
    found: Found = []
    seen: set[str] = set()
    for path in paths:
        files, problems = log_files(path)
        if not files and not problems:
            found.append(Problem(path, NOTHING, failed=True))
        found += problems
        for file in files:
            place = _place(file)
            if place not in seen:
                seen.add(place)
                found += guarded(file, "a log", partial(_read, file))
    return found


def _place(file: Path) -> str:
    """The same for each name of one file."""
    try:
        return os.path.realpath(file)
    except ValueError:  # no file has such a name, as one with a NUL in it: reading it says so
        return str(file)


def apart(found: Iterable[Run | Problem]) -> tuple[list[Run], list[Problem]]:
    """The runs of what was found, and the problems."""
    every = list(found)
    runs = [each for each in every if isinstance(each, Run)]
    return runs, [each for each in every if isinstance(each, Problem)]


def worth_naming(problems: Iterable[Problem], given: Iterable[Path]) -> list[Problem]:
    """What could have been a run, and of what is none only what was given by its name."""
    named = set(given)
    return [each for each in problems if each.failed or each.path in named]


def log_files(path: Path) -> tuple[list[Path], list[Problem]]:
    """The files to read, in order, and the folders that can't be looked into."""
    if not os.path.isdir(path):  # Path.is_dir raises where a name is too long for any file
        return [path], []
    unreadable: list[OSError] = []
    files = [
        Path(folder, name)
        for folder, _, names in os.walk(path, onerror=unreadable.append)
        for name in names
        if name.endswith((".eval", ".json"))
    ]
    problems = [
        Problem(Path(error.filename or path), f"cannot be read ({error.strerror})", failed=True)
        for error in unreadable
    ]
    return sorted(files), problems


def what_log(file: Path) -> Host | None:
    """Which host's log a file is by its name and its beginning; None for anything else."""
    if file.exists() and not file.is_file():  # opening a pipe would wait for somebody to write
        return None
    start = _start(file)
    if file.suffix == ".eval" or _INSPECT.match(start):
        return "inspect"
    return "lm-eval" if _LM_EVAL.match(start) else None


def no_log(file: Path) -> Problem:
    """That a file is no log of either host."""
    if _special(file):
        return Problem(file, "skipped: it is no regular file")
    return Problem(file, "skipped: neither an Inspect log nor results of lm-eval")


def _special(file: Path) -> bool:
    """Whether a file is a pipe, a device or the like, which may have no end."""
    return file.exists() and not file.is_file()


def not_whole(file: Path) -> Problem | None:
    """That an Inspect log is empty or was cut short, which its end shows; None for a whole one."""
    if file.suffix != ".eval" or zipfile.is_zipfile(file):
        return None
    empty = not file.stat().st_size
    why = "it is empty" if empty else "it was cut short, or is something else's"
    what = f"cannot be read as an Inspect log ({why}): copy it again, run it again, or leave it out"
    return Problem(file, what, failed=True)


def _read(file: Path) -> Found:
    host = what_log(file)
    if host == "inspect":
        broken = not_whole(file)
        if broken is not None:
            return [broken]
        return guarded(file, "an Inspect log", partial(read_inspect_log, file))
    if host == "lm-eval":
        return guarded(file, "results of lm-eval", partial(read_harness_output, file))
    return [no_log(file)]


def _start(file: Path) -> str:
    with file.open("rb") as stream:
        return stream.read(200).decode("utf-8", "replace")
