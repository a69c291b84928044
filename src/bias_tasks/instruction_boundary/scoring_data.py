"""What scoring an answer needs of its question, and what the metrics need of its outcome."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bias_tasks.contract.json_data import JsonData
from bias_tasks.contract.outcomes import Extra
from bias_tasks.contract.questions import ScoringData
from bias_tasks.instruction_boundary.items import Form, choice_label
from bias_tasks.protocols import PaperProtocol

Symbols = Literal["numbers", "letters"]
ADDED_OPTION = -1
"""Position of a displayed option that is not an option of the item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsData(JsonData):
    """The options of a choice question as its prompt displays them.

    A *position* counts the options of the item, an *index* the displayed options; both start at 0.
    """

    positions: tuple[int, ...]
    """Position of each displayed option; `ADDED_OPTION` for one that the item does not have."""
    gold: tuple[int, ...]
    """Indices of the correct options, sorted."""
    n_item_options: int
    """Number of options of the item."""
    first_number: int
    """Number that stands for the first displayed option."""
    symbols: Symbols = "numbers"
    """Whether options are named by numbers in their displayed order, or by letters of positions."""
    texts: tuple[str, ...] = ()
    """Texts of the displayed options; empty under `published`, whose parser ignores them."""

    def find_indices(self, positions: tuple[int, ...]) -> tuple[int, ...]:
        """Return the indices of the item's options at these positions, as far as displayed."""
        return tuple(sorted(self.positions.index(p) for p in positions if p in self.positions))

    def symbol(self, index: int) -> str:
        """Return the number or letter of the displayed option at an index."""
        if self.symbols == "letters":
            return option_letter(self.positions[index])
        return str(self.first_number + index)

    def symbols_of(self, indices: Sequence[int]) -> str:
        """Return the numbers or letters of displayed options, as in "1, 3"; empty if none."""
        return ", ".join(map(self.symbol, indices))


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion(JsonData):
    """The answer that conformity suggests, or that a pushback claims, for one item."""

    label: str
    """The suggested label."""
    is_gold: bool
    """Whether the suggested answer is correct."""
    indices: tuple[int, ...] = ()
    """Indices of the suggested options among the displayed ones, sorted; empty for judging."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingData(ScoringData):
    """What scoring needs of a question of Instruction Boundary."""

    form: Form
    protocol: PaperProtocol
    """The parser to use: `corrected` or `published`."""
    n_options: int
    """Number of numbered options that the prompt offers; 2, 3 or 5 in the judging form."""
    origin: str | None = None
    """Name of the data set that contains the item; None if unknown."""
    options: OptionsData | None = None
    """The displayed options; None in the judging form, whose options are its labels."""
    suggestion: Suggestion | None = None
    """The suggested answer of `conformity`, the claimed one of `pushback`; else None."""

    @property
    def gold_label(self) -> str:
        """The correct judging label, or the label of the set of correct options."""
        return str(self.gold) if self.options is None else choice_label(self.options.gold)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingExtra(Extra):
    """What the metrics of Instruction Boundary need of an outcome besides its score."""

    form: Form
    label: str
    """Label of the answer, `invalid` or `unparsed`."""
    gold_label: str
    """Label of the correct answer."""
    origin: str | None = None
    """As in `SettingData`."""
    suggested: str | None = None
    """Label that the setting suggests; None without a suggestion."""
    suggestion_is_gold: bool | None = None
    """Whether the suggested answer is correct; None without a suggestion."""
    suggested_answer: str | None = None
    """The suggested answer, written as an outcome's answer; None without a suggestion."""
    at_suggestion: bool | None = None
    """In logs of 0.17, which have no `suggested_answer`: whether the answer, or that of the
    baseline, equals the suggested one."""
    first_label: str | None = None
    """As `label`, of the answer in the first of several rounds; None if there is one round."""
    first_correct: bool | None = None
    """Whether the answer in the first of several rounds is correct; None if there is one round."""
    later_rounds: int | None = None
    """Number of rounds after the first; None if there is one round."""
    first_flip: int | None = None
    """Number of the later round, from 1, whose answer is the first to differ from that of the first
    round; 0 if none does, None if an unparsed answer comes before it."""


def option_letter(position: int) -> str:
    """Return the letter of the option at a position of the item."""
    return chr(ord("A") + position)
