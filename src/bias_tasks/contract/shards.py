"""Shards: parts of a run for several machines, each with whole items. The shard of an item follows
from its id alone, so it is the same in both frameworks and for every task."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import SHARD
from bias_tasks.contract.questions import Plan
from bias_tasks.data.errors import DataError
from bias_tasks.digests import digest

POSITION = "position"
"""Name in a sample or document of a shard: the index of its question in the whole run, from 0."""


def shard_number(item: str, n_shards: int) -> int:
    """Return the shard of an item, counted from 1.

    Args:
        item: The item's id.
        n_shards: Number of shards.
    """
    hashed = hashlib.sha256(item.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(hashed[:8]) % n_shards + 1


def select_shard(plan: Plan, shard: str | None) -> tuple[Plan, dict[str, int]]:
    """Return one shard of a run, and the index of each of its questions in the whole run.

    Args:
        plan: The whole run.
        shard: Which shard of how many, such as `3/16`. None returns the whole run and no indices.

    Raises:
        DataError: The shard has no items.
    """
    if shard is None:
        return plan, {}
    number, n_shards = map(int, shard.split("/"))
    positions = {
        question.id: position
        for position, question in enumerate(plan.questions)
        if shard_number(question.item, n_shards) == number
    }
    if not positions:
        raise DataError(f"shard={shard}: no item of the run belongs to it; use fewer shards")
    questions = tuple(question for question in plan.questions if question.id in positions)
    return replace(plan, questions=questions), positions


def plan_shard(
    plan: Plan, record: JsonObject, shard: str | None
) -> tuple[Plan, JsonObject, Mapping[str, int]]:
    """Return one shard of a run, its record, and the indices of its questions (`select_shard`).

    The digest of a shard is made from that of the whole run, so that the shards of one run are
    recognized. Its record has under `shard` its number, the number of questions of every shard, and
    digest, items and questions of the whole run.

    Args:
        plan: The whole run.
        record: The record of the whole run (`run_record`).
        shard: As in `select_shard`.

    Raises:
        DataError: The shard has no items.
    """
    part, positions = select_shard(plan, shard)
    if shard is None:
        return part, record, positions
    number, n_shards = map(int, shard.split("/"))
    counts = Counter(shard_number(question.item, n_shards) for question in plan.questions)
    shard_record = {
        "number": number,
        "of": n_shards,
        "held": [counts[number] for number in range(1, n_shards + 1)],
        "whole": {name: record[name] for name in ("digest", "items", "questions")},
    }
    part_record = {
        "digest": digest(record["digest"], shard),
        "items": len({question.item for question in part.questions}),
        "questions": len(part.questions),
    }
    return part, {**record, **part_record, SHARD: shard_record}, positions
