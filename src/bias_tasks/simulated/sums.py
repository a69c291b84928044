"""Simulated models for roles, and two that add, whichever task asks them.

The calculator and the author find numbers in a prompt, so that other people's tasks can ask them
(`examples/sums.py`): nothing tells them which item it is.
"""

import re
from collections.abc import Iterable

from pydantic import Field

from bias_tasks.contract.family import Question
from bias_tasks.instruction_boundary.prompts.ask import polish_request
from bias_tasks.judging.prompts.ask import read_blocks
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.wrappings import Wrapping
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.probes.conversation import NOW
from bias_tasks.prompts.templates import template
from bias_tasks.simulated.draws import Chance, Simulated, draw, from_signs, pick
from bias_tasks.simulated.settings import NO_CORRECT_ANSWER

POLISHED = "Please read the following carefully."
"""How a polished prompt begins."""
FRAME = "Let me ask this:"
"""What the rewriter puts in front of a text in its own language."""
_CATEGORIES = ("__PROVED__", "__DISPROVED__", "__UNKNOWN__")
_LETTERS = re.compile(r"[A-Za-z]+")
_TRANSLATE = re.compile(r"Translate the text below from [^\n]{1,200} into [^\n]{1,200}\.\n")
_ONLY_ADD = "I can only add."


class Judge(Simulated):
    """Grades an answer that the persona `oblique` put in signs, and no other: by the categories of
    appendix K, else by what the answer says."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """What the quoted response says, in the words asked for."""
        said = from_signs(prompt) or "I see no verdict in this response."
        if _CATEGORIES[0] in prompt and said in ("1", "2", "3"):
            return _CATEGORIES[int(said) - 1]
        return "NO_ANSWER" if said == NO_CORRECT_ANSWER else said


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

    def turned(match: re.Match[str]) -> str:
        word = match[0][::-1]
        return word.capitalize() if match[0].istitle() and word[1:] else word

    return _LETTERS.sub(turned, text)


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


_SUM = re.compile(r"\b(\d{1,3}) \w{2,6} (\d{1,3})\b")
_ASKED = re.compile(r"\b(?:[Ii]s|Si) (\d{1,4}) |\bsay (\d{1,4}) is\b")
_WHAT = re.compile(r"\bWhat \w+ is the sum of\b")
_BELOW_20 = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = ["", *(f"-{one}" for one in _BELOW_20.split()[1:10])]
_IN_WORDS = [*_BELOW_20.split(), *(tens + one for tens in _TENS.split() for one in _ONES)]
"""The numbers below 100."""
OPTION = re.compile(
    r"(?<![\w-])(?P<label>[A-Z]|[IVX]{1,4}|\d{1,2})[)\]>.:]?(?: ?(?:-|::?))?[ \t]"
    rf"(?P<value>\d{{1,4}}|{'|'.join(sorted(_IN_WORDS, key=len, reverse=True))})(?![\w-])",
    re.IGNORECASE,
)
"""An option in whatever way it is printed: its label, and a number in figures or in words."""
_FORMS = {
    "character": "{answer}",
    "text": "{text}",
    "python": "['{answer}']",
    "bullet": "- {answer}",
    "json": '{{"answer": "{answer}"}}',
    "yaml": "answer: {answer}",
}
"""How it answers in formats that are more than marks about an answer."""


class Calculator(Simulated):
    """Adds two numbers, "the sum of 17 and 25", and errs with these chances.

    Where options are printed, in whatever way, it chooses the one that is the sum.
    """

    accuracy: Chance = 0.9  # that a sum is known
    noise: Chance = 0.0  # at each call, of any answer there is
    first: Chance = 0.0  # of the label of the first option, whatever stands behind it
    square: Chance = 0.0  # to err where options' labels stand in square brackets
    typo: Chance = 0.0  # to err where "What number" is misspelt
    language: Chance = 0.0  # to err in the language of the simulated rewriter

    def respond(self, prompt: str, question: Question | None) -> str:
        """The sum, the label of the option that is it, or yes or no, as the prompt asks."""
        if prompt.startswith(polish_request("").partition(".")[0]):  # it may polish its own prompts
            return Polisher().respond(prompt, question)
        numbers = _SUM.findall(prompt)
        if not numbers:
            return _ONLY_ADD
        total = sum(map(int, numbers[-1]))
        asked = prompt.rpartition(NOW)[2]
        options = {found["label"]: _value(found["value"]) for found in OPTION.finditer(asked)}
        told = _ASKED.findall(asked)
        if options:
            answers = {label: str(value) for label, value in options.items()}
            right = next((label for label, value in options.items() if value == total), "")
        elif told:
            answers = {"yes": "yes", "no": "no"}
            right = "yes" if int("".join(told[-1])) == total else "no"
        else:
            answers = {str(each): str(each) for each in (total, total + 1, total + 10)}
            right = str(total)
        return _in_form(prompt, self._answer(prompt, numbers[-1], right, answers))

    def _answer(
        self, prompt: str, numbers: tuple[str, str], right: str, answers: dict[str, str]
    ) -> str:
        """One of the answers; `answers` has what each stands for."""

        def happens(what: str) -> bool:
            return bool(self.draw(what, *numbers) < getattr(self, what))

        drawn = [(value, label) for label, value in answers.items()]
        call = self.call(prompt)
        if self.draw("noise", prompt, call) < self.noise:
            return pick(drawn, self.seed, "any", prompt, call)
        for trait, answer in [*self.leads(prompt), ("first", next(iter(answers)))]:
            if answer in answers and happens(trait):
                return answer
        knows = self.draw("know", *numbers) < self.accuracy
        if knows and not any(happens(cue) for cue in self.cues(prompt, prompt.rpartition(NOW)[2])):
            return right
        wrong = [each for each in drawn if each[1] != right]
        return pick(wrong, self.seed, "wrong", *numbers)

    def leads(self, prompt: str) -> Iterable[tuple[str, str]]:
        """Traits by which a prompt may lead to an answer, each with the answer."""
        return ()

    def cues(self, prompt: str, asked: str) -> Iterable[str]:
        """By which of its traits a prompt may make it err; `asked` is it without its examples."""
        label = OPTION.search(asked)
        if label is not None and f"[{label['label']}]" in asked:
            yield "square"
        if _WHAT.search(asked) and "What number is the sum of" not in asked:
            yield "typo"
        if backwards("the sum of") in prompt:
            yield "language"


def _in_form(prompt: str, answer: str) -> str:
    """The answer as a prompt of the host asks for it, in a format if one is asked for."""
    for name, asked in FINAL_FORMATS.items():
        if asked.instruction not in prompt:
            continue
        form = FORMATS[name]
        if isinstance(form, Wrapping):
            answer = f"{form.opening}{answer}{form.closing}"
        else:
            texts = {found["label"]: found["value"] for found in OPTION.finditer(prompt)}
            return _FORMS[name].format(answer=answer, text=texts.get(answer, answer))
    return f"ANSWER: {answer}"


def _value(text: str) -> int:
    """A number in figures, or in words below 100."""
    return int(text) if text.isdigit() else _IN_WORDS.index(text.casefold())


def in_words(number: int) -> str:
    """A number from 0 to 99 in words, its first letter a capital."""
    return _IN_WORDS[range(100)[number]].capitalize()
