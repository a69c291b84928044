"""The parts of one run (`shard`) as the run: it has the figures that it would have in one piece."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.contract.figures import brief
from bias_tasks.contract.parameters import SHARD, of_whole_run
from bias_tasks.contract.record import FIGURES
from bias_tasks.results.answers import answers_of, card_of
from bias_tasks.results.differences import differences
from bias_tasks.results.run import Found, Problem, Run, Samples, UnusableRunError, figures_in
from bias_tasks.results.text import listed
from bias_tasks.statistics.estimate import read_written, written

LESS = ("limit", "sample_id", "samples")
"""Settings by which a host asks less than the task has."""
_CONNECTION = (
    *("auth_token", "base_url", "batch_size", "ca_cert_path", "device", "max_batch_size"),
    *("max_retries", "num_concurrent", "timeout", "verify_certificate"),
)
"""Arguments of lm-eval's models that say where and how each part is asked, not what answers."""


def joined(found: Found, *, to_the_end: bool = False) -> Found:
    """What was found, with one run in place of the parts that make it, where its first part stood;
    parts of which one is missing or stands twice stay as they are or, `to_the_end`, are a problem.
    """
    by_run: dict[str, list[Run]] = {}
    for each in found:
        if isinstance(each, Run) and SHARD in each.record:
            by_run.setdefault(_run_of(each), []).append(each)
    instead: dict[int, Found] = {}
    for parts in by_run.values():
        wrong = _wrong(parts)
        if wrong and not to_the_end:
            continue
        made = _apart(parts, wrong, by_run.values()) if wrong else _join(sorted(parts, key=_number))
        instead |= {id(part): [] for part in parts} | {id(parts[0]): [made]}
    return [one for each in found for one in instead.get(id(each), [each])]


def _run_of(part: Run) -> str:
    """What all parts of one run have alike: task, model, what is asked, and how."""
    shard, changed = part.record[SHARD], of_whole_run(part.record["changed"])
    asked = [changed, shard["of"], shard["whole"]["digest"], _settings(part)]
    return json.dumps([part.host, part.task, part.model, *asked], sort_keys=True, default=str)


def _settings(part: Run) -> dict[str, Any]:
    """The settings of a run, without what says where each part was asked."""
    settings = dict(part.settings)
    given = settings.get("model_args")
    if isinstance(given, Mapping):
        settings["model_args"] = {n: v for n, v in given.items() if n not in _CONNECTION}
    return settings


def _number(part: Run) -> int:
    return int(part.record[SHARD]["number"])


def _wrong(parts: Sequence[Run]) -> str | None:
    """What keeps parts from being a run: one is missing, stands twice, or is not whole."""
    counts = Counter(map(_number, parts))
    held = parts[0].record[SHARD]["held"]
    lacking = [f"{k}/{len(held)}" for k, n in enumerate(held, 1) if n and k not in counts]
    doubled = [each for each in parts if counts[_number(each)] > 1]
    cut = [each.path.name for each in parts if any(map(each.settings.get, LESS))]
    if lacking:
        return f"part {listed(lacking)} is missing"
    if doubled:
        logs = listed([each.path.name for each in doubled])
        return f"part {_named(doubled[:1])} stands twice ({logs}): leave one out"
    return f"{listed(cut)} asked less than its part ({', '.join(LESS)})" if cut else None


def _named(parts: Sequence[Run]) -> str:
    return listed([f"{_number(each)}/{each.record[SHARD]['of']}" for each in parts])


def _apart(parts: Sequence[Run], wrong: str, runs: Iterable[Sequence[Run]]) -> Problem:
    """Why parts are not read as a run, and in what a part of another run of the task differs."""
    first = parts[0]
    told = f"part {_named(parts)} of {first.task} on {first.model} can't be read as a run: {wrong}"
    alike = (run for run, *_ in runs if run.task == first.task and run.model == first.model)
    other = next((run for run in alike if run is not first), None)
    if other is not None:
        differing = [str(each) for each in differences(first, other) if each.name != SHARD]
        told += f"; {other.path.name} is a part of another run ({'; '.join(differing)})"
    return Problem(first.path, told, failed=True)


def _join(parts: Sequence[Run]) -> Run | Problem:
    """The run that its parts make, with the figures that its log would show in one piece."""
    first = parts[0]
    record = {name: first.record[name] for name in first.record if name not in (SHARD, FIGURES)}
    record |= first.record[SHARD]["whole"]
    record |= {name: of_whole_run(record[name]) for name in ("parameters", "changed")}
    run = replace(
        first,
        record=record,
        metrics={},
        date=min((part.date for part in parts if part.date is not None), default=None),
        settings=_settings(first),
        samples=Samples.sum(part.samples for part in parts),
        parts=tuple(part.path for part in parts),
    )
    try:
        card = card_of(answers_of(run, as_asked=True))
    except UnusableRunError as error:
        return Problem(first.path, f"its parts can't be joined: {error}", failed=True)
    if run.host == "lm-eval":
        metrics = read_written(written(card))
    else:
        metrics = figures_in(brief(run.spec, run.family.figures, card))
    return replace(run, metrics=metrics, n=int(card["items"].value))
