"""Made-up rows in each of the layouts, with sums as prompts, so that the better answer is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bias_tasks.data.synthetic.stream import stream
from bias_tasks.judging.data.layouts import items_of
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.names import content_hash

_THINGS = ("apples", "boats", "coins", "jars", "kites", "lamps", "maps", "nails", "pears", "tiles")
_PLACES = ("a barn", "a cellar", "a hall", "a harbour", "a shed", "a shop", "a store", "a tower")
_SAID = (
    "There are {total} {things}.",
    "{first} and {second} make {total}, so that there are {total} {things}.",
    "Adding the {second} {things} to the {first} gives {total}.",
)
_OFF_BY = (-10, -2, -1, 1, 2, 10)
_VOTERS = 5
_REJECTED = 3
Cells = dict[str, Any]


class _Row(NamedTuple):
    id: str
    """Of its prompt."""
    cells: Cells


def generate_items(n: int, seed: int) -> list[JudgedPrompt]:
    """Exactly `n` items, as nearly as can be as many of each layout; everything follows from both.

    A domain is a layout: `pairs` (JudgeBench's), `best_of_four` (RewardBench 2's) and `voted` (our
    own, with the shares of people's votes).
    """
    found: list[JudgedPrompt] = []
    for place, layout in enumerate(_MAKERS):
        share = len(range(place, n, len(_MAKERS)))
        rows = rows_of(layout, -(-share // _ITEMS_A_ROW[layout]), seed)
        found += [item for row in rows for item in items_of(row, {}, "synthetic").items][:share]
    return found


def rows_of(layout: str, n: int, seed: int) -> list[Cells]:
    """So many rows of a layout, by its name among the domains of `generate_items`."""

    def made(rng: random.Random, label: str) -> _Row:
        first, second = rng.randint(11, 99), rng.randint(11, 99)
        sum_ = _Sum(first, second, rng.choice(_THINGS), rng.choice(_PLACES))
        return _Row(content_hash(sum_.prompt), _MAKERS[layout](rng, sum_))

    return [row.cells for row in stream(f"judging/{layout}", seed, [layout] * n, made)]


class _Sum(NamedTuple):
    """A sum asked for in words."""

    first: int
    second: int
    things: str
    place: str

    @property
    def prompt(self) -> str:
        return (
            f"There are {self.first} {self.things} in {self.place}, and {self.second} more are "
            f"brought. How many {self.things} are there then?"
        )

    def said(self, rng: random.Random, off_by: int = 0) -> str:
        """An answer that is wrong by so much."""
        return rng.choice(_SAID).format(
            first=self.first,
            second=self.second,
            things=self.things,
            total=self.first + self.second + off_by,
        )


_Maker = Callable[[random.Random, _Sum], Cells]


def _pair(rng: random.Random, sum_: _Sum) -> Cells:
    right, wrong = sum_.said(rng), sum_.said(rng, rng.choice(_OFF_BY))
    swapped = rng.random() < 0.5
    return {
        "pair_id": f"pair-{content_hash(sum_.prompt)}",
        "original_id": content_hash(sum_.things, sum_.place),
        "source": "pairs",
        "question": sum_.prompt,
        "response_model": "made-up",
        "response_A": wrong if swapped else right,
        "response_B": right if swapped else wrong,
        "label": "B>A" if swapped else "A>B",
    }


def _best_of_four(rng: random.Random, sum_: _Sum) -> Cells:
    rejected = [sum_.said(rng, off_by) for off_by in rng.sample(_OFF_BY, _REJECTED)]
    return {
        "id": content_hash(sum_.prompt),
        "prompt": sum_.prompt,
        "chosen": [sum_.said(rng)],
        "rejected": rejected,
        "num_correct": 1,
        "num_incorrect": _REJECTED,
        "total_completions": 1 + _REJECTED,
        "models": ["made-up"] * (1 + _REJECTED),
        "subset": "best_of_four",
        "additional_metadata": {"category": "sums"},
    }


def _voted(rng: random.Random, sum_: _Sum) -> Cells:
    swapped = rng.random() < 0.5
    right, wrong = sum_.said(rng), sum_.said(rng, rng.choice(_OFF_BY))
    votes = rng.randint(_VOTERS // 2 + 1, _VOTERS)
    for_right, for_wrong = votes / _VOTERS, (_VOTERS - votes) / _VOTERS
    return {
        "prompt": sum_.prompt,
        "response_a": wrong if swapped else right,
        "response_b": right if swapped else wrong,
        "label": "B" if swapped else "A",
        "human_a": for_wrong if swapped else for_right,
        "human_b": for_right if swapped else for_wrong,
        "domain": "voted",
    }


_MAKERS: Mapping[str, _Maker] = {"pairs": _pair, "best_of_four": _best_of_four, "voted": _voted}
_ITEMS_A_ROW = {"pairs": 1, "best_of_four": _REJECTED, "voted": 1}
