"""The two kinds of item that the Instruction Boundary settings ask about.

A *judging* item is a set of facts and a statement that is True (proved), False (disproved) or
Unknown. A *choice* item is a question with options of which exactly one (single), several
(multiple) or none is correct (paper, section 2.1). Labels that are rarely seen in data sets are
*sparse* (Unknown, multiple, none), the others *tense*.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

Form = Literal["judging", "choice"]
JudgingLabel = Literal["True", "False", "Unknown"]
ChoiceLabel = Literal["single", "multiple", "none"]

FORMS: tuple[Form, ...] = get_args(Form)
JUDGING_LABELS: tuple[JudgingLabel, ...] = get_args(JudgingLabel)
CHOICE_LABELS: tuple[ChoiceLabel, ...] = get_args(ChoiceLabel)
LABELS: Mapping[Form, tuple[str, ...]] = {"judging": JUDGING_LABELS, "choice": CHOICE_LABELS}
VANILLA = "vanilla"
"""Name of the setting that changes nothing, and of the twin that every other is compared with."""
INVALID, UNREAD = "invalid", "unread"
"""Labels of an answer that names no option on offer, and of one that could not be read."""


@dataclass(frozen=True, slots=True)
class JudgingItem:
    """Facts (`context`) and a statement (`question`) with its gold label."""

    form: ClassVar[Form] = "judging"
    id: str
    context: str
    question: str
    answer: JudgingLabel
    source: str
    cluster: str
    """Items of one cluster share their facts; intervals are clustered by it."""
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that nobody asks about, as plain JSON values."""

    @property
    def origin(self) -> str:
        """The data set that the item was taken from."""
        return self.source

    @property
    def label(self) -> str:
        return self.answer


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """A question with options; `answer` holds the 0-based positions of the correct ones, sorted."""

    form: ClassVar[Form] = "choice"
    id: str
    question: str
    options: tuple[str, ...]
    answer: tuple[int, ...]
    source: str
    cluster: str
    context: str | None = None
    printed_options: tuple[str, ...] | None = None
    """The options as the source prints them, where that differs (some carry "0. " prefixes)."""
    taken_from: str | None = None
    """The data set that the source took the item from, where it is a collection of several."""
    drawn: tuple[tuple[int, ...], ...] | None = None
    """Positions of the wrong options that the paper's public code shows at 1, 2, ... 9
    distractors, where the source is what that code samples."""
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that nobody asks about, as plain JSON values."""

    @property
    def origin(self) -> str:
        """The data set that the item was taken from."""
        return self.taken_from or self.source

    @property
    def label(self) -> str:
        return choice_label(self.answer)


Item = JudgingItem | ChoiceItem


def choice_label(positions: tuple[int, ...]) -> ChoiceLabel:
    """Which kind of choice a set of option positions is: none, single or multiple."""
    return "none" if not positions else "single" if len(positions) == 1 else "multiple"
