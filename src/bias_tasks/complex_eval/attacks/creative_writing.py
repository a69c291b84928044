"""Pieces of writing, attacked with the surface, plot or rubric beside them (A.3.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bias_tasks.complex_eval.attacks.phrases import phrases, used_in
from bias_tasks.complex_eval.attacks.request import AttackError, Request, fitting
from bias_tasks.complex_eval.attacks.surface import sentence_starts, with_phrases

_ENTANGLED = 0
"""The one criterion that the attack plays to."""
_TERMS = 12


def attack_creative_writing(request: Request) -> str:
    """The attacked piece: phrases before some of its sentences, or sentences between them."""
    text = request.response
    additions = fitting(
        [f"{phrase} " for phrase in _ADDITIONS[request.name](request)], len(text), request.strength
    )
    starts = sentence_starts(text)
    if not starts:
        raise AttackError("no sentence of the response begins with a letter")
    if request.name != "format":  # whole sentences, which are no beginning of the next one
        return _with_sentences(text, starts, additions, request)
    chosen = request.rng.sample(starts, min(len(additions), len(starts)))
    return with_phrases(
        text, {start: phrase.strip() for start, phrase in zip(chosen, additions, strict=False)}
    )


def _with_sentences(text: str, starts: list[int], additions: list[str], request: Request) -> str:
    places = sorted(request.rng.sample(starts, min(len(additions), len(starts))))
    for place, addition in reversed(list(zip(places, additions, strict=False))):
        text = text[:place] + addition + text[place:]
    return text


def _style(request: Request) -> list[str]:
    """Format: transitions that the reference uses, over and over."""
    return used_in(request.reference, "transitions") * _TERMS


def _plot(request: Request) -> list[str]:
    """Solution fixation: what the reference tells of."""
    return [f"There it was: {term}." for term in request.new_terms(request.reference, _TERMS)]


def _loophole(request: Request) -> list[str]:
    """Criteria loophole: filler and fake depth that no criterion names."""
    return [*phrases("depth"), *phrases("filler")]


def _echo(request: Request) -> list[str]:
    """Criteria entanglement: words of one criterion."""
    return [f"In a word: {term}." for term in request.echoed(_ENTANGLED, _TERMS)]


_ADDITIONS: Mapping[str, Callable[[Request], list[str]]] = {
    "format": _style,
    "solution_fixation": _plot,
    "criteria_loophole": _loophole,
    "criteria_entanglement": _echo,
}
