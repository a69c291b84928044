"""Inspect logs of a run made one, which Inspect's viewer and everything here takes.

Each log is read twice: once for what its answers came to, which is kept, and once to copy them
whole. So one log at a time is held, however large the run is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bias_tasks.merging.log_writer import write_log
from bias_tasks.merging.merged_record import merged_record
from bias_tasks.merging.pieces import Piece
from bias_tasks.merging.pool import Asked, Pooled
from bias_tasks.names import content_hash
from bias_tasks.parameters import SHARD
from bias_tasks.record import RECORD, scored_in, version_of, without_scored
from bias_tasks.shards import PLACE

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample, EvalSpec
    from inspect_ai.model import ModelUsage


@dataclass(frozen=True, slots=True)
class _Found:
    """Where an answer stands, and as much of it as figures need."""

    path: Path
    epoch: int
    """In that log."""
    sample: EvalSample


def samples_in(piece: Piece) -> Iterator[Asked]:
    """What stands in a log, finished or not."""
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(piece.path))
    ids = {name: place for place, name in enumerate(log.eval.dataset.sample_ids or ())}
    for sample in log.samples or ():
        place = sample.metadata.get(PLACE, ids.get(sample.id, 0))
        answered = sample.error is None and bool(sample.scores)
        found = _Found(piece.path, sample.epoch, _scored(sample))
        yield Asked(str(sample.id), sample.epoch, place, answered, sample.uuid or "", found)


def _scored(sample: EvalSample) -> EvalSample:
    """A sample without what was said."""
    from inspect_ai.model import ModelOutput

    emptied = {"input": "", "messages": [], "events": [], "attachments": {}, "store": {}}
    return sample.model_copy(update={**emptied, "output": ModelOutput()})


def write_merged(pieces: Sequence[Piece], pool: Pooled, folder: Path) -> Path:
    """Write the one log of a run, its figures worked out anew.

    Raises:
        OSError: it can't be written.
    """
    from inspect_ai.log import read_eval_log, recompute_metrics

    headers = [read_eval_log(str(each.path), header_only=True) for each in pieces]
    record = merged_record(pieces, pool)
    log = headers[-1].model_copy(deep=True)
    log.status, log.error = "success", None
    log.samples = [_whole(each.what.sample, each, record["digest"]) for each in pool.answers]
    _tell_spec(log.eval, record["digest"], pool)
    log.eval.metadata = {**(log.eval.metadata or {}), RECORD: record}
    log.eval.task_version = version_of(record)
    log.eval.created = pieces[0].began
    _add_stats(log, headers)
    recompute_metrics(log)
    when = pieces[0].began.replace(":", "-")
    name = f"{when}_{log.eval.task.rpartition('/')[2]}_{content_hash(pieces[0].run)}.eval"
    path = folder / _safe(pieces[0].model) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    log.samples = None
    # It takes its place once it is whole: what was merged before is kept till then.
    beside = path.with_name(f"{path.name}.tmp")
    try:
        write_log(log, beside, _copied(pool, record["digest"]), isqrt(len(pool.answers)))
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    for before in path.parent.glob(f"*_{content_hash(pieces[0].run)}.eval"):
        if before != path:  # merged when other logs were there
            before.unlink()
    return path


def _copied(pool: Pooled, digest: str) -> Iterator[EvalSample]:
    """The samples of a run, from one log after the other."""
    from inspect_ai.log import read_eval_log

    kept: dict[Path, dict[tuple[str, int], Asked]] = {}
    for each in pool.answers:
        kept.setdefault(each.what.path, {})[each.id, each.what.epoch] = each
    for path, answers in kept.items():
        for sample in read_eval_log(str(path)).samples or ():
            asked = answers.get((str(sample.id), sample.epoch))
            if asked is not None:
                yield _whole(sample, asked, digest)


def _safe(model: str) -> str:
    return "".join(each if each.isalnum() or each in "-._" else "-" for each in model)


def _whole(sample: EvalSample, asked: Asked, digest: str) -> EvalSample:
    """A sample of the whole run, which knows no part."""
    sample.epoch = asked.epoch
    sample.metadata = {n: v for n, v in sample.metadata.items() if n != PLACE}
    for score in (sample.scores or {}).values():
        found = scored_in(score.metadata)
        if found is not None:
            outcome = replace(found.outcome, epoch=asked.epoch)
            said = replace(found, outcome=outcome, asked=digest)
            score.metadata = {**said.metadata(), **without_scored(score.metadata)}
    return sample


def _tell_spec(spec: EvalSpec, digest: str, pool: Pooled) -> None:
    """Say in a log's specification that it is of the whole run."""
    spec.eval_id, spec.run_id, spec.task_id = uuid4().hex, uuid4().hex, uuid4().hex
    ids = list(dict.fromkeys(each.id for each in pool.answers))
    spec.dataset.samples, spec.dataset.sample_ids = len(ids), list(ids)
    for arguments in (spec.task_args, spec.task_args_passed):
        arguments.pop(SHARD, None)
    if pool.epochs > 1:
        spec.config.epochs = pool.epochs
    declared: list[Any] = list(spec.scorers or ())
    for metrics in (spec.metrics, *(scorer.metrics for scorer in spec.scorers or ())):
        declared += metrics if isinstance(metrics, list) else ()
    for each in declared:
        options = getattr(each, "options", None) or {}
        if "asked" in options:
            options["asked"] = digest


def _add_stats(log: EvalLog, headers: Sequence[EvalLog]) -> None:
    """Tokens of all logs, from the first one's beginning to the last one's end."""
    usage: dict[str, ModelUsage] = {}
    for each in headers:
        for model, used in each.stats.model_usage.items():
            usage[model] = usage[model] + used if model in usage else used
    log.stats.model_usage = usage
    began = [each.stats.started_at for each in headers if each.stats.started_at]
    ended = [each.stats.completed_at for each in headers if each.stats.completed_at]
    if began and ended:
        log.stats.started_at, log.stats.completed_at = min(began), max(ended)
