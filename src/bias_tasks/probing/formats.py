"""The output formats in which any task's final answer can be asked for, and the way back from them.

Thirteen of FormatEval's fifteen (appendix E). `<SEP>` and one element a line part the elements of a
list from each other, and mean nothing where there is one answer. Wrapping formats are asked for in
the paper's words; the others in words that speak of one answer, where the paper's speak of lists
of entities or stand before the question.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bias_tasks.output_format.foreign import foreign_question
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.choices import folded
from bias_tasks.output_format.formats.marks import BULLET
from bias_tasks.output_format.formats.notation import literal_end, parse_literal, parse_yaml
from bias_tasks.output_format.formats.types import MAX_READ, NotFollowedError
from bias_tasks.output_format.formats.wrappings import Wrapping
from bias_tasks.output_format.questions import FormatParams
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.options import LETTERS

_READ = 100_000
"""Characters of an answer in which a list or mapping is looked for: the last ones."""
_TRIED = 5
"""Lists or mappings at most that are looked at, from the last one on."""
_KEY = "answer"
_AROUND = ".,;:!?()[]{}\"'*_`$ \n\t"
_FENCED = re.compile(r"```[\w+-]{0,20}[ \t]*\n\s{0,20}\Z")
_FENCE_ENDS = re.compile(r"\s{0,20}?\n?[ \t]{0,20}```[ \t]*(?=\n|\Z)")
_LEAD = re.compile(
    r"(?P<lead>\b(?:the (?:\w{1,12} )?answer is|(?:final )?answer ?:))[ \t]{0,3}"
    r"(?=\$[A-Z]|\\?\[|<|\(|X\b|_{2,})",
    re.IGNORECASE,
)
_LED = re.compile(r"answer(?: is| ?[:：=])[ \t*_`]{0,8}\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Said:
    """An answer with what is known of how it is read."""

    text: str
    lead: str = ""
    """What the task's prompt has an answer begin with, such as `ANSWER:`; empty where it says
    nothing of it."""
    answers: tuple[str, ...] = ()
    """What a task takes for each choice, in the order shown: its label, or its words."""
    choices: tuple[str, ...] = ()
    """The choices' words, in the order shown."""
    labels: tuple[str, ...] = ()

    def led(self, answer: str) -> str:
        """An answer that stands alone, as the task reads one."""
        return f"{self.lead} {answer}" if self.lead else answer


class AnswerFormat(ABC):
    """A format of a final answer."""

    def __init__(self, instruction: str, *, choices: bool = False) -> None:
        self.instruction = instruction
        self.choices = choices
        """Whether it is one of answers to choose from."""

    def holds(self, item: ProbedItem) -> bool:
        """Whether the item's answer can be given so."""
        return not self.choices or 1 < len(item.choices) <= len(LETTERS)

    @abstractmethod
    def taken_out(self, said: Said) -> str | None:
        """The answer as the task reads it; None where it does not follow the format."""


class _Wrapped(AnswerFormat):
    """Tokens about the answer, wherever it stands: they are left out."""

    def __init__(self, name: str) -> None:
        form = FORMATS[name]
        assert isinstance(form, Wrapping)
        self.wrapping = form
        super().__init__(form.instruction(foreign_question("", "", name, FormatParams()).item))

    def taken_out(self, said: Said) -> str | None:
        text = said.text
        if len(text) > MAX_READ:
            return None
        try:
            stretches = self.wrapping.enclosed(text)
        except NotFollowedError:
            return None
        for stretch in reversed(stretches):
            begin = stretch.start - len(self.wrapping.opening)
            end = stretch.end + len(self.wrapping.closing)
            text = f"{text[:begin]}{text[stretch.start : stretch.end]}{text[end:]}"
        return text


class _Structure(AnswerFormat):
    """A list or mapping that holds the answer: it is left where that stood, fence and all."""

    def __init__(
        self,
        instruction: str,
        begins: str,
        piece_at: Callable[[str, int], tuple[int, object]],
        value_in: Callable[[object], object],
    ) -> None:
        super().__init__(instruction)
        self._begins = re.compile(begins)
        self._piece_at = piece_at
        self._value_in = value_in

    def taken_out(self, said: Said) -> str | None:
        text = said.text
        start = max(len(text) - _READ, 0)
        places = [match.end() for match in self._begins.finditer(text, start)]
        for begin in reversed(places[-_TRIED:]):
            try:
                end, held = self._piece_at(text, begin)
                answer = _one(self._value_in(held))
            except NotFollowedError:
                continue
            return _put_back(said, begin, end, answer)
        return None


