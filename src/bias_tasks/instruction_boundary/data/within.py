"""Choice items whose tense and sparse labels come from the same question of the same data set.

In the paper's files every item without a right option is CommonsenseQA's, every one with several is
MultiRC's, and those with a single one are of three other data sets: a rate on a sparse label
against one on a tense label compares data sets. Here each question that has a right option stands
twice, with one option less: once under a tense label and once under a sparse one.

- Of one right option: without a wrong one (single), and without the right one (none), as the paper
  masks options (section 2.2).
- Of two right options: without one of them (single), and without a wrong one (multiple).

CommonsenseQA can't be had under both labels: the files leave its right options out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.names import content_hash
from bias_tasks.prompts.seeded import seeded

_SEED = 0
"""Which option is left out is a part of the data: no run's seed moves it."""


def within_sources(items: Iterable[ChoiceItem], source: str) -> Iterator[ChoiceItem]:
    """Both items of each question with one or two right options and at least two wrong ones.

    They share the question's cluster. Their options are printed without numbers under either
    protocol, since those of the files would have a gap.
    """
    for item in items:
        wrong = [p for p in range(len(item.options)) if p not in item.answer]
        if len(item.answer) in (1, 2) and len(wrong) > 1:
            rng = seeded(_SEED, item.id, source)
            yield _without(item, rng.choice(item.answer), source)
            yield _without(item, rng.choice(wrong), source)


def _without(item: ChoiceItem, left_out: int, source: str) -> ChoiceItem:
    kept = [p for p in range(len(item.options)) if p != left_out]
    options = tuple(item.options[p] for p in kept)
    answer = tuple(kept.index(p) for p in item.answer if p != left_out)
    return ChoiceItem(
        id=f"{source}-{content_hash(item.question, options, answer, item.context)}",
        question=item.question,
        options=options,
        answer=answer,
        source=source,
        cluster=item.cluster,
        context=item.context,
        taken_from=item.taken_from,
    )
