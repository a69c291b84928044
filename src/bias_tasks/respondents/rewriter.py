"""A simulated model for the role `rewriter`, with planted failures."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping

from bias_tasks.probing.rewording_parts import LITERAL, small_words
from bias_tasks.prompts.templates import template
from bias_tasks.respondents.draws import draw
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.traits import check_trait

FRAME = "Let me ask this:"
"""What it puts in front of a text in its own language."""
_LETTERS = re.compile(r"[A-Za-z]+")
_FIGURES = re.compile(r"\d+")
_TRANSLATE = re.compile(r"Translate the text below from [^\n]{1,200} into [^\n]{1,200}\.\n")
_TEXT = "\n\nText: "
_REWORD = template("probing/paraphrase.txt").partition("\n")[0]
_SAME = template("probing/same.txt").partition("\n")[0]
_NO_REQUEST = "I see no text to reword."
_HUGE = 2_000_000


@dataclasses.dataclass(frozen=True, slots=True)
class Rewriter:
    """Rewords any text by a frame, and translates it by writing each word backwards.

    That is dull, but exact: translated twice, a text is what it was. Each field is the chance that
    a text is spoilt so, at every attempt alike.

    Raises:
        ValueError: a chance is not between 0 and 1.
    """

    drop_number: float = 0.0
    negate: float = 0.0
    answer: float = 0.0
    preamble: float = 0.0
    repeat: float = 0.0
    huge: float = 0.0
    empty: float = 0.0
    disagree: float = 0.0
    """Chance that it says that two texts do not ask the same."""
    seed: int = 0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            check_trait(field.name, getattr(self, field.name))

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The text that is asked for, or the judgement; a remark where neither is."""
        if _SAME in prompt:
            return "No" if draw(self.seed, "disagree", prompt) < self.disagree else "Yes"
        text = prompt.rpartition(_TEXT)[2]
        if _TRANSLATE.search(prompt):
            made = backwards(text)
        elif _REWORD in prompt:
            made = _framed(text)
        else:
            return _NO_REQUEST
        for name, spoil in _SPOILT.items():
            if draw(self.seed, name, text) < getattr(self, name):
                return spoil(text, made)
        return made


_SPOILT: Mapping[str, Callable[[str, str], str]] = {
    "drop_number": lambda text, made: _FIGURES.sub("some", made, count=1),
    "negate": lambda text, made: f"Is this not so: {made}",
    "answer": lambda text, made: "The answer is the second one.",
    "preamble": lambda text, made: f"Sure, here is the text: {made}",
    "repeat": lambda text, made: text,
    "huge": lambda text, made: made * (_HUGE // len(made) + 1),
    "empty": lambda text, made: "",
}


def backwards(text: str) -> str:
    """A text in a language that nobody speaks: its words backwards, but for code and formulas."""
    parts, end = [], 0
    for match in LITERAL.finditer(text):
        parts += [_LETTERS.sub(_turned, text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, _LETTERS.sub(_turned, text[end:])])


def _turned(match: re.Match[str]) -> str:
    word = match[0]
    if word[:1].isupper() and word[1:].islower():
        return word[::-1].capitalize()
    return word[::-1]


def _framed(text: str) -> str:
    word = _LETTERS.match(text)
    if word is not None and word[0].casefold() in small_words() and word[0] != "I":
        text = text[0].lower() + text[1:]
    return f"{FRAME} {text}"
