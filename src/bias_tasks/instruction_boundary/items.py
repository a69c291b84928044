"""The two kinds of item that the Instruction Boundary settings ask about.

A *judging* item is a set of facts and a statement that is True (proved), False (disproved) or
Unknown. A *choice* item is a question with options of which exactly one (single), several
(multiple) or none is correct (paper, section 2.1). Labels that are rarely seen in data sets are
*sparse* (Unknown, multiple, none), the others *tense*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Form = Literal["judging", "choice"]
JudgingLabel = Literal["True", "False", "Unknown"]
ChoiceLabel = Literal["single", "multiple", "none"]

FORMS: tuple[Form, ...] = get_args(Form)
JUDGING_LABELS: tuple[JudgingLabel, ...] = get_args(JudgingLabel)
CHOICE_LABELS: tuple[ChoiceLabel, ...] = get_args(ChoiceLabel)
LABELS: Mapping[Form, tuple[str, ...]] = {"judging": JUDGING_LABELS, "choice": CHOICE_LABELS}
VANILLA = "vanilla"
"""Name of the setting that changes nothing, and of the twin that every other is compared with."""
SPARSE_LABELS: frozenset[str] = frozenset({"Unknown", "multiple", "none"})


@dataclass(frozen=True, slots=True)
class JudgingItem:
    """Facts (`context`) and a statement (`question`) with its gold label."""

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
    def form(self) -> Form:
        return "judging"

    @property
    def label(self) -> str:
        return self.answer

    @property
    def sparse(self) -> bool:
        return self.label in SPARSE_LABELS


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """A question with options; `answer` holds the 0-based positions of the correct ones, sorted."""

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
    def form(self) -> Form:
        return "choice"

    @property
    def label(self) -> str:
        return choice_label(self.answer)

    @property
    def sparse(self) -> bool:
        return self.label in SPARSE_LABELS


Item = JudgingItem | ChoiceItem


def choice_label(positions: tuple[int, ...]) -> ChoiceLabel:
    """Which kind of choice a set of option positions is: none, single or multiple."""
    if not positions:
        return "none"
    return "single" if len(positions) == 1 else "multiple"


def item_to_dict(item: Item) -> dict[str, Any]:
    """The item as plain JSON values, with its form; `item_from_dict` reads it back."""
    if isinstance(item, JudgingItem):
        return {
            "form": "judging",
            "id": item.id,
            "context": item.context,
            "question": item.question,
            "answer": item.answer,
            "source": item.source,
            "cluster": item.cluster,
        }
    # What few items have is left out where one has none.
    collected = {} if item.taken_from is None else {"taken_from": item.taken_from}
    drawn = {} if item.drawn is None else {"drawn": [list(level) for level in item.drawn]}
    return {
        "form": "choice",
        "id": item.id,
        "question": item.question,
        "options": list(item.options),
        "answer": list(item.answer),
        "source": item.source,
        "cluster": item.cluster,
        "context": item.context,
        "printed_options": None if item.printed_options is None else list(item.printed_options),
        **collected,
        **drawn,
    }


def item_from_dict(row: Mapping[str, Any]) -> Item:
    """The item that `item_to_dict` wrote.

    Raises:
        ValueError: the row's form is neither judging nor choice.
    """
    fields = {name: value for name, value in row.items() if name != "form"}
    if row.get("form") == "judging":
        return JudgingItem(**fields)
    if row.get("form") == "choice":
        for name in ("options", "answer", "printed_options"):
            if fields.get(name) is not None:
                fields[name] = tuple(fields[name])
        if "drawn" in fields:
            fields["drawn"] = tuple(map(tuple, fields["drawn"]))
        return ChoiceItem(**fields)
    raise ValueError(f"unknown form {row.get('form')!r}: expected 'judging' or 'choice'")


INVALID = "invalid"
UNREAD = "unread"
"""Shares of these two stand beside the label shares of an outcome."""


@dataclass(frozen=True, slots=True)
class SettingOutcome:
    """What became of one item under one variant.

    Shares are between 0 and 1: over one epoch they are 0 or 1, over several their mean.
    """

    item: str
    cluster: str
    form: Form
    variant: str
    """Name of the setting, or `vanilla`."""
    gold: str
    """Gold label of the item: True, False, Unknown, single, multiple or none."""
    ok: float
    """Share of epochs whose prediction equals gold (choice form: the same set of options)."""
    labels: Mapping[str, float] = field(default_factory=dict)
    """Share of each output label of the form, and of `invalid` and `unread`; sums to 1."""
    judged: float = 0.0
    """Share of epochs whose answer a judge model read."""
    suggested: str | None = None
    """Conformity: the label that was (or, for the vanilla twin, would have been) suggested."""
    at_suggestion: float | None = None
    """Conformity: share of epochs whose answer is the suggested one."""
    suggestion_is_gold: bool | None = None
    """Conformity: whether the suggested answer is the right one."""
    origin: str | None = None
    """The data set that the item was taken from, where that is known."""
