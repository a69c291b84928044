"""The same question with slips of the keyboard in it."""

from __future__ import annotations

import random
import re

from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe

_WORD = re.compile(r"(?<![\w/\\.@$])[A-Za-z]{4,30}(?![\w/\\@$])")
_RATE = 0.1
_LONGEST = 200_000


class Typo(Probe):
    """Letters dropped, doubled or swapped inside one word of ten; numbers and names stay."""

    name = "typo"
    meaning = "a slip of the keyboard in one word of ten, at least one"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """The text with slips in some of its longer, lower-case words."""
        words = [match for match in _WORD.finditer(item.text[:_LONGEST]) if match[0].islower()]
        if not words:
            raise DoesNotApplyError("it has no word to slip in")
        slips = sorted(
            rng.sample(words, max(1, round(_RATE * len(words)))), key=lambda match: match.start()
        )
        parts, end = [], 0
        for match in slips:
            parts += [item.text[end : match.start()], _slipped(match[0], rng)]
            end = match.end()
        return Asked(text="".join([*parts, item.text[end:]]))


def _slipped(word: str, rng: random.Random) -> str:
    place = rng.randrange(1, len(word) - 2)
    kind = rng.choice(("drop", "double", "swap"))
    if kind == "drop":
        return word[:place] + word[place + 1 :]
    if kind == "double":
        return word[:place] + word[place] + word[place:]
    at = next((p for p in range(place, len(word) - 1) if word[p] != word[p + 1]), None)
    if at is None:
        return word[:place] + word[place + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
