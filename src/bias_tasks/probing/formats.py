"""Output formats in which any task's final answer can be requested, and how they are removed again.

Thirteen of FormatEval's fifteen formats (appendix E): the other two separate the elements of a
list. Wrapping formats have the paper's instructions. The other instructions (`formats.yaml`) speak
of one answer.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import yaml

from bias_tasks.data.files import read_yaml
from bias_tasks.parsing.notation import BULLET_MARK
from bias_tasks.probing.displayed_options import fold_and_strip
from bias_tasks.prompts.edits import render_format_instruction
from bias_tasks.unicode_text import encodable

_INSTRUCTIONS: Mapping[str, str] = read_yaml(__package__, "formats")
_MAX_SEARCHED, _MAX_VALUE = 100_000, 4_000
"""Last characters of an answer that are searched for its format, and of the answer within it."""
_FENCE_START = re.compile(r"```[\w+-]{0,20}[ \t]*\n\s{0,20}\Z")
_FENCE_END = re.compile(r"\s{0,20}?\n?[ \t]{0,20}```[ \t]*(?=\n|\Z)")
_LEAD = re.compile(
    r"(?P<lead>\b(?:the (?:\w{1,12} )?answer is|(?:final )?answer ?:))[ \t]{0,3}"
    r"(?=\$[A-Z]|\\?\[|<|\(|X\b|_{2,})",
    re.IGNORECASE,
)
_ENDS_WITH_LEAD = re.compile(r"answer(?: is| ?[:：=])[ \t*_`]{0,8}\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FormattedAnswer:
    """An answer in a requested format, and what the probed task expects instead."""

    text: str
    lead: str
    """What the task's prompt requires an answer to begin with, such as `ANSWER:`; may be empty."""
    answers: tuple[str, ...]
    """What the task accepts for each choice, in the displayed order: its label or its text."""
    choices: tuple[str, ...]
    labels: tuple[str, ...]

    def add_lead(self, answer: str) -> str:
        """Return an answer after the task's lead."""
        return f"{self.lead} {answer}" if self.lead else answer


@dataclass(frozen=True, slots=True)
class FinalFormat:
    """A format of a final answer."""

    instruction: str
    unwrap: Callable[[FormattedAnswer], str | None]
    """Returns the answer as the task expects it; None if the answer does not follow the format."""
    needs_choices: bool = False
    """Whether the answer is one of the choices."""


def find_lead(prompt: str) -> str:
    """Return what a task's prompt requires an answer to begin with, or an empty text.

    An example is `ANSWER:` for a prompt with `ANSWER: $LETTER`. The last one counts.
    """
    leads = [match["lead"] for match in _LEAD.finditer(prompt[-_MAX_SEARCHED:])]
    return leads[-1] if leads else ""


def _unwrap_choice(answer: FormattedAnswer, *, by_label: bool) -> str | None:
    """Replace a choice that is the whole text, or all of it after the task's lead."""
    names = answer.labels if by_label else answer.choices

    def find_answer(text: str) -> str | None:
        name = fold_and_strip(text) if len(text) <= _MAX_SEARCHED else ""
        same = [i for i, other in enumerate(names) if name and name == fold_and_strip(other)]
        if len(same) != 1 or same[0] >= len(answer.answers):
            return None
        return answer.answers[same[0]]

    if (whole := find_answer(answer.text)) is not None:
        return answer.add_lead(whole)
    start = answer.text.casefold().rfind(answer.lead.casefold()) if answer.lead else -1
    end = start + len(answer.lead)
    after_lead = find_answer(answer.text[end:]) if start >= 0 else None
    return None if after_lead is None else f"{answer.text[:end]} {after_lead}"


def _unwrap_tokens(answer: FormattedAnswer, *, tokens: re.Pattern[str]) -> str | None:
    """Remove the tokens around an answer, wherever they are."""
    start = max(len(answer.text) - _MAX_SEARCHED, 0)
    text, count = tokens.subn(lambda match: match[match.lastindex or 0], answer.text[start:])
    return answer.text[:start] + text if count else None


def _unwrap_value(
    answer: FormattedAnswer, *, pattern: re.Pattern[str], parse: Callable[[str], list[str]]
) -> str | None:
    """Replace the last piece of the text that holds the answer, with its code fence, by the answer.

    The task's lead is added unless the text before ends with one.
    """
    text = answer.text
    *_, match = (None, *pattern.finditer(text, max(len(text) - _MAX_SEARCHED, 0)))
    if match is None or len(match["value"]) > _MAX_VALUE:
        return None
    values = [value.strip() for value in parse(match["value"])]
    if not values or not all(values):
        return None
    before, after = text[: match.start("piece")], text[match.end("piece") :]
    fence_start, fence_end = _FENCE_START.search(before[-60:]), _FENCE_END.match(after)
    if fence_start is not None and fence_end is not None:
        before = before[: len(before) - len(fence_start[0])]
        after = after[fence_end.end() :]
    value = ", ".join(values)
    if not _ENDS_WITH_LEAD.search(before[-40:]):
        value = answer.add_lead(value)
    return f"{before}{value}{after}"


