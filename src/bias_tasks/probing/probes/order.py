"""The choices in another order."""

from __future__ import annotations

import random

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe, need_different_choices
from bias_tasks.probing.refers import refer_to_others


class Order(Probe):
    """A seeded permutation under which the right choice has another label."""

    name = "order"
    meaning = "the choices in another order, so that the right one has another label"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """A permutation that moves the right choice."""
        need_different_choices(item)
        if not item.right:
            raise DoesNotApplyError("which of its choices is right is not known")
        if refer_to_others(item.choices):
            raise DoesNotApplyError("a choice speaks of others")
        places = list(range(len(item.choices)))
        moved = item.right
        turn = rng.randrange(1, len(places))
        if len(moved) > 1:
            rng.shuffle(places)
            if places == sorted(places):
                places = places[turn:] + places[:turn]
            return Asked(order=tuple(places))
        others = [place for place in places if place != moved[0]]
        rng.shuffle(others)
        to = (moved[0] + turn) % len(places)
        return Asked(order=(*others[:to], moved[0], *others[to:]))
