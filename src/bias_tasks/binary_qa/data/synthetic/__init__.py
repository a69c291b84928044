"""Unlimited generated yes/no questions with exact labels and exact reformulations.

Everything follows from the seed, and nothing is fetched. The five wordings of a question come from
one logical form, so that each negative reformulation is the original's negation in every world.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from bias_tasks.binary_qa.data.synthetic.everyday import EVERYDAY
from bias_tasks.binary_qa.data.synthetic.forms import Family, binary_item
from bias_tasks.binary_qa.data.synthetic.passages import EXACT, MULTI_HOP, READING, THRESHOLD
from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryItem
from bias_tasks.data.synthetic.stream import stream

_STYLES: Mapping[str, tuple[tuple[Family, ...], ...]] = {
    "reading": (READING,),
    "multi_hop": (MULTI_HOP,),
    "numerical": (THRESHOLD, EXACT),  # half each, as the paper's questions on DROP
    "everyday": (EVERYDAY,),
}
"""Of each domain, the groups of families that take equal parts in it."""

SYNTHETIC_DOMAINS: tuple[str, ...] = tuple(_STYLES)


def generate_binary(n: int, seed: int, domains: Sequence[str] | None = None) -> list[BinaryItem]:
    """Generated questions; domains and labels take turns, so that every prefix is balanced.

    The same arguments give the same items on every machine, and the first k of n items are those
    of a call with n = k.

    `domains` are some of `SYNTHETIC_DOMAINS`, in any order; all by default.
    """
    chosen = [d for d in SYNTHETIC_DOMAINS if domains is None or d in domains]
    sources = [_questions(domain, seed, place) for place, domain in enumerate(chosen)]
    return [next(source) for source in itertools.islice(itertools.cycle(sources), n)]


def _questions(domain: str, seed: int, place: int) -> Iterator[BinaryItem]:
    """The endless questions of a domain, which begin with No in every second place."""
    labels = BINARY_LABELS if place % 2 == 0 else BINARY_LABELS[::-1]
    styles = [
        stream(
            f"binary/{domain}/{style}",
            seed,
            itertools.cycle(labels),
            partial(binary_item, domain=domain, families=families),
        )
        for style, families in enumerate(_STYLES[domain])
    ]
    for style in itertools.cycle(styles):
        yield from itertools.islice(style, len(labels))
