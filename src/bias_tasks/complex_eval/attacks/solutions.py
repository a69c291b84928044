"""Whether the steps of a solution say what they did, the wrong ones wrongly (A.3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.complex_eval.attacks.edits import Modification, swaps
from bias_tasks.complex_eval.attacks.formulas import (
    other_calculation,
    other_label,
    without_latex,
)
from bias_tasks.complex_eval.attacks.meanings import (
    content,
    gives_away,
    held,
    negations,
    plain_words,
    turned,
)
from bias_tasks.complex_eval.attacks.values import lost_value, new_value

_LEAST, _LEAST_OF_ALL = 0.2, 0.35
"""Share of the content of a step, and of the whole solution, that must be left."""
_SHORTEST = 6
"""A step with fewer words of content may be worded anew as a whole."""
_SMALL_SWAP = 4
"""So many words on either side stand for each other; larger stretches are worded anew."""
_WORDS, _TIMES = 30, 2
"""A step may become so many times as long, and so many words longer."""


def changed_solution(old: Sequence[str], new: Sequence[str]) -> str | None:
    """What the first step that says something else says otherwise; None if no step does.

    Both have the same number of steps.
    """
    for position, (was, now) in enumerate(zip(old, new, strict=True)):
        if was != now and (why := _changed_step(was, now)) is not None:
            return f"step {position}: {why}"
    told, tells = (content(plain_words("\n".join(steps))) for steps in (old, new))
    if held(told, tells) < _LEAST_OF_ALL:
        return "little of what the steps say is left"
    return None


def _changed_step(was: str, now: str) -> str | None:
    told, tells = plain_words(was), plain_words(now)
    if len(tells) > _TIMES * len(told) + _WORDS:
        return f"it grew from {len(told)} to {len(tells)} words"
    plain, plainly = without_latex(was), without_latex(now)
    if (number := lost_value(plain, plainly)) is not None:
        return f"a number is gone: {number}"
    if (number := new_value(plain, plainly)) is not None:
        return f"a number is new: {number}"
    if (sign := other_calculation(was, now)) is not None:
        return sign
    if (label := other_label(was, now)) is not None:
        return f"another point or angle is named: {label}"
    if (words := gives_away(was, now)) is not None:
        return f"it speaks of an error or its correction: {words!r}"
    if bool(negations(told)) != bool(negations(tells)):
        return "a negation was added or dropped"
    if (pair := turned(told, tells) or _turned_in_place(was, now)) is not None:
        return f"a statement was turned around: {pair[1]!r} for {pair[0]!r}"
    return _emptied(told, tells)


def _turned_in_place(was: str, now: str) -> tuple[str, str] | None:
    """A word in place of which its opposite stands; both may stand elsewhere in the step."""
    for swap in swaps(Modification((was,), (now,))) or ():
        small = max(len(swap.old), len(swap.new)) <= _SMALL_SWAP
        if small and (pair := turned(swap.old, swap.new)) is not None:
            return pair
    return None


def _emptied(told: list[str], tells: list[str]) -> str | None:
    said = content(told)
    if len(set(said)) >= _SHORTEST and held(said, content(tells)) < _LEAST:
        return "little of what it says is left"
    return None
