"""What sways a judge beside quality: the wording of what is shown, length, and learned phrases.

Each measure is a share, 0 to 1, that a pull is multiplied by. The *wording* of a text is its 12
most frequent key terms that the request doesn't hold, and the stock phrases that it uses; overlap
with it is the share of these that the response holds. That is little for what says the same in
other words, and much after keywords or phrases were put in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from bias_tasks.complex_eval.attacks.phrases import phrases
from bias_tasks.complex_eval.attacks.wording import key_terms, words
from bias_tasks.complex_eval.items import Criterion
from bias_tasks.respondents.known_judged import JudgePrompt
from bias_tasks.respondents.traits import Traits

TERMS = 12
"""Most key terms that make up the wording of a text."""
ENOUGH_WORDS = 400
"""A response of so many words is as long as a judge could wish."""
ENOUGH_PHRASES = 4
"""So many learned phrases are as many as a judge could wish."""

_EMPTY = ("hedges", "filler", "depth", "asides", "pauses")


def pulls(traits: Traits, asked: JudgePrompt, criteria: Sequence[Criterion]) -> list[float]:
    """What is added to the quality by each criterion, as shares of the scale.

    Args:
        traits: the judge's parameters.
        asked: what the judge is shown.
        criteria: those that it judges by; without them there is one pull, by the whole rubric.
    """
    common = _common(traits, asked)
    if not traits.rubric_pull or "rubric" not in asked.blocks:
        return [common] * max(1, len(criteria))
    texts = [f"{part.name} {part.description}" for part in criteria] or [asked.blocks["rubric"]]
    return [common + traits.rubric_pull * overlap(asked, text) for text in texts]


def overlap(asked: JudgePrompt, text: str) -> float:
    """The share of a text's wording that the response holds; 0 where it has none of its own."""
    terms, phrases = _wording(text, asked.request)
    held = len(terms.intersection(words(asked.response))) + len(_held(phrases, asked.response))
    return held / (len(terms) + len(phrases)) if terms or phrases else 0.0


def length(response: str) -> float:
    """How near the response comes to `ENOUGH_WORDS`."""
    return min(1.0, len(words(response)) / ENOUGH_WORDS)


def confidence(response: str) -> float:
    """How near the response comes to `ENOUGH_PHRASES` that sound learned."""
    return min(1.0, len(_held(_learned(), response)) / ENOUGH_PHRASES)


def _common(traits: Traits, asked: JudgePrompt) -> float:
    """What is added by every criterion alike."""
    pull = 0.0
    if traits.reference_pull and "reference" in asked.blocks:
        pull += traits.reference_pull * overlap(asked, asked.blocks["reference"])
    if traits.length_pull:
        pull += traits.length_pull * length(asked.response)
    if traits.confidence_pull:
        pull += traits.confidence_pull * confidence(asked.response)
    return pull


@lru_cache(maxsize=64)  # the questions about one item stand side by side
def _wording(text: str, request: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The key terms of a text and the stock phrases in it."""
    return frozenset(key_terms(text, words(request), TERMS)), tuple(_held(_stock(), text))


@cache
def _stock() -> tuple[str, ...]:
    named = (*phrases("transitions"), *phrases("formulaic"))
    return tuple(phrase.casefold().rstrip(",") for phrase in named)


@cache
def _learned() -> tuple[str, ...]:
    """Phrases that sound learned."""
    return (*_stock(), *(phrase.casefold() for kind in _EMPTY for phrase in phrases(kind)))


def _held(phrases: Iterable[str], text: str) -> list[str]:
    folded = text.casefold()
    return [phrase for phrase in dict.fromkeys(phrases) if phrase in folded]
