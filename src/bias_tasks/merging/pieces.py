"""The logs that hold answers of a run: its parts, whoever died while asking them, and retries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bias_tasks.parameters import SHARD
from bias_tasks.record import RECORD, check_record
from bias_tasks.results.find import NOTHING, apart, log_files, no_log, not_whole, what_log
from bias_tasks.results.guarded import guarded
from bias_tasks.results.harness_output import read_harness_output
from bias_tasks.results.inspect_log import settings_of
from bias_tasks.results.run import Host, Problem, Run

_SENT = frozenset(
    {
        "auth_token",
        "base_url",
        "batch_size",
        "ca_cert_path",
        "device",
        "max_batch_size",
        "max_retries",
        "num_concurrent",
        "timeout",
        "verify_certificate",
    }
)
"""Arguments of lm-eval's models that say where and how a worker asks, not what answers: each may
have a server, or a processor, of its own."""
MERGED = "merged"
"""In a record: of how many logs the run was made."""


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a run a log asks, as its record says."""

    number: int
    of: int
    held: tuple[int, ...]
    """Questions of each part."""
    digest: str
    """Of what the whole run asks."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One log with answers of a run."""

    path: Path
    host: Host
    task: str
    model: str
    record: Mapping[str, Any]
    settings: Mapping[str, Any]
    began: str
    """ISO 8601: of two answers to one question the one from the later log counts."""

    @property
    def part(self) -> Part:
        """The part of the run that it asks; all of it where its record names none."""
        told = self.record.get(SHARD)
        if told is None:
            return Part(1, 1, (self.record["questions"],), self.record["digest"])
        return Part(told["number"], told["of"], tuple(told["held"]), told["whole"]["digest"])

    @property
    def run(self) -> str:
        """What all logs of one run have alike, but for what they ask."""
        changed = {n: v for n, v in self.record["changed"].items() if n != SHARD}
        same = [self.host, self.task, self.model, changed, self._answering(), self.part.of]
        return json.dumps(same, sort_keys=True, default=str)

    def _answering(self) -> dict[str, Any]:
        """The settings that matter to an answer; those of Inspect are no others."""
        given = self.settings.get("model_args")
        if self.host == "inspect" or not isinstance(given, Mapping):
            return dict(self.settings)
        kept = {name: value for name, value in given.items() if name not in _SENT}
        return {**self.settings, "model_args": kept}


def pieces_in(paths: Iterable[Path]) -> tuple[list[Piece], list[Problem]]:
    """The logs in files and folders that hold answers of runs of ours, and what else was found."""
    found: list[Piece] = []
    problems: list[Problem] = []
    for path in paths:
        files, unreadable = log_files(path)
        problems += unreadable
        if not files and not unreadable:
            problems.append(Problem(path, NOTHING, failed=True))
        for file in files:
            one: list[Piece] = []
            _, others = apart(guarded(file, "a log", partial(_read, file, one)))
            problems += others
            found += one
    return sorted(found, key=lambda each: (each.began, str(each.path))), problems


def _read(file: Path, found: list[Piece]) -> list[Run | Problem]:
    """Adds the pieces of a file; what keeps it from having any is handed back."""
    host = what_log(file)
    if host == "inspect":
        broken = not_whole(file)
        return _of_inspect(file, found) if broken is None else [broken]
    if host == "lm-eval":
        return _of_harness(file, found)
    if file.suffix == ".parquet":
        return [Problem(file, "left out: it is no log; merge the logs, and export what is merged")]
    return [no_log(file)]


def _of_inspect(file: Path, found: list[Piece]) -> list[Run | Problem]:
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(file), header_only=True)
    task = log.eval.task_registry_name or log.eval.task
    record = (log.eval.metadata or {}).get(RECORD)
    if record is None:
        return [Problem(file, f"left out: its task {task} is none of bias-tasks")]
    given = {name for name in ("limit", "sample_id") if getattr(log.eval.config, name)}
    left_out = _left_out(file, record, given, "--limit or --sample-id")
    if left_out is not None:
        return [left_out]
    settings = settings_of(log)
    found.append(Piece(file, "inspect", task, log.eval.model, record, settings, log.eval.created))
    return []


def _of_harness(file: Path, found: list[Piece]) -> list[Run | Problem]:
    others: list[Run | Problem] = []
    for run in read_harness_output(file):
        if isinstance(run, Problem):
            others.append(run)
            continue
        given = {"limit", "samples"} & set(run.settings)
        left_out = _left_out(file, run.record, given, "--limit or --samples")
        if left_out is not None:
            others.append(left_out)
            continue
        found.append(
            Piece(file, "lm-eval", run.task, run.model, run.record, run.settings, run.date or "")
        )
    return others


def _left_out(file: Path, record: Mapping[str, Any], cut: Set[str], options: str) -> Problem | None:
    """Why a log can't be merged; None where it can.

    Args:
        file: the log.
        record: of its run.
        cut: what it was given that left items out.
        options: those of the host that do.
    """
    check_record(record)
    if MERGED in record:
        return Problem(file, "left out: it was made by merging others")
    why = None
    if "digest" not in record or "changed" not in record:
        why = "was run by a version of bias-tasks whose logs can't be merged"
    elif cut:
        why = f"was run with {options}: cut a run by `shard` instead"
    return None if why is None else Problem(file, f"left out: it {why}", failed=True)
