"""Which of the JSON objects of an answer holds what was asked for.

An object on lines of its own outranks one within a sentence. Of several that differ the last one
counts, if the words between say that it stands in place of the others; else none does. An object
that the judge reads out, denies or wishes is none of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from bias_tasks.complex_eval.reading.asserted import depends, disowned, own, replaced
from bias_tasks.complex_eval.reading.fields import bare
from bias_tasks.complex_eval.reading.said import Said
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.json_objects import Found, Repeated

T = TypeVar("T")
Reader = Callable[[dict[str, Any]], "tuple[T | None, str] | None"]
"""The value of an object, or None and why not; no tuple where it is not the object asked for."""
MOST = 60
"""Objects that are looked at, the last ones."""
TWICE_SAID = "the JSON object says a key twice"
TWO = "two different JSON objects"
_AROUND = 2_000
"""Characters around an object in which its line begins and ends."""
_BEHIND = 160
"""Characters behind an object in which its sentence is looked at."""
_WRAPPERS = (
    *("result", "results", "output", "response", "answer", "finalanswer", "evaluation", "json"),
    *("judgment", "judgement", "verdict", "assessment", "report", "data"),
)
"""Bare keys of an object that holds nothing but the one asked for."""
_OR = re.compile(r"\A\W{0,4}(?:\w{1,8},? )?or (?:maybe|perhaps|possibly|rather|even)\b")
"""It is as good as the one before."""
_FENCE = re.compile(r"\n *json *\Z")
_ALONE = re.compile(r"[^\w\n]*(?:json[^\w\n]*)?")


def asked_object(text: str, found: Sequence[Found], read: Reader[T]) -> Said[T] | None:
    """The object that counts, its value None where nothing may be read; None where there is none.

    Args:
        text: the judge's own words.
        found: its objects.
        read: what an object says.
    """
    candidates = [said for each in found[-MOST:] if (said := _candidate(each, read)) is not None]
    return _decided(text, _own(text, candidates))


def _candidate(found: Found, read: Reader[T]) -> Said[T] | None:
    if isinstance(found.value, Repeated):
        return Said(None, TWICE_SAID, found.start, found.end)
    result = read(found.value)
    if result is None and (inner := _wrapped(found.value)) is not None:
        result = read(inner)
    return None if result is None else Said(*result, found.start, found.end)


def _wrapped(entry: dict[str, Any]) -> dict[str, Any] | None:
    """What an object holds that is but a wrapper: `{"result": {"score": 7}}`."""
    [(key, value), *others] = entry.items() or [("", None)]
    return value if isinstance(value, dict) and not others and bare(key) in _WRAPPERS else None


def _own(text: str, candidates: Sequence[Said[T]]) -> list[Said[T]]:
    """Without those of others; without doubtful ones too, where any is left without them."""
    said = [
        (each, True if _OR.search(lead) else own(lead))
        for each in candidates
        for lead in [_lead(text, each)]
        if not _left(text[each.end : each.end + _BEHIND].lower())
    ]
    sure = [each for each, whose in said if whose]
    return sure or [each for each, whose in said if whose is not False]


def _left(after: str) -> bool:
    return disowned(after) or depends(after)


def _lead(text: str, candidate: Said[T]) -> str:
    """What leads to an object: its line, and the one before where that ends with a colon."""
    before = Window.of(text[max(0, candidate.start - _AROUND) : candidate.start]).low
    head, _, line = before.rpartition("\n")
    if line.strip(" >-"):
        return line
    above = _FENCE.sub("", head).rstrip()
    return above.rpartition("\n")[2] if above.endswith(":") else ""


def _decided(text: str, candidates: Sequence[Said[T]]) -> Said[T] | None:
    if not candidates:
        return None
    standing = [each for each in candidates if _stands_alone(text, each)]
    chosen = (standing or candidates)[-1]
    if chosen.value is None:
        return chosen
    later = [each for each in candidates if each.start > chosen.start]
    if any(each.value != chosen.value for each in later) or _contradicted(
        text, chosen, [*reversed(standing or candidates)]
    ):
        return chosen._replace(value=None, why=TWO)
    return chosen


def _contradicted(text: str, chosen: Said[T], back: Sequence[Said[T]]) -> bool:
    """Whether one before says something else and no words between take it back; last one first."""
    taken_back = False
    for after, before in pairwise(back):
        between = Window.of(text[before.end : after.start]).low
        taken_back = taken_back or replaced(between)
        if before.value != chosen.value and not taken_back:
            return True
    return False


def _stands_alone(text: str, candidate: Said[T]) -> bool:
    """Whether there is nothing but marks beside the object on its lines."""
    before = text[max(0, candidate.start - _AROUND) : candidate.start].rpartition("\n")[2]
    after = text[candidate.end : candidate.end + _AROUND].partition("\n")[0]
    return _ALONE.fullmatch(before) is not None and _ALONE.fullmatch(after) is not None
