"""The questions of a probed task: each item plain, again, and under every probe that it allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bias_tasks.probing.items import PLAIN, REPEAT, Asked, ProbedItem, is_repeat
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe
from bias_tasks.prompts.seeded import seeded


@dataclass(frozen=True, slots=True)
class ProbedQuestion:
    """An item under one variant."""

    item: ProbedItem
    variant: str
    """`plain`, `repeat1`, `repeat2`, ... or a probe's name."""
    asked: Asked
    plain: Any = field(default=None, compare=False, repr=False)
    """The host's own record of plain answers that are not asked for again; None without any."""

    @property
    def taken(self) -> bool:
        """Whether its answer is one of those, so that nothing is asked."""
        return self.plain is not None and self.variant == PLAIN and self.item.id in self.plain

    @property
    def id(self) -> str:
        """`<item>/<variant>`, unique in a run and the same in both hosts."""
        return f"{self.item.id}/{self.variant}"

    @property
    def repeats(self) -> bool:
        """Whether its prompt is another question's, so that no cache may answer it."""
        return is_repeat(self.variant)


@dataclass(frozen=True, slots=True)
class ProbedPlan:
    """What a run asks, an item's questions side by side."""

    questions: tuple[ProbedQuestion, ...]
    refused: Counter[tuple[str, str]]
    """How many items each probe does not apply to, by its name and the reason."""
    probes: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What probes say of the items that are asked under them."""


def chosen_items(items: Sequence[ProbedItem], n: int | None, seed: int) -> list[ProbedItem]:
    """At most n of the items, drawn by the seed, in their order.

    Raises:
        ValueError: two items have one id.
    """
    counted = Counter(item.id for item in items)
    twice = [name for name, count in counted.items() if count > 1]
    if twice:
        raise ValueError(f"{len(twice)} ids belong to several items, such as {twice[0]!r}")
    if n is None or n >= len(items):
        return list(items)
    drawn = set(seeded(seed, "items").sample(sorted(counted), n))
    return [item for item in items if item.id in drawn]


def plan_probes(
    items: Sequence[ProbedItem],
    probes: Sequence[Probe],
    *,
    repeats: int,
    seed: int,
    others: Sequence[ProbedItem] = (),
) -> ProbedPlan:
    """Every item plain, `repeats` times again, and under each probe that applies to it.

    Args:
        items: those to ask.
        probes: of which each is tried on each item.
        repeats: how often the plain question is asked again, at least once: without it nobody
            knows what sampling alone changes.
        seed: of all draws.
        others: further items of the same task, which are not asked and may serve as examples.
    """
    probes = [probe.among(items, others) for probe in probes]
    questions: list[ProbedQuestion] = []
    refused: Counter[tuple[str, str]] = Counter()
    for item in items:
        again = [f"{REPEAT}{number}" for number in range(1, repeats + 1)]
        questions += [ProbedQuestion(item, variant, Asked()) for variant in (PLAIN, *again)]
        for probe in probes:
            try:
                asked = probe.asked(item, seeded(seed, item.id, probe.name))
            except DoesNotApplyError as error:
                refused[probe.name, str(error)] += 1
                continue
            questions.append(ProbedQuestion(item, probe.name, asked))
    notes = tuple(
        note
        for probe in probes
        for note in probe.notes([each.item for each in questions if each.variant == probe.name])
    )
    return ProbedPlan(tuple(questions), refused, tuple(probe.name for probe in probes), notes)
