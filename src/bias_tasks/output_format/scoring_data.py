"""The data of a question and of its outcome that logs hold and metrics read."""

from dataclasses import dataclass

from bias_tasks.contract.json_data import JsonData
from bias_tasks.contract.outcomes import Extra
from bias_tasks.contract.questions import ScoringData
from bias_tasks.output_format.formats import FORMATS, OutputFormat
from bias_tasks.output_format.items import (
    AnswerType,
    Category,
    FormatItem,
    Payload,
    Prompting,
    Scoring,
)
from bias_tasks.output_format.modes import MODES, Mode
from bias_tasks.protocols import PaperProtocol


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatData(ScoringData):
    """Everything that parsing and scoring an answer in a format need of the question."""

    format: str
    """Name of the requested format, or of the mode of asking."""
    dataset: str
    input: str
    """As in `FormatItem`."""
    answer_type: AnswerType
    gold_value: Payload
    """The correct answer in the form of `answer_type`; `gold` is the same as one text."""
    options: tuple[str, ...] = ()
    """As in `FormatItem`."""
    prompting: Prompting
    protocol: PaperProtocol
    score: Scoring = "exact"
    """How a number is scored."""
    schema_order: tuple[str, ...] | None = None
    """The labels or keys in the order of the schema; None if `format` is no mode of asking."""

    @property
    def output_format(self) -> OutputFormat:
        """The requested format or mode."""
        return (FORMATS if self.schema_order is None else MODES)[self.format]

    @property
    def enforced(self) -> str:
        """As in `ScoringData`."""
        fmt = self.output_format
        return fmt.enforced if isinstance(fmt, Mode) else ""

    def to_item(self) -> FormatItem:
        """Return the item of the question."""
        return FormatItem(
            self.item,
            self.dataset,
            self.input,
            self.gold_value,
            self.answer_type,
            self.cluster,
            self.options,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExtra(JsonData):
    """What the metrics of modes need of the call that got an answer."""

    first_label: str | None = None
    """The letter of the option that the schema lists first; None without options."""
    is_cut: bool = False
    tokens: int | None = None
    """Output tokens; None if they are not known."""
    seconds: float | None = None
    """Duration; None if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatExtra(Extra):
    """What the metrics need of an outcome in addition to its score."""

    follows: bool
    """Whether the answer follows the requested format."""
    encloses_other: bool | None = None
    """As in `ParsedFormat`, for an answer that does not follow a wrapping; None for other answers,
    and in logs of versions up to 0.17."""
    format: str
    category: Category
    """The category of the format."""
    dataset: str
    prompting: Prompting
    form: int
    """Number of options. `above_chance` compares items with the same number of options."""
    key_flaws: tuple[str, ...] | None = None
    """What is wrong with the keys of a mapping (`MappingFormat.find_key_flaws`); None for another
    category, and in logs of versions up to 0.17."""
    recovered_score: float | None = None
    """Score of the value of an answer that does not follow, which the parser of options or a grader
    found; None if it follows or has none."""
    call: CallExtra | None = None
    """Of an answer in a mode of asking; else None."""
