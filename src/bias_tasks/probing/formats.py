"""The output formats in which any task's final answer can be asked for, and the way back from them.

Thirteen of FormatEval's fifteen (appendix E): the other two part the elements of a list. Wrapping
formats are asked for in the paper's words; the others in words that speak of one answer.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import yaml

from bias_tasks.data.files import read_yaml
from bias_tasks.names import encodable
from bias_tasks.output_format.foreign import foreign_question
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatParams
from bias_tasks.probing.options import bare

_TEXTS: Mapping[str, str] = read_yaml(__package__, "formats")
_READ, _LONGEST = 100_000, 4_000
"""Last characters of an answer in which its format is looked for, and of what holds the answer."""
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
    lead: str
    """What the task's prompt has an answer begin with, such as `ANSWER:`; empty for nothing."""
    answers: tuple[str, ...]
    """What a task takes for each choice, in the order shown: its label, or its words."""
    choices: tuple[str, ...]
    labels: tuple[str, ...]

    def led(self, answer: str) -> str:
        """An answer that stands alone, as the task reads one."""
        return f"{self.lead} {answer}" if self.lead else answer


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """A format of a final answer."""

    instruction: str
    taken_out: Callable[[Said], str | None]
    """The answer as the task reads it; None where it does not follow the format."""
    choices: bool = False
    """Whether it is one of answers to choose from."""


def lead_in(prompt: str) -> str:
    """What a task's prompt tells an answer to begin with, such as `ANSWER:` of `ANSWER: $LETTER`;
    empty where it names nothing in whose place the answer would stand."""
    return ([""] + [each["lead"] for each in _LEAD.finditer(prompt[-_READ:])])[-1]


def _chosen(said: Said, names: str) -> str | None:
    """A choice named by its label or by its words alone, or behind the task's own lead."""

    def answer(text: str) -> str | None:
        told = bare(text) if len(text) <= _READ else ""
        same = [p for p, name in enumerate(getattr(said, names)) if told and told == bare(name)]
        return said.answers[same[0]] if len(same) == 1 and same[0] < len(said.answers) else None

    alone = answer(said.text)
    if alone is not None:
        return said.led(alone)
    place = said.text.casefold().rfind(said.lead.casefold()) if said.lead else -1
    end = place + len(said.lead)
    led = answer(said.text[end:]) if place >= 0 else None
    return None if led is None else f"{said.text[:end]} {led}"


def _unwrapped(said: Said, tokens: re.Pattern[str]) -> str | None:
    """Tokens about the answer, wherever it stands, are left out."""
    start = max(len(said.text) - _READ, 0)
    text, count = tokens.subn(lambda found: found[found.lastindex or 0], said.text[start:])
    return said.text[:start] + text if count else None


def _held(said: Said, pieces: re.Pattern[str], values: Callable[[str], list[str]]) -> str | None:
    """The last piece that holds the answer is replaced by it, fence and all; the task's own lead
    stands before it where nothing leads to it."""
    text = said.text
    *_, place = (None, *pieces.finditer(text, max(len(text) - _READ, 0)))
    if place is None or len(place["held"]) > _LONGEST:
        return None
    held = [each.strip() for each in values(place["held"])]
    if not held or not all(held):
        return None
    before, behind = text[: place.start("piece")], text[place.end("piece") :]
    fence, fence_end = _FENCED.search(before[-60:]), _FENCE_ENDS.match(behind)
    if fence is not None and fence_end is not None:
        before, behind = before[: len(before) - len(fence[0])], behind[fence_end.end() :]
    answer = ", ".join(held)
    return f"{before}{answer if _LED.search(before[-40:]) else said.led(answer)}{behind}"


def _literals(held: str) -> list[str]:
    """One value of Python or JSON, or those of a flat list."""
    return [_literal(each[0]) for each in re.finditer(_VALUE, held)]


def _literal(token: str) -> str:
    if token[0] not in "\"'":
        return token
    try:
        return encodable(str(json.loads(token, strict=False)))
    except ValueError:  # Python's quotes, or LaTeX's escapes
        return re.sub(r"\\([\"'\\])", r"\1", token[1:-1])


