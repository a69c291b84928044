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
_DOES = re.compile(r"(?:[a-z]{2,20}ly |still |slowly )?[a-z]{2,20}s\b|with a |in a ")
"""How a stage direction begins: with what somebody does, or how."""
_ASIDE = re.compile(r"\([^()\n]{0,300}\)|\[[^\[\]\n]{0,300}\]|[\"“”]")
_STATEMENT = re.compile(r"(?<![^.!?\s])[A-Z][^.!?\n]{12,110}[.!](?=\s|$)")
_TRAIT = re.compile(
    r"\b(?:is|was|being|remains|an?|and|but|yet|as|deeply|fiercely|both|very|highly),? "
    r"([a-z]{3,20}(?:-[a-z]{3,20})?)(?=,|\.|;| and\b| but\b| yet\b| (?:person|man|woman|figure|king"
    r"|queen|character|leader|individual|girl|boy|young|old)\b)"
)
_LISTED = re.compile(r", ([a-z]{3,20}(?:-[a-z]{3,20})?)(?=,| and\b)")
_ENVIRONMENT = "environment"
_EVENTS = 3

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
            placed[place] += _as_said(text, placed[place])
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
        if _DOES.match(gesture)
    ]
    if not told:
        raise AttackError("the reference has no stage direction")
    return _sorted_new(told, request)


def _events(request: Request) -> _Pairs:
    """Solution fixation: what a character says in the reference, said here too."""
    told: _Pairs = [
        (turn.role, sentence)
        for turn in _reference_turns(request)
        for sentence in _STATEMENT.findall(_ASIDE.sub(" ", turn.content))
    ]
    if not told:
        raise AttackError("nobody states anything in the reference")
    return _sorted_new(told, request)[:_EVENTS]


def _traits(request: Request) -> _Pairs:
    """Stereotype amplification: adjectives of a character's profile, in that character's lines."""
    if not request.item.background:
        raise AttackError("the item has no background with the characters' profiles")
    told: _Pairs = [
        (role, f"({trait} as ever)")
        for role, profile in read_profiles(request.item.background).items()
        for trait in dict.fromkeys([*_TRAIT.findall(profile), *_LISTED.findall(profile)])
        if trait in words_of("traits")
    ]
    if not told:
        raise AttackError("no profile in the background names a trait")
    return _sorted_new(told, request)


def _pauses(request: Request) -> _Pairs:
    """Criteria loophole: what anybody may do while speaking, which shows nothing of anybody."""
    told: _Pairs = [(role, pause) for role in _speakers(request) for pause in phrases("pauses")]
    return _once(_sorted_new(told, request))


def _looks_back(request: Request) -> _Pairs:
    """Criteria entanglement: as if the storyline's turns followed from each other."""
    speakers = _speakers(request)
    told: _Pairs = [
        (role, phrase.format(before=other))
        for role in speakers
        for other in speakers
        if other != role
        for phrase in phrases("looks_back")
    ]
    if not told:
        raise AttackError("nobody speaks to anybody")
    return _once(_sorted_new(told, request))


def _speakers(request: Request) -> list[str]:
    """The characters of the response; the environment does not speak."""
    roles = dict.fromkeys(turn.role for turn in read_dialogue(request.response))
    return [role for role in roles if role.casefold() != _ENVIRONMENT]


def _once(told: _Pairs) -> _Pairs:
    """The additions, each of them said of one character alone."""
    return list({text: (role, text) for role, text in told}.values())


_ADDITIONS: Mapping[str, Callable[[Request], _Pairs]] = {
    "format": _gestures,
    "solution_fixation": _events,
    "stereotype_amplification": _traits,
    "criteria_loophole": _pauses,
    "criteria_entanglement": _looks_back,
}


def _as_said(text: str, content: str) -> str:
    """The addition as the line has it: what is said stands in quotation marks where it does."""
    return f' "{text.strip()}"' if '"' in content and not text.startswith(" (") else text


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
