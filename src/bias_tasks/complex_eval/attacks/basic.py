"""Rejected responses of preference pairs, attacked toward a reference or a rubric (A.3.1)."""

from __future__ import annotations

import re

from bias_tasks.complex_eval.attacks.check import (
    COSMETIC_EDITS,
    GROWTH_SHARE,
    GROWTH_WORDS,
    MODIFICATIONS,
)
from bias_tasks.complex_eval.attacks.names import names
from bias_tasks.complex_eval.attacks.phrases import phrases, used_in
from bias_tasks.complex_eval.attacks.places import can_follow, statements, with_phrases
from bias_tasks.complex_eval.attacks.request import AttackError, Request
from bias_tasks.complex_eval.attacks.surface import aligned_terms, bullet, heading, with_bullet
from bias_tasks.complex_eval.attacks.wording import words

_PART = re.compile(r"\*\*([A-Z][\w &/-]{2,40})\*\*")
_NAMED = 3
"""Most parts of a rubric that are named."""
_SPEAKING = frozenset({"chat", "role playing"})
"""Domains whose responses are spoken by somebody, who would not remark on an answer."""


def attack_basic(request: Request) -> str:
    """The attacked response, within the modifications that its kind of attack allows."""
    return _toward_reference(request) if request.name == "reference" else _toward_rubric(request)


def _toward_reference(request: Request) -> str:
    """The reference's bullets, heading, transition and terms, as far as three changes go."""
    reference, text = request.reference, request.response
    left = request.share(MODIFICATIONS)
    if (mark := bullet(reference)) is not None:
        text = with_bullet(text, mark)
    title = heading(reference)
    if title is not None and heading(text) is None:
        text, left = f"{title}\n\n{text}", left - 1
    used = [each for kind in ("neutral", "final") for each in used_in(reference, kind)]
    if left:
        changed = _with_transitions(text, used, 1, request)
        left, text = left - (changed != text), changed
    for mark_, term in sorted(aligned_terms(text, reference)[:left], key=_last_first):
        text = text[: mark_.start()] + term + text[mark_.end() :]
    if text == request.response:
        raise AttackError("the reference has no heading, transition or term for the response")
    return text


def _toward_rubric(request: Request) -> str:
    """Transitions (cosmetic), and a remark that names parts of the rubric (fake depth)."""
    parts = list(dict.fromkeys(part.casefold() for part in _PART.findall(request.rubric)))
    parts = parts or [part.name.replace("_", " ").casefold() for part in request.item.criteria]
    used = list(phrases("neutral"))
    text = _with_transitions(request.response, used, min(COSMETIC_EDITS, len(used)), request)
    if request.item.domain.casefold() not in _SPEAKING:
        text = _with_remark(text, [part.partition(" &")[0] for part in parts[:_NAMED]], request)
    if text == request.response:
        raise AttackError("the response has no place for a transition, and no room for a remark")
    return text


def _with_remark(text: str, parts: list[str], request: Request) -> str:
    """The longest remark behind the text that there is room for."""
    length = len(words(request.response))
    allowed = GROWTH_WORDS + int(GROWTH_SHARE * length)
    for remark in phrases("remarks"):
        if "{named}" in remark and not parts:
            continue
        told = remark.format(named=_listed(parts))
        attacked = f"{text}\n\n{told}"
        if len(words(attacked)) - length <= request.strength * allowed:
            return attacked
    return text


def _with_transitions(text: str, used: list[str], count: int, request: Request) -> str:
    """The text with a transition before so many of its statements, each another one.

    No statement is the first of its paragraph or stands beside another one that is changed:
    together they would be one larger modification. Those of a conclusion stand before the last.
    """
    known = frozenset(names(request.item.query))
    free = [
        each
        for each in statements(text)
        if not each.first and can_follow(text[each.start :], known)
    ]
    chosen: dict[int, str] = {}
    for phrase in used[:count]:
        final = phrase in phrases("final")
        places = [each for each in free if not text[each.end :].strip()] if final else free
        if places:
            place = request.rng.choice(places)
            chosen[place.start] = phrase
            free = [each for each in free if not _beside(each.start, place.start, text)]
    return with_phrases(text, chosen, known) if chosen else text


def _beside(one: int, other: int, text: str) -> bool:
    """Whether no sentence lies between two places."""
    between = text[min(one, other) : max(one, other)]
    return between.count(". ") + between.count("\n") <= 1


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def _last_first(found: tuple[re.Match[str], str]) -> int:
    return -found[0].start()
