"""What a parsed answer is: a value and where it is, or the reason why there is none."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, Literal, NamedTuple

StopReason = Literal["stop", "truncated", "refused", "tool_call"]
"""Why generation ended: by itself, at a token limit, because a content filter refused, or to call a
tool."""
INVALID_FORMAT = "invalid_response_format"
"""Inspect's `Score.reason` for output that cannot be parsed."""
TIE = "tie"
"""The verdict that neither of two responses is better."""


class UnparsedReason(Enum):
    """Why an answer has no value; the members' values are the words for people."""

    EMPTY = "the answer is empty"
    UNFINISHED_REASONING = "its reasoning never ends"
    NO_VALUE = "no value where an answer is expected"
    CONTRADICTION = "it gives different values"
    NOT_OFFERED = "it names a value that was not offered"
    RETRACTED = "it takes its answer back"
    TRUNCATED = "it breaks off before a final answer"
    ECHO = "it repeats the prompt"
    TEMPLATE_COPIED = "it copies the answer template without filling it in"
    RUNS_ON = "it continues with questions and answers of its own"
    REFUSAL = "the model refuses to answer"
    TOOL_CALL = "it calls a tool instead of answering"
    DEFECT = "a parser of bias-tasks fails on it"

    @property
    def code(self) -> str:
        """The name by which logs know the reason, such as `no_value`."""
        return self.name.lower()


_FRAMEWORK_REASONS = {UnparsedReason.EMPTY: "no_response", UnparsedReason.REFUSAL: "refusal"}


class Level(IntEnum):
    """How an answer states its value, in order of authority: a lower level outranks a higher."""

    WHOLE = 0
    FIELD = 1
    FINAL = 2
    EXPLICIT = 3
    OWN = 4
    JUDGED = 5
    HEAD = 6
    RESORT = 7

    @property
    def code(self) -> str:
        """The name by which logs know the level, such as `explicit`."""
        return self.name.lower()

    @property
    def authority(self) -> int:
        """The level, with the same number for those that are equally final."""
        return max(self, Level.FINAL)


_LEVEL_WORDS = (
    "the whole text",
    "a field of an object",
    "a marker such as \\boxed{}, or a line such as `Final answer: value`",
    'a statement such as "the answer is ...", or the last line',
    'a statement such as "I choose ..." or "... is correct"',
    "lines that judge each option",
    "the beginning of the text, followed by an explanation",
    "the one option that the last sentence names",
)


class ReportedFlaw(NamedTuple):
    """A flaw that a judge reports."""

    dimension: str
    """Name of the criterion, as the rubric spells it."""
    severity: float
    """On the scale of the rubric."""
    quote: str
    """The words of the response that show the flaw."""


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """The value that an answer gives, or why it gives none."""

    label: str | None
    """The value in a word: `True`, `single`, `Yes`, `A`, `7`; None if unparsed."""
    value: Any = None
    """A label, a number, scores by criterion, flaws, or positions of options from 0."""
    options: tuple[int, ...] = ()
    """Choice: positions of the named options among those shown, from 0, sorted."""
    level: Level | None = None
    """Where the value is, None if unparsed or if another parser found it."""
    span: tuple[int, int] | None = None
    """Characters (start, end) of the value in the text, without its explanation."""
    unparsed_reason: UnparsedReason | None = None
    """Why there is no value; None if there is one."""
    detail: str = ""
    """More words, such as which criterion has no score."""

    @property
    def unparsed(self) -> bool:
        """Whether the answer has no value."""
        return self.label is None

    @property
    def explanation(self) -> str:
        """Where the value is, or why there is none, in words for people."""
        words = "" if self.level is None else _LEVEL_WORDS[self.level]
        words = self.unparsed_reason.value if self.unparsed_reason else words
        return ": ".join(filter(None, (words, self.detail)))

    @property
    def reason(self) -> str | None:
        """Inspect's `Score.reason` of an abnormal answer; None for a parsed one."""
        if self.unparsed_reason is None:
            return None
        return _FRAMEWORK_REASONS.get(self.unparsed_reason, INVALID_FORMAT)


def unparsed(reason: UnparsedReason, detail: str = "") -> ParsedAnswer:
    """Return the result for an answer without a value."""
    return ParsedAnswer(None, unparsed_reason=reason, detail=detail)
