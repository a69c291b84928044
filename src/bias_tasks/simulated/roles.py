"""Simulated models for roles: a judge, a polisher, a rewriter, and authors who are compared."""

import re

from pydantic import Field

from bias_tasks.contract.family import Question
from bias_tasks.instruction_boundary.family import NO_ANSWER
from bias_tasks.judging.prompts.ask import read_blocks
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.prompts.templates import template
from bias_tasks.simulated.draws import Chance, Simulated, draw, from_signs

POLISHED = "Please read the following carefully."
"""How a polished prompt begins."""
FRAME = "Let me ask this:"
"""What the rewriter puts in front of a text in its own language."""
_CATEGORIES = ("__PROVED__", "__DISPROVED__", "__UNKNOWN__")
_LETTERS = re.compile(r"[A-Za-z]+")
_TRANSLATE = re.compile(r"Translate the text below from [^\n]{1,200} into [^\n]{1,200}\.\n")


class Judge(Simulated):
    """Grades an answer that the persona `oblique` put in signs, and no other: by the categories of
    appendix K, else by what the answer says."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """What the quoted response says, in the words asked for."""
        said = from_signs(prompt) or "I see no verdict in this response."
        if _CATEGORIES[0] in prompt and said in ("1", "2", "3"):
            return _CATEGORIES[int(said) - 1]
        return NO_ANSWER if said == NO_CORRECT_ANSWER else said


class Polisher(Simulated):
    """Answers a request to rewrite a prompt: the prompt itself under a new first line."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """The text below the request's first blank line, with a friendly line above it."""
        return f"{POLISHED}\n{prompt.partition(chr(10) * 2)[2] or prompt}"


class Rewriter(Simulated):
    """Rewords any text by a frame, and translates it by writing each word backwards.

    That is dull, but exact: translated twice, a text is what it was.
    """

    def respond(self, prompt: str, question: Question | None) -> str:
        """The text that is asked for; Yes where it is asked whether two ask the same."""
        if template("probing/same.txt").partition("\n")[0] in prompt:
            return "Yes"
        text = prompt.rpartition("\n\nText: ")[2]
        if _TRANSLATE.search(prompt):
            return backwards(text)
        if template("probing/paraphrase.txt").partition("\n")[0] not in prompt:
            return "I see no text to reword."
        return f"{FRAME} {text}"


def backwards(text: str) -> str:
    """A text in a language that nobody speaks: each of its words backwards."""
    return _LETTERS.sub(lambda word: word[0][::-1], text)


_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_VOICES = ("I make it {total}.", "It comes to {total}.", "{total}, all told.")
_OFF_BY = 7
_SEES, _TIES = 0.8, 0.5


class Author(Simulated):
    """Answers with a number in a voice of its own, and compares such answers: for self-preference.

    The right number is the sum of a prompt's first two, or one that is drawn from the prompt. Of
    two answers it sees in 0.8 of the cases which is right, and calls half of the others a tie.
    """

    voice: int = Field(0, ge=0, lt=len(_VOICES))  # which of three ways it has of saying a sum
    accuracy: Chance = 0.7  # that its number is right
    self_preference: Chance = 0.0  # to prefer an answer in its own voice, in either order
    position: Chance = 0.0  # to prefer the answer that stands first

    def respond(self, prompt: str, question: Question | None) -> str:
        """A number, or which of two answers is better."""
        blocks = read_blocks(prompt)
        if {"response_a", "response_b"} <= blocks.keys():
            shown = {"A": blocks["response_a"], "B": blocks["response_b"]}
            return f"Verdict: {self._better(blocks['prompt'], shown)}"
        total = _right(prompt)
        if self.draw("sum", prompt) >= self.accuracy:
            total += _OFF_BY
        return _VOICES[self.voice].format(total=total)

    def _better(self, asked: str, shown: dict[str, str]) -> str:
        pair = (asked, *sorted(shown.values()))  # whichever way round
        voice = _VOICES[self.voice]
        mine = [name for name, text in shown.items() if text == voice.format(total=_last(text))]
        if len(mine) == 1 and self.draw("self", *pair) < self.self_preference:
            return mine[0]
        if self.draw("first", *pair) < self.position:
            return "A"
        right = [name for name, text in shown.items() if _right(asked) == _last(text)]
        if len(right) == 1 and self.draw("see", *pair) < _SEES:
            return right[0]
        if len(right) != 1 and self.draw("tie", *pair) < _TIES:
            return "tie"
        return min(shown, key=lambda name: self.draw("taste", *pair, shown[name]))


def _right(prompt: str) -> int:
    """The sum of the first two numbers; one drawn from the prompt where there are no two."""
    numbers = _NUMBER.findall(prompt)
    return sum(map(int, numbers[:2])) if numbers[1:] else int(draw(0, "right", prompt) * 1000)


def _last(text: str) -> int | None:
    numbers = _NUMBER.findall(text)
    return int(numbers[-1]) if numbers else None
