"""Rejected responses of preference pairs, attacked toward a reference or a rubric (A.3.1)."""

from __future__ import annotations

from bias_tasks.complex_eval.attacks.check import COSMETIC_EDITS, MODIFICATIONS
from bias_tasks.complex_eval.attacks.phrases import phrases, used_in
from bias_tasks.complex_eval.attacks.request import Request
from bias_tasks.complex_eval.attacks.surface import (
    bullet,
    heading,
    sentence_starts,
    with_bullet,
    with_phrases,
)
from bias_tasks.complex_eval.attacks.wording import key_terms, words

_FRAMING = "There are several key points to consider"
_TERMS = 4


def attack_basic(request: Request) -> str:
    """The attacked response, within the modifications that its kind of attack allows."""
    return _toward_reference(request) if request.name == "reference" else _toward_rubric(request)


def _toward_reference(request: Request) -> str:
    """Keyword stuffing and style transplant: terms, framing, one transition, bullets."""
    reference, text = request.reference, request.response
    allowed = request.share(MODIFICATIONS)
    terms = key_terms(reference, words(text), _TERMS)
    framed = allowed > 2 or not terms
    if (mark := bullet(reference)) is not None:
        text = with_bullet(text, mark)
    if allowed > 1:
        text = _with_inserted(text, used_in(reference, "transitions"), 1, request)
    if terms:
        text = f"{text}\n\nThe key terms here: {', '.join(terms)}."
    return f"{heading(reference) or _FRAMING}:\n\n{text}" if framed else text


def _toward_rubric(request: Request) -> str:
    """Rubric echo, filler and fake depth (substantive); hedges and transitions (cosmetic)."""
    terms = request.new_terms(request.rubric, _TERMS)
    cosmetic = [*phrases("hedges"), *phrases("transitions")]
    text = _with_inserted(request.response, cosmetic, request.share(COSMETIC_EDITS), request)
    if request.share(MODIFICATIONS) > 1:
        text = f"{' '.join(phrases('filler'))}\n\n{text}"
    return f"{text}\n\n{' '.join(phrases('depth'))} This answer attends to {', '.join(terms)}."


def _with_inserted(text: str, inserted: list[str], count: int, request: Request) -> str:
    """The text with phrases before `count` of its sentences, or of as many as there are.

    The first sentence is left alone, as it may be the whole answer, and so are the neighbours of
    a sentence that was changed: together they would be one larger modification.
    """
    starts = sentence_starts(text)[1::2]
    chosen = request.rng.sample(starts, min(count, len(starts)))
    return with_phrases(text, {start: request.rng.choice(inserted) for start in chosen})
