"""A respondent that adds, and compares sums: to see that self-preference is found where it is.

It answers the made-up prompts of judges in a voice of its own, and knows that voice again in a
pair of answers that it is asked to compare.
"""

from __future__ import annotations

import dataclasses
import re

from bias_tasks.judging.prompts.ask import read_blocks
from bias_tasks.respondents.draws import Calls, draw
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.traits import check_trait

_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_VOICES = ("I make it {total}.", "It comes to {total}.", "{total}, all told.")
_OFF_BY = 7


@dataclasses.dataclass(frozen=True, slots=True)
class Author:
    """Answers with a sum and prefers the right one of two, but for the chances given.

    All but `voice` and `seed` lie between 0 and 1.

    Raises:
        ValueError: a chance is out of its range, or there is no such voice.
    """

    voice: int = 0
    """Which of three ways it has of saying a sum."""
    accuracy: float = 0.7
    """Chance that its sum is right."""
    discernment: float = 0.8
    """Chance to see which of two sums is right."""
    ties: float = 0.5
    """Chance of a tie between two sums that are both right, or both wrong."""
    self_preference: float = 0.0
    """Chance to prefer, in either order, an answer in its own voice to one that is not."""
    position: float = 0.0
    """Chance of the answer that stands first."""
    noise: float = 0.0
    """Chance, at each call, of either answer."""
    seed: int = 0
    calls: Calls = dataclasses.field(default_factory=Calls, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.voice not in range(len(_VOICES)):
            raise ValueError(f"voice must be 0 to {len(_VOICES) - 1}, not {self.voice!r}")
        for name in (
            "accuracy",
            "discernment",
            "ties",
            "self_preference",
            "position",
            "noise",
            "seed",
        ):
            check_trait(name, getattr(self, name))

    def respond(self, prompt: str, known: KnownItems) -> str:
        """A sum, or which of two answers is better."""
        blocks = read_blocks(prompt)
        if {"response_a", "response_b"} <= blocks.keys():
            shown = {"A": blocks["response_a"], "B": blocks["response_b"]}
            return f"Verdict: {self._better(blocks['prompt'], shown, prompt)}"
        total = _total(prompt)
        if total is None:
            return "I can only add."
        if draw(self.seed, "sum", prompt) >= self.accuracy:
            total += _OFF_BY
        return _VOICES[self.voice].format(total=total)

    def _better(self, asked: str, shown: dict[str, str], prompt: str) -> str:
        # Of the pair whichever way round, so that only `position` and `noise` depend on the order.
        pair = (asked, *sorted(shown.values()))
        if draw(self.seed, "noise", prompt, str(self.calls.next((prompt,)))) < self.noise:
            return "A" if draw(self.seed, "any", prompt, str(self.calls.next(pair))) < 0.5 else "B"
        mine = [label for label, text in shown.items() if self._is_mine(text)]
        if len(mine) == 1 and draw(self.seed, "self", *pair) < self.self_preference:
            return mine[0]
        if draw(self.seed, "first", *pair) < self.position:
            return "A"
        right = [label for label, text in shown.items() if _total(asked) == _last(text)]
        if len(right) == 1 and draw(self.seed, "see", *pair) < self.discernment:
            return right[0]
        if len(right) != 1 and draw(self.seed, "tie", *pair) < self.ties:
            return "tie"
        return min(shown, key=lambda label: draw(self.seed, "taste", *pair, shown[label]))

    def _is_mine(self, text: str) -> bool:
        total = _last(text)
        return text == _VOICES[self.voice].format(total=total)


def _total(prompt: str) -> int | None:
    """The sum of the first two numbers; None where there are no two."""
    numbers = _NUMBER.findall(prompt)
    return sum(map(int, numbers[:2])) if len(numbers) >= 2 else None


def _last(text: str) -> int | None:
    numbers = _NUMBER.findall(text)
    return int(numbers[-1]) if numbers else None
