"""Choice items: as many right options as the label says, of a random kind of question."""

from __future__ import annotations

import random
from collections.abc import Mapping

from bias_tasks.data.synthetic.choices import draw_choice
from bias_tasks.instruction_boundary.items import ChoiceItem, ChoiceLabel
from bias_tasks.names import content_hash

OPTIONS = 4
OPTION_COUNTS = range(2, 11)

# How many options may be right under each label.
_RIGHT: Mapping[ChoiceLabel, tuple[int, ...]] = {"none": (0,), "single": (1,), "multiple": (2, 3)}


def choice_item(rng: random.Random, label: ChoiceLabel, n_options: int = OPTIONS) -> ChoiceItem:
    """One choice item with the given label.

    None of the options is right, one (single), or two or three and never all (multiple).
    `n_options` is in `OPTION_COUNTS`, above 3 for multiple; they are in random order.
    """
    drawn = draw_choice(rng, _RIGHT[label], n_options)
    fields = (drawn.context, drawn.question, list(drawn.options), drawn.answer)
    identity = f"synthetic-{content_hash('choice', *fields)}"
    return ChoiceItem(
        id=identity,
        context=drawn.context,
        question=drawn.question,
        options=drawn.options,
        answer=drawn.answer,
        source="synthetic",
        cluster=identity,
    )
