"""What a family's figures are: each is declared once, in the family's `figures.yaml`, and found
again by the name it is printed by.

A figure's printed name is a path such as `vanilla/judging/acc`, `acc/polite` or
`reading/std/f1`: what it is a figure of, then its own name, then what it is split by. A part of the
path may end in a condition, `acc@theta=0.5/rubric`.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import Literal

from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.data.files import read_yaml
from bias_tasks.statistics.estimate import Estimate, standard_error

Unit = Literal["share", "difference", "points", "percent squared", "score", "count", "verdict"]
Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a family. A share is between 0 and 1; a difference of shares between -1 and 1;
    points are on the scale of what is judged; a verdict is 1 or 0."""

    name: str
    meaning: str
    unit: Unit = "share"
    low: float = 0.0
    high: float = 1.0
    better: Better | None = None
    """Which direction is better; None where neither is, or the best lies in between."""
    source: str = ""
    """Where the paper defines it: section, equation or appendix."""
    parts: tuple[int, ...] = (0,)
    """How many parts of the printed name follow the figure's own name."""
    without_noise: Mapping[str, float] = field(default_factory=dict, hash=False)
    """What it is by construction where a prompt always gets the same answer, as at temperature 0:
    by the part of the printed name that follows its own name, empty where none does."""
    by_part: tuple[str, ...] = ()
    """Where it is the largest over parts, such as probes: the figure that it is the largest of, and
    those that are told beside that, part by part."""
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Sentences for readers, with `{}` for points of 100 or the value and `{part}` for the part:
    `loss` and `gain` of a difference, `rest` of what a share lacks to 1, `level` of any value,
    `beside` of a part beside the headline, and `none` of why there is no value; of `unread` whose
    answers it is a share `of`, if not of all."""


_RANGES: Mapping[str, tuple[float, float]] = {"difference": (-1.0, 1.0), "count": (0.0, math.inf)}
"""Least and largest value by unit, where a figure does not say otherwise."""


@cache
def declared_figures(package: str) -> tuple[Figure, ...]:
    """The figures that the `figures.yaml` of a family's folder declares, and `EVERYWHERE`."""
    return (*_figures(package), *EVERYWHERE)


def _figures(package: str) -> Iterator[Figure]:
    for name, row in read_yaml(package, "figures").items():
        low, high = _RANGES.get(row.get("unit", ""), (0.0, 1.0))
        lists = {each: tuple(row[each]) for each in ("parts", "by_part") if each in row}
        yield Figure(name=name, **{"low": low, "high": high, **row, **lists})


EVERYWHERE = ITEMS, ABOVE_CHANCE, CAN_TELL = tuple(_figures(__package__))
"""Figures that a family has without declaring them."""


def figure_of(name: str, declared: Iterable[Figure]) -> Figure | None:
    """The declared figure that a printed name belongs to; None where it is none of these.

    Of several, the one whose own name stands furthest in front: `std/f1` is the figure `std`.
    """
    parts = [part.partition("@")[0] for part in name.split("/")]
    found = {
        count: figure
        for figure in declared
        for count in figure.parts
        if len(parts) > count and parts[-1 - count] == figure.name
    }
    return found[max(found)] if found else None


def usable_prefix(name: str, package: str) -> str:
    """The name of a domain as a user may give it; a ValueError where a figure of a family's folder
    has the name, since that alone tells `<domain>/<figure>` from `<figure>/<split>`, or it holds
    what separates them."""
    if name in {figure.name for figure in declared_figures(package)}:
        raise ValueError(f"{name!r} is the name of a figure: give the domain another name")
    if "/" in name or "@" in name or not name.isprintable():
        raise ValueError(f"{name!r} stands in the names of figures: it has no '/', '@' or controls")
    return name


BESIDE = 6
"""How many figures are shown beside the headline at most."""


def headline(spec: TaskSpec, names: Iterable[str]) -> str | None:
    """The printed name of the figure that a run of the task is about; None where it has none."""
    return next(iter(_matching(spec.headline, list(names))), None)


def parts_of(figure: Figure | None, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By part the names of a figure's `by_part`, in the order of the names."""
    if figure is None or not figure.by_part:
        return {}
    first = f"{figure.by_part[0]}/"
    parts = [name.removeprefix(first) for name in names if name.startswith(first)]
    return {part: tuple(f"{each}/{part}" for each in figure.by_part) for part in parts}


def block(spec: TaskSpec, declared: Iterable[Figure], names: Iterable[str]) -> tuple[str, ...]:
    """Of a run's names that of the headline, of its parts, and of up to `BESIDE` beside it."""
    known = list(names)
    first = headline(spec, known)
    own = [] if first is None else [first]
    parts = parts_of(figure_of(first, declared), known) if first else {}
    own += [name for part in parts.values() for name in part if name in known]
    beside = [name for name in _matching(spec.beside, known) if name not in own]
    return (*own, *beside[:BESIDE])


def brief(
    spec: TaskSpec, declared: Iterable[Figure], card: Mapping[str, Estimate]
) -> dict[str, float]:
    """What a host shows of a run: the headline, its `stderr`, `ci_low` and `ci_high`, the figures
    beside it, `can_tell` where it is 0, and `items`."""
    shown = block(spec, declared, card)
    if not shown:
        return {}
    first = card[shown[0]]
    found = {shown[0]: first.value, "stderr": standard_error(first)}
    found |= {"ci_low": first.ci_low, "ci_high": first.ci_high}
    found |= {name: card[name].value for name in shown[1:]}
    found |= {CAN_TELL.name: 0.0} if cannot_tell(card) else {}
    return found | {"items": card["items"].value if "items" in card else math.nan}


def cannot_tell(card: Mapping[str, Estimate]) -> bool:
    """Whether plain answers are not shown to be better than chance, where that is known."""
    return CAN_TELL.name in card and card[CAN_TELL.name].value == 0


def _matching(patterns: Iterable[str], names: list[str]) -> list[str]:
    """The names that a pattern stands for, pattern by pattern, each once."""
    found = (name for pattern in patterns for name in names if fnmatchcase(name, pattern))
    return list(dict.fromkeys(found))
