"""Unlimited generated items of every answer type, whose gold answers are computed.

Everything follows from the seed: the same arguments give the same items on every machine, and the
first k of n items are those of a call with n = k. Nothing is fetched.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping, Sequence

from bias_tasks.data.synthetic.stream import stream
from bias_tasks.names import content_hash
from bias_tasks.output_format.data.layout import with_options
from bias_tasks.output_format.data.synthetic.questions import (
    Drawn,
    entities,
    keyphrases,
    options,
    passage,
    relevance,
    sum_problem,
)
from bias_tasks.output_format.items import ANSWER_TYPES, AnswerType, FormatItem

_MAKERS: Mapping[AnswerType, Callable[[random.Random], Drawn]] = {
    "option_letter": options,
    "option_text": options,
    "text": passage,
    "number": sum_problem,
    "binary_list": relevance,
    "string_list": keyphrases,
    "mapping": entities,
}


def generate_formats(
    n: int, seed: int, answer_types: Sequence[AnswerType] = ANSWER_TYPES, *, training: bool = False
) -> list[FormatItem]:
    """Generated items, the answer types taking turns.

    `training` draws items for demonstrations and fine-tuning instead of items to evaluate. No item
    is ever both, under any two seeds.

    Raises:
        ValueError: n is negative, or there is no answer type.
    """
    if n < 0 or not answer_types:
        raise ValueError(f"expected n of at least 0 and some answer type, not {n}, {answer_types}")
    turns = itertools.islice(itertools.cycle(answer_types), n)
    return list(stream("format", seed, turns, _item, examples=training))


def _item(rng: random.Random, answer_type: AnswerType) -> FormatItem:
    drawn = _MAKERS[answer_type](rng)
    text = with_options(drawn.input, drawn.options) if drawn.options else drawn.input
    identity = f"synthetic-{content_hash(answer_type, text, drawn.options, drawn.answer)}"
    return FormatItem(
        id=identity,
        dataset="synthetic",
        input=text,
        answer=drawn.answer,
        answer_type=answer_type,
        cluster=identity,
        options=drawn.options,
    )
