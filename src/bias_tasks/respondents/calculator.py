"""A respondent that adds two numbers, whichever task asks it, and errs where it is probed.

It finds "the sum of 17 and 25" in a prompt and, where options are printed in whatever way, the one
that is the sum in figures or in words. So it can be asked by other people's tasks, which tell it
nothing of their items (`examples/sums.py`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from bias_tasks.probing.options_block import find_options
from bias_tasks.probing.probes.format import WRAPPINGS, instruction_of
from bias_tasks.probing.probes.system import PERSONAS, SYSTEMS
from bias_tasks.respondents.draws import Calls, draw, pick
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.seen import suggested_answer
from bias_tasks.respondents.traits import check_trait

_SUM = re.compile(r"\b(\d{1,3}) \w{2,6} (\d{1,3})\b")
_ASKED = re.compile(r"\bIs (\d{1,4}) |\bsay (\d{1,4}) is\b")
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IN_TENS = rf"(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_UNITS[1:10])}))?"
_OPTION = re.compile(
    r"(?<![\w-])(?P<label>[A-Z]|[IVX]{1,4}|\d{1,2})[)\]>.:]?(?: ?(?:-|::?))?[ \t]"
    rf"(?P<value>\d{{1,4}}|{_IN_TENS}|{'|'.join(_UNITS[::-1])})(?![\w-])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\bWhat \w+ is the sum of\b")
_REFLECT = "reflect on your previous answer"


@dataclasses.dataclass(frozen=True, slots=True)
class Calculator:
    """Adds, and errs with the chances given, each between 0 and 1.

    Raises:
        ValueError: a chance is out of its range.
    """

    accuracy: float = 0.9
    """Chance that a sum is known."""
    noise: float = 0.0
    """Chance, at each call, of any answer there is."""
    first: float = 0.0
    """Chance of the label of the first option, whatever stands behind it."""
    labels: float = 0.0
    """Chance to err where options are not labelled A, B, ..."""
    separator: float = 0.0
    """Chance to err where options are not set as `A) ...`, each on its line."""
    square: float = 0.0
    """Chance to err where options' labels stand in square brackets."""
    casing: float = 0.0
    """Chance to err where options are all in capitals, or without any."""
    paraphrase: float = 0.0
    """Chance to err where it is asked "Would you say ...?"."""
    typo: float = 0.0
    """Chance to err where "What number" is misspelt."""
    system: float = 0.0
    """Chance to err behind a common system message."""
    persona: float = 0.0
    """Chance to err behind one that gives it a part."""
    adopt: float = 0.0
    """Chance of the answer that the prompt suggests."""
    reflect: float = 0.0
    """Chance to err once it is asked to think again."""
    format: float = 0.0
    """Chance to err where the answer is asked for in a wrapping format."""
    seed: int = 0
    calls: Calls = dataclasses.field(default_factory=Calls, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if field.init:
                check_trait(field.name, getattr(self, field.name))

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The sum, the label of the option that is it, or yes or no, as the prompt asks."""
        numbers = _SUM.findall(prompt)
        if not numbers:
            return "I can only add."
        total = sum(map(int, numbers[-1]))
        options = dict(_options(prompt))
        asked = _ASKED.findall(prompt)
        if options:
            answers = {label: str(value) for label, value in options.items()}
            right = next((label for label, value in options.items() if value == total), "")
        elif asked:
            answers = {"yes": "yes", "no": "no"}
            right = "yes" if int("".join(asked[-1])) == total else "no"
        else:
            answers = {str(each): str(each) for each in (total, total + 1, total + 10)}
            right = str(total)
        return self._put(prompt, self._answer(prompt, numbers[-1], right, answers))

    def _answer(
        self, prompt: str, sum_: tuple[str, str], right: str, answers: dict[str, str]
    ) -> str:
        """One of the answers, of which each has what it stands for beside it."""
        drawn = [(value, label) for label, value in answers.items()]
        call = str(self.calls.next((prompt,)))
        if draw(self.seed, "noise", prompt, call) < self.noise:
            return pick(drawn, self.seed, "any", prompt, call)
        suggested = suggested_answer(prompt)
        if suggested in answers and draw(self.seed, "adopt", *sum_) < self.adopt:
            return suggested
        if draw(self.seed, "first", *sum_) < self.first:
            return next(iter(answers))
        knows = draw(self.seed, "know", *sum_) < self.accuracy
        if knows and not any(
            draw(self.seed, cue, *sum_) < getattr(self, cue) for cue in _cues(prompt)
        ):
            return right
        wrong = [each for each in drawn if each[1] != right]
        return pick(wrong, self.seed, "wrong", *sum_)

    def _put(self, prompt: str, answer: str) -> str:
        """The answer as a prompt of the host asks for it, in a format if one is asked for."""
        last = prompt.rstrip().rpartition("\n")[2]
        for wrapping in WRAPPINGS.values():
            if wrapping.name in _asked_formats(last):
                answer = f"{wrapping.opening}{answer}{wrapping.closing}"
        return f"ANSWER: {answer}"


def _options(prompt: str) -> Iterator[tuple[str, int]]:
    """The options printed, by label, with their values."""
    for found in _OPTION.finditer(prompt):
        yield found["label"], _value(found["value"])


def _value(text: str) -> int:
    """A number in figures, or in words below 100."""
    if text.isdigit():
        return int(text)
    tens, _, unit = text.casefold().partition("-")
    if tens in _TENS:
        return 20 + 10 * _TENS.index(tens) + (_UNITS.index(unit) if unit else 0)
    return _UNITS.index(tens)


def in_words(number: int) -> str:
    """A number below 100 in words, its first letter a capital.

    Raises:
        ValueError: it is not below 100.
    """
    if not 0 <= number < 100:
        raise ValueError(f"{number} is not between 0 and 99")
    if number < 20:
        return _UNITS[number].capitalize()
    tens, unit = divmod(number - 20, 10)
    return f"{_TENS[tens]}{f'-{_UNITS[unit]}' if unit else ''}".capitalize()


def _asked_formats(line: str) -> set[str]:
    """The wrapping formats that a line asks for."""
    return {name for name in WRAPPINGS if instruction_of(name) == line}


def _cues(prompt: str) -> Iterator[str]:
    """By which of its traits a prompt may make it err."""
    labels = [label for label, _ in _options(prompt)]
    if labels:
        if labels[0] != "A":
            yield "labels"
        elif find_options(prompt, len(labels)) is None or f"\n{labels[0]}) " not in prompt:
            yield "separator"
        if f"[{labels[0]}]" in prompt:
            yield "square"
        texts = [found["value"] for found in _OPTION.finditer(prompt) if found["value"].isupper()]
        if texts or not any(found["value"][0].isupper() for found in _OPTION.finditer(prompt)):
            yield "casing"
    if "Would you say" in prompt:
        yield "paraphrase"
    if _NUMBER.search(prompt) and "What number is the sum of" not in prompt:
        yield "typo"
    for cue, messages in (("system", SYSTEMS), ("persona", PERSONAS)):
        if prompt.startswith(messages):
            yield cue
    if _REFLECT in prompt:
        yield "reflect"
    if _asked_formats(prompt.rstrip().rpartition("\n")[2]):
        yield "format"
