"""A statement beside the question that has nothing to do with it.

Redundant instructions of Instruction Boundary (section 2.1, table 2: "extra unrelated distracting
information"). The paper adds options, which only a task whose reader knows of them could ask; here
a sentence stands where a problem's own facts do. The sentences are ours.
"""

from __future__ import annotations

import random
import re

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe, need_text

STATEMENTS = (
    "The museum beside the old harbour stays closed on Mondays during the winter.",
    "A neighbour's kitten has taken to sleeping on the roof of the garden shed.",
    "The baker around the corner has painted his shop door green.",
    "My cousin plays the cello in an amateur orchestra.",
    "Yesterday evening the ferry to the island was late again.",
    "Somebody left an umbrella under a bench in the reading room.",
)
"""None has a number, and none tells anything that a question could build on."""
_WORD = re.compile(r"[a-z]{5,}")
_BEGINS = 5
"""Letters by which words are compared."""
_OWN_TEXT = re.compile(
    r"\b(?:translat(?:e|ion)|summar(?:y|i[sz]e)|rewrite|rephrase|paraphrase|repeat|proofread"
    r"|how many (?:words|letters|characters|sentences|lines)"
    r"|(?:first|last|following|longest|shortest) (?:word|letter|sentence|line|text))",
    re.IGNORECASE,
)
_LOOKED_AT = 200_000
"""Characters of an item's text in which words are looked for."""


class Distract(Probe):
    """A sentence about something else right before the question."""

    name = "distract"
    meaning = "a sentence before the question that has nothing to do with it"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """One of those that share no longer word with the item."""
        need_text(item)
        told = item.text[:_LOOKED_AT]
        if _OWN_TEXT.search(told):
            raise DoesNotApplyError("it asks about its own text")
        words = _words(" ".join([told, *item.choices]))
        others = [each for each in STATEMENTS if words.isdisjoint(_words(each))]
        if not others:
            raise DoesNotApplyError("every statement shares a word with it")
        return Asked(text=f"{rng.choice(others)} {item.text}")


def _words(text: str) -> set[str]:
    """How the longer words of a text begin, so that `sleeps` and `sleeping` are one."""
    return {word[:_BEGINS] for word in _WORD.findall(text.casefold())}
