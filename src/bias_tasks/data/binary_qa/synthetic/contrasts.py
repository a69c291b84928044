"""Comparisons of two things, asked for in either direction."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bias_tasks.data.binary_qa.synthetic.forms import Claim, Predicate


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two predicates of {0} and {1}; which of the two lies higher decides both."""

    above: Predicate
    """{0} lies higher: it is longer, later, more and so on."""
    below: Predicate


def ordered(
    rng: random.Random,
    truth: bool,
    contrast: Contrast,
    low: str,
    high: str,
    context: str | None = None,
) -> Claim:
    """The claim that `high` is above `low` or that `low` is below `high`, or its mirror image.

    A false claim is a true one with the two exchanged, so that both have the same words.
    """
    above = rng.random() < 0.5
    arguments = (high, low) if above == truth else (low, high)
    return Claim(contrast.above if above else contrast.below, arguments, truth, context)
