"""How the calls of a search and the items of a task are parted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bias_tasks.probing.items import ProbedItem
from bias_tasks.prompts.seeded import seeded

PILOT = 5
"""Items whose plain prompts show which formats can be put into them; the search's first answers."""
_HELD_OUT = 2
"""Formats beside the plain one that the held-out items are asked in: the best and the worst."""


@dataclass(frozen=True, slots=True)
class Parted:
    """Items to search with, in the order in which formats are asked them, and those held out."""

    search: tuple[ProbedItem, ...]
    held_out: tuple[ProbedItem, ...]
    searching: int
    """Calls for the search, the pilot's among them."""

    def per_round(self, rounds: int, epochs: int) -> int:
        """Items that a round asks at least, so that so many spend what the pilot leaves."""
        left = self.searching // epochs - min(PILOT, len(self.search))
        return max(-(-left // rounds), 1)


def part(items: Sequence[ProbedItem], budget: int, share: float, epochs: int, seed: int) -> Parted:
    """Part items by the seed, whole clusters to one side.

    Args:
        items: those of the pool.
        budget: calls in all.
        share: of them for the held-out items, each of which takes three: plain, best and worst.
        epochs: calls that each question takes.
        seed: of the order.

    Raises:
        ValueError: the budget does not buy two held-out items and a pilot with two batches behind.
    """
    wanted = int(budget * share / (_HELD_OUT + 1) / epochs)
    held = min(wanted, len(items) // 2)
    searching = budget - (_HELD_OUT + 1) * held * epochs
    if held < 2 or searching < 3 * PILOT * epochs:
        raise ValueError(
            f"a budget of {budget:,} calls is too small: with a share of {share:g} held out it "
            f"asks {max(held, 0):,} items there and leaves {max(searching, 0):,} calls to search "
            f"with, and 2 items and {3 * PILOT * epochs} calls are the least"
        )
    order = _by_cluster(items, seed)
    held_out = order[:held]
    kept = {item.cluster for item in held_out if item.cluster}
    search = tuple(item for item in order[held:] if not item.cluster or item.cluster not in kept)
    if len(search) < 2:
        raise ValueError("the items are of too few clusters to hold some of them out")
    return Parted(search, tuple(held_out), searching)


def _by_cluster(items: Sequence[ProbedItem], seed: int) -> list[ProbedItem]:
    """The items in an order drawn by the seed, those of a cluster side by side."""
    clusters: dict[str, list[ProbedItem]] = {}
    for item in sorted(items, key=lambda each: each.id):
        clusters.setdefault(item.cluster or f"\0{item.id}", []).append(item)
    names = seeded(seed, "search").sample(sorted(clusters), len(clusters))
    return [item for name in names for item in clusters[name]]
