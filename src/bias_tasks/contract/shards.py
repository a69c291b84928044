"""Parts of a run that machines ask apart from each other, each item whole. To which part an item
belongs follows from its id alone: it is the same in both hosts, and for every task."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from bias_tasks.contract.family import JsonObject, Plan
from bias_tasks.contract.parameters import SHARD
from bias_tasks.data.errors import DataError
from bias_tasks.names import digest

PLACE = "place"
"""In a sample or document of a part: its place among the questions of the whole run."""


def part_of(item: str, of: int) -> int:
    """To which of `of` parts an item belongs by its id, counted from 1."""
    found = hashlib.sha256(item.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(found[:8]) % of + 1


def in_part(plan: Plan, text: str | None) -> tuple[Plan, dict[str, int]]:
    """A run's part, such as `3/16`, and the place of each of its questions in the whole, by id; all
    of the run and no places for None. A DataError where no item belongs to the part."""
    if text is None:
        return plan, {}
    number, of = map(int, text.split("/"))
    numbered = enumerate(plan.questions)
    places = {each.id: place for place, each in numbered if part_of(each.item, of) == number}
    if not places:
        raise DataError(f"shard={text}: no item of the run belongs to it; take fewer shards")
    return replace(plan, questions=tuple(q for q in plan.questions if q.id in places)), places


def asked_in_part(
    plan: Plan, record: JsonObject, text: str | None
) -> tuple[Plan, JsonObject, Mapping[str, int]]:
    """A whole run's part as `in_part` has it, and its record, of the whole's (`run_record`).

    A part's digest is made of the whole's, which its record keeps under `shard`, so that parts of
    one run are known from those of another. There stands too how many questions each part has.
    """
    part, places = in_part(plan, text)
    if text is None:
        return part, record, places
    number, of = map(int, text.split("/"))
    counts = Counter(part_of(question.item, of) for question in plan.questions)
    held = [counts[each] for each in range(1, of + 1)]
    whole = {name: record[name] for name in ("digest", "items", "questions")}
    told = {"number": number, "of": of, "held": held, "whole": whole}
    items, asked = len({each.item for each in part.questions}), len(part.questions)
    own = {"digest": digest(record["digest"], text), "items": items, "questions": asked}
    return part, record | own | {SHARD: told}, places