def _scalars(held: str) -> list[str]:
    """One value of YAML, or a flat list of them; all as they are written."""
    try:
        found = yaml.load(held, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return []
    values = found if isinstance(found, list) else [found]
    return values if all(isinstance(each, str) for each in values) else []


_WRAPPED = {
    "special_character": r"<ANSWER>((?:[^<]|<(?!/?ANSWER>))*+)</ANSWER>",
    "bolding": r"(?<![*\\])\*\*(?=[^\s*])([^*]*+)(?<!\s)\*\*(?!\*)",
    "italicizing": r"(?<![*\\\w])\*(?=[^\s*])([^*]*+)(?<!\s)\*(?![*\w])",
    "brackets": r"\[\[((?:[^\[\]]|\[(?!\[)|\](?!\]))*+)\]\]",
    "parentheses": r"\(\(((?:[^()]|\((?!\()|\)(?!\)))*+)\)\)",
    "placeholder": r"So the answer is:[ ]{1,5}(?:\{{1,2}([^{}\n]*+)\}{1,2}|(?=[^\s{])())",
    "quoting": r"\"\"\"([^\"]*+)\"\"\"|'''([^']*+)'''",
}
"""What each wrapping format encloses; of a filled placeholder the rest of its line stays."""
_STRING = r"\"(?:[^\"\\\n]|\\[^\n])*+\"|'(?:[^'\\\n]|\\[^\n])*+'"
_VALUE = rf"(?:{_STRING}|[^\s\"'\[\]{{}},]++)"
_LIST = rf"\[\s*+{_VALUE}(?:\s*+,\s*+{_VALUE})*+\s*+(?:,\s*+)?\]"
_PYTHON = rf"(?m)(?:^|[:：=])[ \t*_`]{{0,8}}(?P<piece>(?P<held>{_LIST}))"
_JSON = (
    r"(?<![\w\\}{])(?P<piece>\{\s*+(?P<quote>[\"'])(?i:answer)(?P=quote)\s*+:\s*+"
    rf"(?P<held>{_LIST}|{_VALUE})\s*+(?:,\s*+)?\}})"
)
_YAML = (
    r"(?m)^[ \t]{0,8}(?P<piece>(?P<quote>[\"']?)answer(?P=quote):(?=[ \t\n])"
    r"(?P<held>[^\n]*+(?:\n[ \t]*+-[ \t][^\n]*+)*+))"
)
_MARK = r"[ \t]*+(?:[-*+‐‑‒–—−][ \t]|[•‣◦·∙▪▫●○■□⁃➢➤►▶])"
_BULLETS = rf"(?m)^(?P<piece>(?P<held>{_MARK}[^\n]*+(?:\n\s*+{_MARK}[^\n]*+)*+))"
"""Bullet points that follow each other."""


def _bullet(held: str) -> list[str]:
    """The only one of some bullet points."""
    return [] if "\n" in held else [re.sub(_MARK, "", held, count=1)]


def _instruction(name: str) -> str:
    if name not in _WRAPPED:
        return str(_TEXTS[name])
    item = foreign_question("", "", name, FormatParams()).item
    return FORMATS[name].instruction(item, "corrected", "zs")


_TAKEN_OUT: Mapping[str, Callable[[Said], str | None]] = {
    "character": partial(_chosen, names="labels"),
    "text": partial(_chosen, names="choices"),
    **{name: partial(_unwrapped, tokens=re.compile(each)) for name, each in _WRAPPED.items()},
    "python": partial(_held, pieces=re.compile(_PYTHON), values=_literals),
    "bullet": partial(_held, pieces=re.compile(_BULLETS), values=_bullet),
    "json": partial(_held, pieces=re.compile(_JSON), values=_literals),
    "yaml": partial(_held, pieces=re.compile(_YAML), values=_scalars),
}
FINAL_FORMATS: Mapping[str, AnswerFormat] = {
    name: AnswerFormat(_instruction(name), taken_out, choices=name in ("character", "text"))
    for name, taken_out in _TAKEN_OUT.items()
}
"""By the names of their formats, in the paper's order."""
