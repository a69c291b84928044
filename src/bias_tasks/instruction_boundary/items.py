"""The two kinds of items of the Instruction Boundary settings.

A *judging* item is a set of facts and a statement that is True (proved), False (disproved) or
Unknown. A *choice* item is a question with options of which exactly one (single), several
(multiple) or none is correct (paper, section 2.1). Labels that are rare in data sets are *sparse*
(Unknown, multiple, none); the others are *tense*.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from bias_tasks.data.option_texts import refers_to_options

Form = Literal["judging", "choice"]
JudgingLabel = Literal["True", "False", "Unknown"]
ChoiceLabel = Literal["single", "multiple", "none"]

FORMS: tuple[Form, ...] = get_args(Form)
JUDGING_LABELS: tuple[JudgingLabel, ...] = get_args(JudgingLabel)
CHOICE_LABELS: tuple[ChoiceLabel, ...] = get_args(ChoiceLabel)
LABELS: Mapping[Form, tuple[str, ...]] = {"judging": JUDGING_LABELS, "choice": CHOICE_LABELS}
NONE_OF_THE_ABOVE = "none of the above"
"""Stands for a correct option that says that no other option is correct."""
SPARSE_LABELS = ("Unknown", "multiple", "none", NONE_OF_THE_ABOVE)
"""What data sets rarely have (section 2.1, table 5)."""
COVERING = "all other options are false"
"""The option that is correct if no other option is (appendix A.3)."""
_SAYS_NONE = ("none", "neither", "no ", COVERING)
VANILLA = "vanilla"
"""Name of the setting that changes nothing: the baseline of every other setting."""
INVALID, UNPARSED = "invalid", "unparsed"
"""Labels of an answer that names an option that was not offered, and of an unparsed answer."""


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
    columns: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that no task needs, as plain JSON values by column."""

    @property
    def origin(self) -> str:
        """Name of the data set that contains the item."""
        return self.source

    @property
    def label(self) -> str:
        """The gold label."""
        return self.answer


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """A question with options."""

    form: ClassVar[Form] = "choice"
    id: str
    question: str
    options: tuple[str, ...]
    answer: tuple[int, ...]
    """Positions of the correct options, counted from 0 and sorted."""
    source: str
    cluster: str
    """Items of one cluster share their context; intervals are clustered by it."""
    context: str | None = None
    printed_options: tuple[str, ...] | None = None
    """The options as the source prints them, such as with prefixes "0. "; None if unchanged."""
    collected_from: str | None = None
    """The data set from which the source took the item, if the source is a collection."""
    published_distractors: tuple[tuple[int, ...], ...] | None = None
    """Positions of the wrong options that the paper's public code displays for 1, 2, ... 9
    distractors; None unless the source is the sample of that code."""
    columns: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that no task needs, as plain JSON values by column."""

    @property
    def origin(self) -> str:
        """Name of the data set that contains the item."""
        return self.collected_from or self.source

    @property
    def distinct_positions(self) -> list[int]:
        """Positions of the options, without wrong ones that repeat the text of an earlier one."""
        first = {text: position for position, text in reversed([*enumerate(self.options)])}
        return sorted({*first.values(), *self.answer})

    @property
    def refers_to_options(self) -> bool:
        """Whether an option refers to others, so that all of them have to stay in their places."""
        return any(refers_to_options(text, self.question) for text in self.options)

    @property
    def wrong_positions(self) -> list[int]:
        """Positions of the wrong options, in their order."""
        return [p for p in range(len(self.options)) if p not in self.answer]

    @property
    def label(self) -> str:
        """The gold label."""
        return choice_label(self.answer)


Item = JudgingItem | ChoiceItem


def choice_label(positions: tuple[int, ...]) -> ChoiceLabel:
    """Return the label of a set of selected or correct options.

    Args:
        positions: Positions of the options.
    """
    if not positions:
        return "none"
    return "single" if len(positions) == 1 else "multiple"


def is_none_of_the_above(item: Item) -> bool:
    """Return whether the only correct option of an item says that no other option is correct."""
    if not isinstance(item, ChoiceItem) or item.label != "single":
        return False
    text = item.options[item.answer[0]].strip()
    is_reference = text.casefold() == COVERING or refers_to_options(text, item.question)
    return is_reference and text.casefold().startswith(_SAYS_NONE)
