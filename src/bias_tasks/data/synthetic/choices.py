"""Choice items: the options are drawn from a family's pools, as many right ones as the label says."""

from __future__ import annotations

import random

from bias_tasks.data.synthetic.families import FAMILIES
from bias_tasks.items import ChoiceItem, ChoiceLabel, content_hash

OPTIONS = 4
MOST_OPTIONS = 10

_MOST_RIGHT = 3


def choice_item(rng: random.Random, label: ChoiceLabel, n_options: int = OPTIONS) -> ChoiceItem:
    """One choice item with the given label.

    Args:
        rng: the only source of chance.
        label: none (no option is right), single (one) or multiple (two or three, never all).
        n_options: options shown, from 4 to `MOST_OPTIONS`; their order is random.
    """
    pool = rng.choice(FAMILIES)(rng, _MOST_RIGHT, n_options)
    n_right = {"none": 0, "single": 1, "multiple": rng.randint(2, _MOST_RIGHT)}[label]
    right = rng.sample(pool.right, n_right)
    options = right + rng.sample(pool.wrong, n_options - n_right)
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
