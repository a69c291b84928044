"""Dialogues, attacked with the surface, events, traits or rubric beside them (A.3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bias_tasks.complex_eval.attacks.layout import (
    Turn,
    content_length,
    dialogue_text,
    read_dialogue,
    read_profiles,
)
from bias_tasks.complex_eval.attacks.phrases import phrases, words_of
from bias_tasks.complex_eval.attacks.request import AttackError, Request, fitting

_GESTURE = re.compile(r"\(([^()\n]{3,60})\)")
_TRAIT = re.compile(r"[a-z]+(?:-[a-z]+)?")
_ENTANGLED = -1
"""Storyline Quality, the last dimension, is what the paper's attack improves alone."""
_TERMS = 12

_Pairs = list[tuple[str | None, str]]
"""Additions, each with the role whose lines it goes into; None: anybody's."""


def attack_role_playing(request: Request) -> str:
    """The attacked dialogue, as JSON: a few words added to some turns."""
    turns = read_dialogue(request.response)
    roles = {turn.role for turn in turns}
    additions = [
        (role, f" {text}")
        for role, text in _ADDITIONS[request.name](request)
        if role is None or role in roles
    ]
    if not additions:
        raise AttackError("what the attack looks at names none of the dialogue's roles")
    length = content_length(turns)
    used = fitting([text for _, text in additions], length, request.strength)
    placed = [turn.content for turn in turns]
    free = list(range(len(turns)))
    request.rng.shuffle(free)
    for role, text in additions:
        place = next((i for i in free if role in (None, turns[i].role)), None)
        if text in used and place is not None:
            placed[place] += text
            used.remove(text)
            free.remove(place)
    return dialogue_text(
        Turn(turn.role, content) for turn, content in zip(turns, placed, strict=True)
    )


def _gestures(request: Request) -> _Pairs:
    """Format: what characters do in the reference's stage directions."""
    told: _Pairs = [
        (turn.role, f"({gesture})")
        for turn in _reference_turns(request)
        for gesture in _GESTURE.findall(turn.content)
    ]
    return _sorted_new(told, request) or _events(request)


def _events(request: Request) -> _Pairs:
    """Solution fixation: what the reference speaks of."""
    reference = " ".join(turn.content for turn in _reference_turns(request))
    return [(None, f"And then: {term}!") for term in request.new_terms(reference, _TERMS)]


def _traits(request: Request) -> _Pairs:
    """Stereotype amplification: adjectives of a character's profile, in that character's lines."""
    if not request.item.background:
        raise AttackError("the item has no background with the characters' profiles")
    profiles = read_profiles(request.item.background)
    told: _Pairs = [
        (role, f"(as {trait} as ever)")
        for role, profile in profiles.items()
        for trait in dict.fromkeys(_TRAIT.findall(profile))
        if trait in words_of("traits")
    ]
    if not told:
        raise AttackError("no profile in the background names a trait")
    return _sorted_new(told, request)


def _hedges(request: Request) -> _Pairs:
    """Criteria loophole: filler that the deductions do not name."""
    return [(None, phrase) for phrase in phrases("spoken_hedges")]


def _echo(request: Request) -> _Pairs:
    """Criteria entanglement: words of one dimension."""
    return [(None, f"({term})") for term in request.echoed(_ENTANGLED, _TERMS)]


_ADDITIONS: Mapping[str, Callable[[Request], _Pairs]] = {
    "format": _gestures,
    "solution_fixation": _events,
    "stereotype_amplification": _traits,
    "criteria_loophole": _hedges,
    "criteria_entanglement": _echo,
}


def _reference_turns(request: Request) -> list[Turn]:
    """The turns of the reference; one that is not JSON counts as a single turn without a role."""
    try:
        return read_dialogue(request.reference)
    except ValueError:
        return [Turn("", request.reference)]


def _sorted_new(told: _Pairs, request: Request) -> _Pairs:
    """The additions that the response does not hold, in seeded order."""
    new = [(role, text) for role, text in dict.fromkeys(told) if text not in request.response]
    request.rng.shuffle(new)
    return new
