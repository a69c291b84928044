"""The choices behind other labels."""

from __future__ import annotations

import random

from bias_tasks.probing.dress import Dress
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe, need_choices
from bias_tasks.probing.refers import holds_any, refer_to_others

SCHEMES: tuple[tuple[str, ...], ...] = (
    tuple(str(number) for number in range(1, 11)),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    tuple("PQRSTUVWXY"),
)


class Labels(Probe):
    """Numbers, Roman numerals or other letters in place of the task's labels."""

    name = "labels"
    meaning = "the choices behind 1, 2, ..., I, II, ... or P, Q, ... (one of these for each item)"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """One of the schemes."""
        need_choices(item)
        count = len(item.choices)
        if count > len(SCHEMES[0]):
            raise DoesNotApplyError(f"it has more than {len(SCHEMES[0])} choices")
        if refer_to_others(item.choices):
            raise DoesNotApplyError("a choice speaks of others")
        clear = [
            each
            for each in SCHEMES
            if not holds_any(item.choices, each[:count]) and each[:count] != item.labels[:count]
        ]
        if not clear:
            raise DoesNotApplyError("its choices hold what could be a label")
        return Asked(dress=Dress(labels=rng.choice(clear)))