class _Bullet(AnswerFormat):
    """The last bullet point, where no other stands right before it."""

    def taken_out(self, said: Said) -> str | None:
        place = max(len(said.text) - _READ, 0)
        found: tuple[int, int, str] | None = None
        several = previous = False
        for line in said.text[place:].split("\n"):
            match = BULLET.fullmatch(line.strip())
            if match is not None:
                found = (place, place + len(line), match["element"])
                several = previous
            previous = match is not None or (previous and not line.strip())
            place += len(line) + 1
        return None if found is None or several else _put_back(said, *found)


class _Chosen(AnswerFormat):
    """A choice named by its label or by its words alone, or behind the task's own lead."""

    def __init__(self, instruction: str, *, by_label: bool) -> None:
        super().__init__(instruction, choices=True)
        self._by_label = by_label

    def taken_out(self, said: Said) -> str | None:
        alone = self._answer(said.text, said)
        if alone is not None:
            return said.led(alone)
        place = said.text.casefold().rfind(said.lead.casefold()) if said.lead else -1
        if place < 0:
            return None
        end = place + len(said.lead)
        led = self._answer(said.text[end:], said)
        return None if led is None else f"{said.text[:end]} {led}"

    def _answer(self, text: str, said: Said) -> str | None:
        """What the task takes for the one choice that a text names; None where it names none."""
        if len(text) > _READ:
            return None
        names = said.labels if self._by_label else said.choices
        told = {_bare(text), folded(text)} - {""}
        same = [p for p, name in enumerate(names) if told & {_bare(name), folded(name)}]
        return said.answers[same[0]] if len(same) == 1 and same[0] < len(said.answers) else None


def lead_in(prompt: str) -> str:
    """What a task's prompt tells an answer to begin with, such as `ANSWER:` of `ANSWER: $LETTER`.

    Empty where it names nothing in whose place the answer would stand.
    """
    found = [each["lead"] for each in _LEAD.finditer(prompt, max(len(prompt) - _READ, 0))]
    return found[-1] if found else ""


def _put_back(said: Said, begin: int, end: int, answer: str) -> str:
    """The text with the answer in place of what holds it; behind the task's own lead where nothing
    leads to it."""
    before, behind = said.text[:begin], said.text[end:]
    fence, fence_end = _FENCED.search(before[-60:]), _FENCE_ENDS.match(behind)
    if fence is not None and fence_end is not None:
        before, behind = before[: len(before) - len(fence[0])], behind[fence_end.end() :]
    if _LED.search(before[-40:]) is None:
        answer = said.led(answer)
    return f"{before}{answer}{behind}"


def _literal_at(text: str, begin: int) -> tuple[int, object]:
    end = literal_end(text, begin)
    return end, parse_literal(text[begin:end], unique_keys=True)


def _yaml_at(text: str, begin: int) -> tuple[int, object]:
    """The key's line, and the elements of a list below it."""
    end = _YAML_END.search(text, begin)
    assert end is not None
    return end.start(), parse_yaml(text[begin : end.start()], unique_keys=True)


def _of_key(held: object) -> object:
    if not isinstance(held, dict) or [str(key).casefold() for key in held] != [_KEY]:
        raise NotFollowedError(f"not a mapping of {_KEY} alone")
    return next(iter(held.values()))


def _one(value: object) -> str:
    """A value as the text of an answer; several are the labels of several right choices."""
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(each, str | int | float) for each in values):
        raise NotFollowedError("not one value, or several")
    texts = [str(each).strip() for each in values]
    if not all(texts):
        raise NotFollowedError("an empty answer")
    return ", ".join(texts)


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_AROUND)


_YAML_END = re.compile(r"(?=\n(?![ \t]*-[ \t]))|\Z")
FINAL_FORMATS: Mapping[str, AnswerFormat] = {
    "character": _Chosen(
        "Answer by outputting only the designated character identifier of your choice.",
        by_label=True,
    ),
    "text": _Chosen(
        "Answer by outputting the textual value of your choice without the character identifier "
        "without any textual description.",
        by_label=False,
    ),
    **{name: _Wrapped(name) for name, each in FORMATS.items() if isinstance(each, Wrapping)},
    "python": _Structure(
        "Generate your final answer as a Python list of one element.",
        r"(?m)(?:^|[:：=])[ \t*_`]{0,8}(?=\[)",
        _literal_at,
        lambda held: held,
    ),
    "bullet": _Bullet("Generate your final answer using one bullet point."),
    "json": _Structure(
        f"Your output must be a Python dictionary with the key '{_KEY}' and value as your final "
        f"answer: {{'{_KEY}': ...}}",
        r"(?<![\w\\}{])(?=\{)",
        _literal_at,
        _of_key,
    ),
    "yaml": _Structure(
        f"Your output must be in YAML format: {_KEY}: ...",
        rf"(?m)^[ \t]{{0,8}}(?=(?P<quote>[\"']?){_KEY}(?P=quote):[ \t\n])",
        _yaml_at,
        _of_key,
    ),
}
"""By the names of their formats, in the paper's order."""
