"""Probes of the options: their order, labels, marks (FormatSpread, Sclar et al. 2024), capitals."""

import random

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options import OptionStyle, holds_any, refer_to_others, words_alone
from bias_tasks.probing.probes.base import DoesNotApplyError, ProbeInput, need_choices

SCHEMES: tuple[tuple[str, ...], ...] = (
    tuple(str(number) for number in range(1, 11)),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    tuple("PQRSTUVWXY"),
)
_MARKS = ("({label}) ", "{label}. ", "{label}: ", "[{label}] ", "{label} - ", "<{label}> ")
_BETWEEN = ("; ", "\n\n", " | ", ", ")
"""No mere line break, as tasks have it: no draw asks the plain prompt again."""


def order(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The choices in another order, so that the right one has another label."""
    need_choices(item, different=True)
    if not item.right:
        raise DoesNotApplyError("which of its choices is right is not known")
    if refer_to_others(item.choices):
        raise DoesNotApplyError("a choice speaks of others")
    places = list(range(len(item.choices)))
    turn = rng.randrange(1, len(places))
    if len(item.right) > 1:
        rng.shuffle(places)
        if places == sorted(places):
            places = places[turn:] + places[:turn]
        return Asked(order=tuple(places))
    [right] = item.right
    places.remove(right)
    rng.shuffle(places)
    places.insert((right + turn) % len(item.choices), right)
    return Asked(order=tuple(places))


def labels(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The choices behind 1, 2, ..., I, II, ... or P, Q, ... (one of these for each item)."""
    need_choices(item)
    count = len(item.choices)
    if count > len(SCHEMES[0]):
        raise DoesNotApplyError(f"it has more than {len(SCHEMES[0])} choices")
    if refer_to_others(item.choices):
        raise DoesNotApplyError("a choice speaks of others")
    other = [each for each in SCHEMES if each[:count] != item.labels[:count]]
    clear = [each for each in other if not holds_any(item.choices, each[:count])]
    if not clear:
        raise DoesNotApplyError("its choices hold what could be a label")
    return Asked(dress=OptionStyle(labels=rng.choice(clear)))


def separator(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """Other marks about the labels, and other separators between the choices."""
    need_choices(item)
    return Asked(dress=OptionStyle(mark=rng.choice(_MARKS), between=rng.choice(_BETWEEN)))


def casing(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The choices' words all in capitals, or all without."""
    need_choices(item)
    if not words_alone(item.choices):
        raise DoesNotApplyError("its choices are more than plain words")
    words = "".join(item.choices)
    other = [kind for kind in ("upper", "lower") if getattr(words, kind)() != words]
    return Asked(dress=OptionStyle(capitals=rng.choice(other)))