def _parse_literals(text: str) -> list[str]:
    """Return one value of Python or JSON, or those of a flat list."""
    return [_parse_literal(match[0]) for match in re.finditer(_VALUE, text)]


def _parse_literal(token: str) -> str:
    if token[0] not in "\"'":
        return token
    try:
        return encodable(str(json.loads(token, strict=False)))
    except ValueError:  # Python's quotes, or LaTeX's escapes
        return re.sub(r"\\([\"'\\])", r"\1", token[1:-1])


def _parse_scalars(text: str) -> list[str]:
    """Return one value of YAML, or a flat list of them, as they are written."""
    try:
        parsed = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return []
    values = parsed if isinstance(parsed, list) else [parsed]
    return values if all(isinstance(value, str) for value in values) else []


def _parse_bullet(text: str) -> list[str]:
    """Return the text of a bullet point; nothing if there are several."""
    return [] if "\n" in text else [re.sub(_BULLET, "", text, count=1)]


_STRING = r"\"(?:[^\"\\\n]|\\[^\n])*+\"|'(?:[^'\\\n]|\\[^\n])*+'"
_VALUE = rf"(?:{_STRING}|[^\s\"'\[\]{{}},]++)"
_LIST = rf"\[\s*+{_VALUE}(?:\s*+,\s*+{_VALUE})*+\s*+(?:,\s*+)?\]"
_PYTHON = rf"(?m)(?:^|[:：=])[ \t*_`]{{0,8}}(?P<piece>(?P<value>{_LIST}))"
_JSON = (
    r"(?<![\w\\}{])(?P<piece>\{\s*+(?P<quote>[\"'])(?i:answer)(?P=quote)\s*+:\s*+"
    rf"(?P<value>{_LIST}|{_VALUE})\s*+(?:,\s*+)?\}})"
)
_YAML = (
    r"(?m)^[ \t]{0,8}(?P<piece>(?P<quote>[\"']?)answer(?P=quote):(?=[ \t\n])"
    r"(?P<value>[^\n]*+(?:\n[ \t]*+-[ \t][^\n]*+)*+))"
)
_BULLET = rf"[ \t]*+{BULLET_MARK}"
_BULLETS = rf"(?m)^(?P<piece>(?P<value>{_BULLET}[^\n]*+(?:\n\s*+{_BULLET}[^\n]*+)*+))"
"""Bullet points that follow each other."""
_MARKED = r"(?s){0}((?:(?!{0}|{1}).)*+){1}"
"""Any text between two different tokens."""
_WRAPPINGS: Mapping[str, str] = {
    "special_character": _MARKED.format("<ANSWER>", "</ANSWER>"),
    # Markdown: no blanks inside, and no single asterisk in a word.
    "bolding": r"(?<![*\\])\*\*(?=[^\s*])([^*]*+)(?<!\s)\*\*(?!\*)",
    "italicizing": r"(?<![*\\\w])\*(?=[^\s*])([^*]*+)(?<!\s)\*(?![*\w])",
    "brackets": _MARKED.format(r"\[\[", r"\]\]"),
    "parentheses": _MARKED.format(r"\(\(", r"\)\)"),
    # The rest of a filled placeholder's line stays.
    "placeholder": r"So the answer is:[ ]{1,5}(?:\{{1,2}([^{}\n]*+)\}{1,2}|(?=[^\s{])())",
    "quoting": r"\"{3}([^\"]*+)\"{3}|'{3}([^']*+)'{3}",
}
"""Tokens of each wrapping format; the last matching group is what they enclose."""
_UNWRAP: Mapping[str, Callable[[FormattedAnswer], str | None]] = {
    "character": partial(_unwrap_choice, by_label=True),
    "text": partial(_unwrap_choice, by_label=False),
    **{
        name: partial(_unwrap_tokens, tokens=re.compile(pattern))
        for name, pattern in _WRAPPINGS.items()
    },
    "python": partial(_unwrap_value, pattern=re.compile(_PYTHON), parse=_parse_literals),
    "bullet": partial(_unwrap_value, pattern=re.compile(_BULLETS), parse=_parse_bullet),
    "json": partial(_unwrap_value, pattern=re.compile(_JSON), parse=_parse_literals),
    "yaml": partial(_unwrap_value, pattern=re.compile(_YAML), parse=_parse_scalars),
}
FINAL_FORMATS: Mapping[str, FinalFormat] = {
    name: FinalFormat(
        render_format_instruction(name) if name in _WRAPPINGS else _INSTRUCTIONS[name],
        unwrap,
        needs_choices=name in ("character", "text"),
    )
    for name, unwrap in _UNWRAP.items()
}
"""The formats by name, in the paper's order."""
