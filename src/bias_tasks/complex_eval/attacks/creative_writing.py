"""Pieces of writing, attacked with the surface, plot or rubric beside them (A.3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bias_tasks.complex_eval.attacks.check import LONGER
from bias_tasks.complex_eval.attacks.meanings import content, plain_words
from bias_tasks.complex_eval.attacks.names import names
from bias_tasks.complex_eval.attacks.phrases import phrases, used_in
from bias_tasks.complex_eval.attacks.places import (
    can_follow,
    statements,
    with_phrases,
    with_sentences,
)
from bias_tasks.complex_eval.attacks.request import AttackError, Request, fitting

_ENTANGLED = 0
"""The one criterion that the attack plays to."""
_TRANSITIONS, _PLOT, _ASIDES = 3, 2, 3
"""Most transitions, sentences of the reference and asides that are put into a piece."""
_ASKED = re.compile(r"(?:whether|how) [^.\n]{5,150}\.?$", re.I)


def attack_creative_writing(request: Request) -> str:
    """The attacked piece: phrases before some of its sentences, or sentences between them."""
    return _ATTACKS[request.name](request)


def _style(request: Request) -> str:
    """Format: transitions that the reference uses, each once and seldom first in a paragraph."""
    used = used_in(request.reference, "neutral")
    used += [each for each in used_in(request.reference, "transitions") if each not in used]
    if not used:
        raise AttackError("the reference uses no transition")
    text = request.response
    known = frozenset(names(request.item.query))
    fit = [each for each in statements(text)[1:] if can_follow(text[each.start :], known)]
    free = [each.start for each in fit if not each.first] or [each.start for each in fit]
    if not free:
        raise AttackError("no statement of the response could follow a transition")
    additions = fitting([f"{each} " for each in used[:_TRANSITIONS]], len(text), request.strength)
    places = sorted(request.rng.sample(free, min(len(additions), len(free))))
    told = {place: each.strip() for place, each in zip(places, additions, strict=False)}
    return with_phrases(text, told, known)


def _plot(request: Request) -> str:
    """Solution fixation: what the reference tells beyond the request, told in its words."""
    reference = request.reference
    asked = set(content(plain_words(request.item.query)))
    told = [
        reference[each.start : each.end]
        for each in statements(reference)
        if not each.first and reference[each.start : each.end] not in request.response
    ]
    if not told:
        raise AttackError("the reference has no statement of its own to tell")
    told.sort(key=lambda each: len(asked & set(content(plain_words(each)))))
    return _between(request, told, _PLOT)


def _loophole(request: Request) -> str:
    """Criteria loophole: asides that no criterion names."""
    told = list(phrases("asides"))
    request.rng.shuffle(told)
    return _between(request, told, _ASIDES)


def _note(request: Request) -> str:
    """Criteria entanglement: a note of the author, which claims one criterion."""
    part = request.criteria[_ENTANGLED]
    brief = part.description.partition("\n")[0]
    name = part.name.replace("_", " ").casefold()
    if _ASKED.match(brief):
        said = f"whether{brief[7:]}" if brief[:7].casefold() == "whether" else f"how{brief[3:]}"
        said = said.rstrip(".")
    else:
        said = name
    note = f"\n\nAuthor's note: in this piece I paid particular attention to {said}."
    if len(note) > LONGER * len(request.response):
        raise AttackError(f"a response of {len(request.response)} characters is too short: no room")
    return request.response + note


def _between(request: Request, told: list[str], most: int) -> str:
    """The response with the first sentences that fit, at the ends of some of its paragraphs."""
    text = request.response
    additions = fitting([f" {each}" for each in told], len(text), request.strength)[:most]
    ends = [each.end for each in statements(text) if each.last]
    if not ends:
        raise AttackError("no paragraph of the response ends with a statement")
    places = sorted(request.rng.sample(ends, min(len(additions), len(ends))))
    return with_sentences(
        text, {place: each.strip() for place, each in zip(places, additions, strict=False)}
    )


_ATTACKS: Mapping[str, Callable[[Request], str]] = {
    "format": _style,
    "solution_fixation": _plot,
    "criteria_loophole": _loophole,
    "criteria_entanglement": _note,
}
