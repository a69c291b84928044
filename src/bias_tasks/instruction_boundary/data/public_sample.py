"""What the paper's public code draws for Disturbing Miscellany (table 6, figure 3).

It seeds one generator with 42, samples 300 of MMLU-Pro's test questions, and draws from the same
generator, for one to nine distractors in turn and for each question in its sampled order, which of
the question's wrong options are shown. Where a question has no more wrong options than wanted, all
are shown and nothing is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bias_tasks.data.records import RawRecord
from bias_tasks.instruction_boundary.settings import LEVELS

SIZE = 300
_SEED = 42

Drawn = tuple[tuple[int, ...], ...]
"""Positions of the wrong options shown, for each of `LEVELS`."""


def public_sample(records: Sequence[RawRecord]) -> Iterator[tuple[RawRecord, Drawn]]:
    """The records sampled, each with its distractors.

    Args:
        records: every record of the test split, in the order of the data set; each has `options`
            and the position `answer_index` of the right one.
    """
    rng = random.Random(_SEED)  # what `random.seed(42)` makes of the global one
    sampled = rng.sample(records, min(SIZE, len(records)))
    wrong = [
        [place for place in range(len(record["options"])) if place != record["answer_index"]]
        for record in sampled
    ]
    levels = [[_drawn(rng, places, level) for places in wrong] for level in LEVELS]
    yield from zip(sampled, zip(*levels, strict=True), strict=True)


def _drawn(rng: random.Random, wrong: list[int], level: int) -> tuple[int, ...]:
    return tuple(wrong if level >= len(wrong) else rng.sample(wrong, level))
