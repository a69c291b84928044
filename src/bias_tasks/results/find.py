"""Finds the files of both hosts among paths and tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bias_tasks.results.harness_output import read_harness_output
from bias_tasks.results.inspect_log import read_inspect_log
from bias_tasks.results.run import Problem, Run

# How each host begins its files.
_INSPECT = re.compile(r'\s*\{\s*"version"\s*:\s*\d{1,4}\s*,\s*"status"')
_LM_EVAL = re.compile(r'\s*\{\s*"results"\s*:\s*\{')


def read_runs(paths: Iterable[Path]) -> list[Run | Problem]:
    """The runs in files and folders, in order, and what else was found there.

    A folder is searched with its subfolders for `*.eval` and `*.json`.
    """
    found: list[Run | Problem] = []
    seen: set[Path] = set()
    for path in paths:
        files = list(_files(path))
        if not files:
            found.append(Problem(path, "holds no Inspect log and no results of lm-eval", True))
        for file in files:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                found += _read(file)
    return found


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in sorted(path.rglob("*")) if file.suffix in (".eval", ".json"))
    else:
        yield path


def _read(file: Path) -> list[Run | Problem]:
    try:
        start = _start(file)
        if file.suffix == ".eval" or _INSPECT.match(start):
            return read_inspect_log(file)
        if _LM_EVAL.match(start):
            return read_harness_output(file)
    except OSError as error:
        return [Problem(file, f"cannot be read ({error.strerror or error})", failed=True)]
    return [Problem(file, "skipped: neither an Inspect log nor results of lm-eval")]


def _start(file: Path) -> str:
    with file.open("rb") as stream:
        return stream.read(200).decode("utf-8", "replace")
