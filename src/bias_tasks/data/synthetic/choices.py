"""Choice items: as many right options as the label says, from the pools of a random family."""

from __future__ import annotations

import random
from collections.abc import Mapping

from bias_tasks.data.synthetic.families import FAMILIES
from bias_tasks.items import ChoiceItem, ChoiceLabel, content_hash

OPTIONS = 4
OPTION_COUNTS = range(2, 11)

# How many options may be right under each label.
_RIGHT: Mapping[ChoiceLabel, tuple[int, ...]] = {"none": (0,), "single": (1,), "multiple": (2, 3)}
_MOST_RIGHT = 3


def choice_item(rng: random.Random, label: ChoiceLabel, n_options: int = OPTIONS) -> ChoiceItem:
    """One choice item with the given label.

    Args:
        rng: the only source of chance.
        label: none (no option is right), single (one) or multiple (two or three, never all).
        n_options: options shown, in `OPTION_COUNTS` and above 3 for multiple; in random order.
    """
    pool = rng.choice(FAMILIES)(rng, _MOST_RIGHT, n_options)
    right = rng.sample(pool.right, rng.choice(_RIGHT[label]))
    options = right + rng.sample(pool.wrong, n_options - len(right))
    rng.shuffle(options)
    answer = tuple(place for place, option in enumerate(options) if option in right)
    fields = (pool.context, pool.question, options, answer)
    identity = f"synthetic-{content_hash('choice', *fields)}"
    return ChoiceItem(
        id=identity,
        context=pool.context,
        question=pool.question,
        options=tuple(options),
        answer=answer,
        source="synthetic",
        cluster=identity,
    )
