"""Worked examples that lean to a wrong answer (Instruction Boundary, section 3.3, appendix F)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe, need_text

SHOTS = 3
NOW = "Now, please answer the following question:"
"""Parts the examples from the prompt, as the paper's prompt does (appendix I)."""
_LONGEST = 4_000
"""Characters of an example at most."""
_TRIED = 200
"""Items that are looked at for one draw at most."""
_ANSWERS = 20
"""Answers that are tried for one draw at most."""


class FewShot(Probe):
    """Other items in front, whose answers are alike and wrong for the item.

    The paper's examples have labels of one kind, to which models then lean. Nothing that an example
    says is wrong, so that the right answer stays what it is.
    """

    name = "few_shot"
    meaning = (
        f"{SHOTS} other items of the task with their right answers in front: all the same one "
        "where the task has so many, and never the item's own"
    )
    shows_others = True

    def __init__(self, asked: Sequence[ProbedItem] = (), others: Sequence[ProbedItem] = ()) -> None:
        self._pools = (_Pool.of(others), _Pool.of([*others, *asked]))

    def among(self, asked: Sequence[ProbedItem], others: Sequence[ProbedItem]) -> Probe:
        """With examples that are not asked themselves, where there are enough."""
        return FewShot(asked, others)

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """Examples of one answer where the task has them, or else of several."""
        need_text(item)
        drawn = (_fitting(members, item, rng) for members in self._tried(item, rng))
        examples = next((each for each in drawn if each), None)
        if examples is None:
            raise DoesNotApplyError(f"the task has no {SHOTS} other items with another answer")
        blocks = [f"Example {number}:\n{one.worked}" for number, one in enumerate(examples, 1)]
        return Asked(beginning="\n\n".join([*blocks, NOW]))

    def _tried(self, item: ProbedItem, rng: random.Random) -> Iterator[Sequence[ProbedItem]]:
        """Items of which the examples may be drawn, the best first."""
        kind = _kind(item)
        for pool in self._pools:
            alike = pool.alike.get(kind, ())
            yield from rng.sample(alike, min(len(alike), _ANSWERS))
        for pool in self._pools:
            yield pool.every.get(kind, ())


@dataclass(frozen=True, slots=True)
class _Pool:
    """Items that can be examples, by how many choices they have."""

    alike: Mapping[int, Sequence[Sequence[ProbedItem]]] = field(default_factory=dict)
    """Items with one answer, for each answer that enough of them have."""
    every: Mapping[int, Sequence[ProbedItem]] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Sequence[ProbedItem]) -> _Pool:
        """In an order that depends on their ids alone."""
        every: dict[int, list[ProbedItem]] = defaultdict(list)
        by_answer: dict[tuple[int, str], list[ProbedItem]] = defaultdict(list)
        for item in sorted(items, key=lambda each: each.id):
            if item.worked and len(item.worked) <= _LONGEST:
                every[_kind(item)].append(item)
                by_answer[_kind(item), _answer(item)].append(item)
        alike: dict[int, list[list[ProbedItem]]] = defaultdict(list)
        for (kind, _), members in sorted(by_answer.items()):
            if len(members) >= SHOTS:
                alike[kind].append(members)
        return cls(alike, every)


def _fitting(
    members: Sequence[ProbedItem], item: ProbedItem, rng: random.Random
) -> list[ProbedItem]:
    """Examples for an item, each with another text; none where there are not enough."""
    found: list[ProbedItem] = []
    texts = {_folded(item.text)}
    for each in rng.sample(members, min(len(members), _TRIED)):
        shares = each.id == item.id or (bool(item.cluster) and each.cluster == item.cluster)
        if shares or _answer(each) == _answer(item) or _folded(each.text) in texts:
            continue
        found.append(each)
        texts.add(_folded(each.text))
        if len(found) == SHOTS:
            return found
    return []


def _kind(item: ProbedItem) -> int:
    """Examples have as many choices as the item."""
    return len(item.choices)


def _answer(item: ProbedItem) -> str:
    """What two items have in common that have one answer: the places of the right choices, or the
    answer's words."""
    if item.choices and item.right:
        return " ".join(map(str, sorted(item.right)))
    return _folded(item.target)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
