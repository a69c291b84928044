"""Joins the shards of a run; the result has the metrics that the run has in one piece."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from bias_tasks.contract.parameters import SHARD, without_shard
from bias_tasks.results.frameworks.record import ShardRecord
from bias_tasks.results.run import Problem, ReadResults, Run, Samples
from bias_tasks.results.run_pairing import find_differences
from bias_tasks.results.text import join_texts

REDUCING_SETTINGS = ("limit", "sample_id", "samples")
"""Settings with which a framework runs fewer samples than the task has."""
_CONNECTION = (
    *("auth_token", "base_url", "batch_size", "ca_cert_path", "device", "max_batch_size"),
    *("max_retries", "num_concurrent", "timeout", "verify_certificate"),
)
"""Arguments of lm-eval's models that do not affect the answers."""
_Shard: TypeAlias = tuple[Run, ShardRecord]
"""The run in a log of a shard, and which shard it is."""


def join_shards(results: ReadResults, *, report_incomplete: bool) -> ReadResults:
    """Replace the shards of a run by the run, at the position of its first shard.

    Args:
        results: Runs and problems.
        report_incomplete: Replace shards by a problem if one is missing or occurs twice. Otherwise
            they stay as they are.
    """
    by_run: dict[str, list[_Shard]] = {}
    for result in results:
        if isinstance(result, Run) and result.record.shard is not None:
            shard = result.record.shard
            by_run.setdefault(_run_key(result, shard), []).append((result, shard))
    replacements: dict[int, ReadResults] = {}
    for shards in by_run.values():
        defect = _find_defect(shards)
        if defect and not report_incomplete:
            continue
        first, _ = shards[0]
        if defect:
            other = _find_shard_of_other_run(first, by_run.values())
            joined: Run | Problem = _describe_defect(shards, defect, other)
        else:
            joined = _join(sorted(shards, key=lambda pair: pair[1].number))
        replacements |= {id(run): [] for run, _ in shards} | {id(first): [joined]}
    return [kept for result in results for kept in replacements.get(id(result), [result])]


def _run_key(run: Run, shard: ShardRecord) -> str:
    """Return what all shards of one run have in common."""
    arguments = without_shard(run.record.task_args)
    identity = [arguments, shard.of, shard.whole["digest"], _settings_without_connection(run)]
    key = [run.framework, run.task, run.model, *identity]
    return json.dumps(key, sort_keys=True, default=str)


def _settings_without_connection(run: Run) -> dict[str, object]:
    settings = dict(run.settings)
    arguments = settings.get("model_args")
    if isinstance(arguments, Mapping):
        settings["model_args"] = {n: v for n, v in arguments.items() if n not in _CONNECTION}
    return settings


def _find_defect(shards: Sequence[_Shard]) -> str | None:
    """Return why the shards do not make a run: one is missing, occurs twice or is incomplete."""
    counts = Counter(shard.number for _, shard in shards)
    sizes = shards[0][1].held
    missing = [
        f"{number}/{len(sizes)}"
        for number, questions in enumerate(sizes, 1)
        if questions and number not in counts
    ]
    if missing:
        return f"shard {join_texts(missing)} is missing"
    doubled = [(run.path.name, shard) for run, shard in shards if counts[shard.number] > 1]
    if doubled:
        logs = join_texts([name for name, _ in doubled])
        return f"shard {doubled[0][1]} occurs twice ({logs}): leave one out"
    reduced = [
        run.path.name
        for run, _ in shards
        if any(run.settings.get(name) for name in REDUCING_SETTINGS)
    ]
    if reduced:
        settings = ", ".join(REDUCING_SETTINGS)
        return f"{join_texts(reduced)} covers only a part of its shard ({settings})"
    return None


def _find_shard_of_other_run(run: Run, runs: Iterable[Sequence[_Shard]]) -> Run | None:
    """Return the first shard of another run of the same task on the same model."""
    firsts = (shards[0][0] for shards in runs)
    same = (r for r in firsts if r is not run and r.task == run.task and r.model == run.model)
    return next(same, None)


def _describe_defect(shards: Sequence[_Shard], defect: str, other: Run | None) -> Problem:
    """Return why shards cannot be joined, and how a shard of a similar run differs."""
    run, _ = shards[0]
    numbers = join_texts([str(shard) for _, shard in shards])
    reason = f"shard {numbers} of {run.task} on {run.model} does not make a run: {defect}"
    if other is not None:
        differences = [str(d) for d in find_differences(run, other) if d.name != SHARD]
        reason += f"; {other.path.name} is a shard of another run ({'; '.join(differences)})"
    return Problem(run.path, reason, True, run.task_names)


def _join(shards: Sequence[_Shard]) -> Run:
    """Return the run that its shards make."""
    first, shard = shards[0]
    record = replace(
        first.record,
        digest=str(shard.whole["digest"]),
        parameters=without_shard(first.record.parameters),
        task_args=without_shard(first.record.task_args),
        shard=None,
    )
    return replace(
        first,
        record=record,
        date=min((run.date for run, _ in shards if run.date is not None), default=None),
        settings=_settings_without_connection(first),
        usage=sum((Counter(run.usage) for run, _ in shards), Counter()),
        samples=Samples.sum(run.samples for run, _ in shards),
        shard_paths=tuple(run.path for run, _ in shards),
    )
