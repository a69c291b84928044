"""Simulated models for model roles: a grader, a polisher, a rewriter, and compared authors."""

import re

from pydantic import Field

from bias_tasks.contract.questions import Question
from bias_tasks.instruction_boundary.family import NO_ANSWER
from bias_tasks.judge_bias.prompts.judge_prompt import parse_blocks
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.prompts.templates import template
from bias_tasks.simulated.draws import Chance, Simulated, decode_braille, draw

POLISHED = "Please read the following carefully."
"""First line of a polished prompt."""
FRAME = "Let me ask this:"
"""Words that the rewriter adds before a text in its own language."""
_CATEGORIES = ("__PROVED__", "__DISPROVED__", "__UNKNOWN__")
_LETTERS = re.compile(r"[A-Za-z]+")
_TRANSLATE = re.compile(r"Translate the text below from [^\n]{1,200} into [^\n]{1,200}\.\n")


class Grader(Simulated):
    """A grader of answers that the trait `oblique` encoded, and of no others.

    It reports the categories of appendix K (Instruction Boundary), or the answer itself.
    """

    def respond(self, prompt: str, question: Question | None) -> str:
        """Return what the quoted answer says, as the prompt requests it."""
        answer = decode_braille(prompt) or "I see no verdict in this response."
        if _CATEGORIES[0] in prompt and answer in ("1", "2", "3"):
            return _CATEGORIES[int(answer) - 1]
        return NO_ANSWER if answer == NO_CORRECT_ANSWER else answer


class Polisher(Simulated):
    """A model that polishes prompts: it adds a first line."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """Return the text after the request's first blank line, with a friendly line above it."""
        request, _, text = prompt.partition("\n\n")
        return f"{POLISHED}\n{text or request}"


class Rewriter(Simulated):
    """A model that rewords a text by a frame, and translates it by reversing each word.

    That is exact: the translation of a translation is the original text.
    """

    def respond(self, prompt: str, question: Question | None) -> str:
        """Return the requested text; Yes if the prompt asks whether two texts mean the same."""
        if template("probing/same.txt").partition("\n")[0] in prompt:
            return "Yes"
        text = prompt.rpartition("\n\nText: ")[2]
        if _TRANSLATE.search(prompt):
            return reverse_words(text)
        if template("probing/paraphrase.txt").partition("\n")[0] not in prompt:
            return "I see no text to reword."
        return f"{FRAME} {text}"


def reverse_words(text: str) -> str:
    """Return a text with each of its words reversed, which stands for another language."""
    return _LETTERS.sub(lambda word: word[0][::-1], text)


_PRINTED_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_VOICES = ("I make it {total}.", "It comes to {total}.", "{total}, all told.")
_ERROR = 7
"""What a wrong sum exceeds the right one by."""
_NOTICED, _TIED = 0.8, 0.5
"""Chance to notice which of two answers is right, and chance of a tie in the other cases."""


class Author(Simulated):
    """A model that answers with a number in its own voice, and compares such answers.

    The right number is the sum of a prompt's first two numbers, or a number that depends on the
    prompt. In 80 % of comparisons the model notices which answer is right; half of the others are
    ties.
    """

    voice: int = Field(0, ge=0, lt=len(_VOICES))
    """Which of three wordings its answers have."""
    accuracy: Chance = 0.7
    """Chance of a right number."""
    self_preference: Chance = 0.0
    """Chance to prefer an answer in its own voice, in either order."""
    position: Chance = 0.0
    """Chance to prefer the answer displayed first."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """Return a number, or which of two answers is better."""
        blocks = parse_blocks(prompt)
        if {"response_a", "response_b"} <= blocks.keys():
            answers = {"A": blocks["response_a"], "B": blocks["response_b"]}
            return f"Verdict: {self._prefer(blocks['prompt'], answers)}"
        total = _find_right_number(prompt)
        if self.draw("sum", prompt) >= self.accuracy:
            total += _ERROR
        return _VOICES[self.voice].format(total=total)

    def _prefer(self, prompt: str, answers: dict[str, str]) -> str:
        """Return the name of the better answer, or `tie`.

        The first rule that applies decides: the answer in the model's own voice, with the chance
        `self_preference`; the first one, with the chance `position`; the right one, if it is
        noticed; a tie; and else a fixed random preference for one of the texts.
        """
        key = (prompt, *sorted(answers.values()))  # The same in both orders.
        voice = _VOICES[self.voice]
        in_own_voice = [
            name
            for name, text in answers.items()
            if text == voice.format(total=_find_last_number(text))
        ]
        if len(in_own_voice) == 1 and self.draw("self", *key) < self.self_preference:
            return in_own_voice[0]
        if self.draw("first", *key) < self.position:
            return "A"
        total = _find_right_number(prompt)
        right = [name for name, text in answers.items() if _find_last_number(text) == total]
        if len(right) == 1 and self.draw("see", *key) < _NOTICED:
            return right[0]
        if len(right) != 1 and self.draw("tie", *key) < _TIED:
            return TIE
        return min(answers, key=lambda name: self.draw("taste", *key, answers[name]))


def _find_right_number(prompt: str) -> int:
    """Return the sum of the first two numbers, or without two numbers a draw from the prompt."""
    numbers = _PRINTED_NUMBER.findall(prompt)
    if len(numbers) > 1:
        return sum(map(int, numbers[:2]))
    return int(draw(0, "right", prompt) * 1000)


def _find_last_number(text: str) -> int | None:
    numbers = _PRINTED_NUMBER.findall(text)
    return int(numbers[-1]) if numbers else None
