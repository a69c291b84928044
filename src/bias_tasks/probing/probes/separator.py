"""Choices set and parted otherwise, after the grammar of FormatSpread (Sclar et al. 2024)."""

from __future__ import annotations

import random

from bias_tasks.probing.dress import Dress
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe, need_choices
from bias_tasks.probing.refers import words_alone

_MARKS = ("({label}) ", "{label}. ", "{label}: ", "[{label}] ", "{label} - ", "<{label}> ")
_BETWEEN = ("; ", "\n\n", " | ", ", ")
"""None of them a mere line break, as tasks have it: no draw asks the plain prompt again."""


class Separator(Probe):
    """Other marks about the labels, and other separators between the choices."""

    name = "separator"
    meaning = "other marks about the labels, and other separators between the choices"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """One mark and one separator."""
        need_choices(item)
        return Asked(dress=Dress(mark=rng.choice(_MARKS), between=rng.choice(_BETWEEN)))


class Casing(Probe):
    """The choices' words in capitals or without."""

    name = "casing"
    meaning = "the choices' words all in capitals, or all without"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """Capitals or none, whichever the choices do not have already."""
        need_choices(item)
        if not words_alone(item.choices):
            raise DoesNotApplyError("its choices are more than plain words")
        words = "".join(item.choices)
        other = [kind for kind in ("upper", "lower") if getattr(words, kind)() != words]
        return Asked(dress=Dress(capitals=rng.choice(other)))
