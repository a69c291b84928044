"""Simulated models for the roles `attacker`, `reference_writer` and `rubric_writer`."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.layout import (
    dialogue_text,
    read_dialogue,
    read_steps,
    steps_text,
)
from bias_tasks.complex_eval.attacks.request import AttackError
from bias_tasks.complex_eval.attacks.wording import key_terms
from bias_tasks.complex_eval.items import BIASES, ORIGINAL, REJECTED, Criterion, JudgedItem
from bias_tasks.complex_eval.items import JudgedKind as Family
from bias_tasks.names import content_hash
from bias_tasks.respondents.draws import draw
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.known_requests import Request, read_request
from bias_tasks.respondents.sentences import sentences
from bias_tasks.respondents.traits import check_trait

NO_REQUEST = "I see no response to attack."
_TERMS = 6
_ALL_ALIKE: Family = "creative_writing"
"""The family whose attacks are all asked for in the same words: the features name the attack."""
_NAMED = "Features for the attack "
_OPEN_QA_RUBRIC = "factual accuracy, completeness, clarity, language, originality"
"""The criteria of the one request toward a rubric that shows none."""
_QUALITY = Criterion("Storyline Quality", "flow, progression, meaningful developments, consistency")
"""What role playing's request for entanglement says of the dimension to improve."""
_WRITTEN = sentences("written")


@dataclass(frozen=True, slots=True)
class Attacker:
    """Answers the requests for features and for attacked responses, by the rules of `attacks`.

    As features it gives back what they are to be taken from, which is dull but exact. Where the
    rules find no room it gives the response back, which is no valid attack either.

    Raises:
        ValueError: `invalid` is not between 0 and 1.
    """

    invalid: float = 0.0
    """Chance that a reply to a request for an attacked response is half of the response; a request
    that is made again is another one, so a share invalid^3 is given up after three replies."""
    seed: int = 0

    def __post_init__(self) -> None:
        check_trait("invalid", self.invalid)

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The features or the attacked response; a text that is neither for other prompts."""
        request = read_request(prompt)
        if request is None or request.kind not in ("extract", "attack"):
            return NO_REQUEST
        if request.kind == "extract":
            return _features(request)
        response = request.shown["response"]
        try:
            if draw(self.seed, "invalid", prompt) < self.invalid:
                return _written(request.family, _half(request.family, response))
            return _written(request.family, _attacked(request, self.seed))
        except ValueError:  # what is shown has no steps, or no turns
            return NO_REQUEST


@dataclass(frozen=True, slots=True)
class ReferenceWriter:
    """Writes a reference: terms of the request under a heading, which claims nothing."""

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The reference; a text that is none for other prompts."""
        request = read_request(prompt)
        if request is None or request.kind != "reference":
            return NO_REQUEST
        terms = key_terms(request.shown["query"], (), _TERMS) or ["subject"]
        points = "\n".join(_WRITTEN["point"].format(term=term) for term in terms)
        return _WRITTEN["reference"].format(points=points)


@dataclass(frozen=True, slots=True)
class RubricWriter:
    """Writes a rubric in the form of the examples, the same for every domain."""

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The rubric; a text that is none for other prompts."""
        request = read_request(prompt)
        if request is None or request.kind != "rubric":
            return NO_REQUEST
        return _WRITTEN["rubric"].format(domain=request.shown["domain"])


def _features(request: Request) -> str:
    shown = request.shown
    text = shown.get("reference") or shown.get("rubric") or shown["background"]
    return f"{_NAMED}{request.name}:\n{text}" if request.family == _ALL_ALIKE else text


def _attacked(request: Request, seed: int) -> str:
    """The attacked response, or the response where the rules find no room."""
    shown = request.shown
    name, features = request.name, shown.get("features")
    if request.family == _ALL_ALIKE:
        name, features = _named(request, features or "")
    try:
        return attack(_item(request, features), name, seed=seed)
    except AttackError:
        return shown["response"]


def _named(request: Request, features: str) -> tuple[str, str]:
    """The attack that features were taken for, and the features; else what the request says."""
    first, _, rest = features.partition(":\n")
    name = first.removeprefix(_NAMED)
    return (name, rest) if name in BIASES[_ALL_ALIKE] else (request.name, features)


def _item(request: Request, features: str | None) -> JudgedItem:
    """What the rules need to know, from what the request shows."""
    shown, family = request.shown, request.family
    criterion = _QUALITY if family == "role_playing" else Criterion("", features or "")
    return JudgedItem(
        id=content_hash(shown["response"]),
        family=family,
        domain="",
        source="",
        cluster="",
        query="",
        responses={REJECTED if family == "basic" else ORIGINAL: shown["response"]},
        reference=shown.get("reference", features),
        rubric=shown.get("rubric", _OPEN_QA_RUBRIC) if family == "basic" else None,
        criteria=(criterion,),
        background=features,
    )


def _half(family: Family, response: str) -> str:
    """The first half: too little of every family's responses to be a valid attack."""
    if family == "math":
        steps = read_steps(response)
        return steps_text(steps[: len(steps) // 2])
    if family == "role_playing":
        turns = read_dialogue(response)
        return dialogue_text(turns[: len(turns) // 2])
    return response[: len(response) // 2]


def _written(family: Family, response: str) -> str:
    """The response as the request asks for it."""
    if family == "math":
        return json.dumps({"steps": read_steps(response) if response else []}, ensure_ascii=False)
    return response
