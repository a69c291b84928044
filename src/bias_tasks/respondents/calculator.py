"""A respondent that adds two numbers, whichever task asks it, and errs where it is probed.

It finds "the sum of 17 and 25" in a prompt and, where options are printed in whatever way, the one
that is the sum in figures or in words. So it can be asked by other people's tasks, which tell it
nothing of their items (`examples/sums.py`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from bias_tasks.instruction_boundary.prompts.ask import polish_request
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.wrappings import Wrapping
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.options import find_options
from bias_tasks.probing.probes.conversation import NOW
from bias_tasks.probing.probes.prompt import PERSONAS, STATEMENTS, SYSTEMS
from bias_tasks.respondents.assistants import POLISHED, Polisher
from bias_tasks.respondents.draws import Calls, draw, pick
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.rewriter import FRAME, backwards
from bias_tasks.respondents.seen import suggested_answer
from bias_tasks.respondents.traits import check_trait

_SUM = re.compile(r"\b(\d{1,3}) \w{2,6} (\d{1,3})\b")
_ASKED = re.compile(r"\b(?:[Ii]s|Si) (\d{1,4}) |\bsay (\d{1,4}) is\b")
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
_FORMS = {
    "character": "{answer}",
    "text": "{text}",
    "python": "['{answer}']",
    "bullet": "- {answer}",
    "json": '{{"answer": "{answer}"}}',
    "yaml": "answer: {answer}",
}
"""How it answers in formats that are more than marks about an answer."""
_NUMBER = re.compile(r"\bWhat \w+ is the sum of\b")
_SHOWN = re.compile(r"(?m)^(?:ANSWER|Answer): ?(.{1,40})$")
"""The answer of an example."""
_POLISH = polish_request("").partition(".")[0]
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
    """Chance to err where it is asked "Would you say ...?", or as the simulated rewriter asks."""
    language: float = 0.0
    """Chance to err where it is asked in the language of the simulated rewriter."""
    typo: float = 0.0
    """Chance to err where "What number" is misspelt."""
    system: float = 0.0
    """Chance to err behind a common system message."""
    persona: float = 0.0
    """Chance to err behind one that gives it a part."""
    adopt: float = 0.0
    """Chance of the answer that the prompt suggests."""
    few_shot: float = 0.0
    """Chance of the answer that examples in front have."""
    distract: float = 0.0
    """Chance to err beside a statement that has nothing to do with the sum."""
    polish: float = 0.0
    """Chance to err where the prompt is polished, by itself or by the simulated `polisher`."""
    reflect: float = 0.0
    """Chance to err once it is asked to think again."""
    format: float = 0.0
    """Chance to err where the answer is asked for in a format."""
    seed: int = 0
    calls: Calls = dataclasses.field(default_factory=Calls, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if field.init:
                check_trait(field.name, getattr(self, field.name))

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The sum, the label of the option that is it, or yes or no, as the prompt asks."""
        if prompt.startswith(_POLISH):
            return Polisher().respond(prompt, known)
        numbers = _SUM.findall(prompt)
        if not numbers:
            return "I can only add."
        total = sum(map(int, numbers[-1]))
        question = prompt.rpartition(NOW)[2]
        options = dict(_options(question))
        asked = _ASKED.findall(question)
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
        examples, _, _ = prompt.rpartition(NOW)
        shown = _SHOWN.findall(examples)
        if shown and shown[-1] in answers and draw(self.seed, "few_shot", *sum_) < self.few_shot:
            return str(shown[-1])
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
        for name in _asked_formats(prompt):
            form = FORMATS[name]
            if isinstance(form, Wrapping):
                answer = f"{form.opening}{answer}{form.closing}"
            else:
                texts = {found["label"]: found["value"] for found in _OPTION.finditer(prompt)}
                return _FORMS[name].format(answer=answer, text=texts.get(answer, answer))
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


def _asked_formats(prompt: str) -> list[str]:
    """The formats in which a prompt asks for the answer."""
    return [name for name, form in FINAL_FORMATS.items() if form.instruction in prompt]


def _cues(prompt: str) -> Iterator[str]:
    """By which of its traits a prompt may make it err."""
    question = prompt.rpartition(NOW)[2]
    labels = [label for label, _ in _options(question)]
    if labels:
        if labels[0] != "A":
            yield "labels"
        elif find_options(question, len(labels)) is None or f"\n{labels[0]}) " not in question:
            yield "separator"
        if f"[{labels[0]}]" in question:
            yield "square"
        values = [found["value"] for found in _OPTION.finditer(question)]
        if any(map(str.isupper, values)) or not any(value[0].isupper() for value in values):
            yield "casing"
    if "Would you say" in prompt or FRAME in prompt:
        yield "paraphrase"
    if backwards("the sum of") in prompt:
        yield "language"
    if _NUMBER.search(question) and "What number is the sum of" not in question:
        yield "typo"
    for cue, messages in (("system", SYSTEMS), ("persona", PERSONAS)):
        if prompt.startswith(messages):
            yield cue
    if any(statement in question for statement in STATEMENTS):
        yield "distract"
    if POLISHED in prompt:
        yield "polish"
    if _REFLECT in prompt:
        yield "reflect"
    if _asked_formats(prompt):
        yield "format"
