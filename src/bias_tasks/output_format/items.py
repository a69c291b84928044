"""A question that is asked in several output formats (FormatEval, sections 3.3 and 5)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any, Literal, get_args

from pydantic import TypeAdapter

from bias_tasks.contract.parameters import declared
from bias_tasks.names import PaperProtocol

AnswerType = Literal[
    "option_letter", "option_text", "text", "number", "binary_list", "string_list", "mapping"
]
Payload = str | tuple[str, ...] | tuple[int, ...] | Mapping[str, tuple[str, ...]]
"""An answer by its type: text for the first four, 0 and 1 for each candidate of a binary list,
strings of a list, and lists of strings under each key of a mapping."""
Category = Literal["mcq", "wrapping", "list", "mapping"]
Prompting = Literal["zs", "zs_cot"]
Score = Literal["exact", "paper"]

ANSWER_TYPES: tuple[AnswerType, ...] = get_args(AnswerType)
CATEGORIES: tuple[Category, ...] = get_args(Category)
PROMPTINGS: tuple[Prompting, ...] = get_args(Prompting)
COMPARED: Mapping[str, tuple[Category, ...]] = {
    "format_mcq": ("mcq",),
    "format_wrapping": ("wrapping",),
    "format_list": ("list",),
    "format_mapping": ("mapping",),
    "format_bias": CATEGORIES,
}
"""The categories of formats that each task asks for; a format is compared within its own."""
DATASETS: Mapping[Category, str] = {
    "mcq": "bbh",
    "wrapping": "gsm8k",
    "list": "semeval2017",
    "mapping": "scirex_medium",
}
"""What `data=paper` asks in a category's formats."""
PAPER, CORE, SYNTHETIC = "paper", "core", "synthetic"
"""Values of `data` beside names of data sets and files."""
FOREIGN = "foreign"
"""The data set of another task's questions."""


@dataclass(frozen=True, slots=True)
class FormatParams:
    """How a run asks and scores; a ValueError for a value that `tasks.yaml` refuses."""

    prompting: Prompting = "zs"
    repeat: int = 1
    demos: int = 0
    protocol: PaperProtocol = "corrected"
    score: Score = "exact"

    def __post_init__(self) -> None:
        parameters = declared(__package__).parameters
        for name in self.__slots__:
            parameters[name].check(getattr(self, name))


@dataclass(frozen=True, slots=True)
class FormatItem:
    """A question with everything it needs but the instruction of a format."""

    id: str
    dataset: str
    input: str
    """What is asked, as it stands in the prompt: question, passage, options or document."""
    answer: Payload
    """Gold, in the form of `answer_type`; a letter where there are options."""
    answer_type: AnswerType
    cluster: str
    options: tuple[str, ...] = ()
    """The options' texts, A first, where the question has options."""
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that nobody asks about, as plain JSON values."""

    @property
    def letters(self) -> str:
        """The letters that it offers; every one where its options are not known."""
        return ascii_uppercase[: len(self.options) or None]

    @property
    def keys(self) -> tuple[str, ...]:
        """Mapping: the keys that are asked for, in the order of gold."""
        return tuple(self.answer) if isinstance(self.answer, Mapping) else ()


_ITEM = TypeAdapter(FormatItem)


def format_item_to_dict(item: FormatItem) -> dict[str, Any]:
    """The item as plain JSON values, without further columns; `format_item_from_dict` reads it."""
    return dict(_ITEM.dump_python(item, mode="json", exclude={"further"}))


def format_item_from_dict(row: Mapping[str, Any]) -> FormatItem:
    """The item that `format_item_to_dict` wrote."""
    return _ITEM.validate_python(row)


def folded(text: str) -> str:
    """A text without regard to capitals and blanks."""
    return " ".join(text.casefold().split())


def payload_text(payload: Payload | None) -> str | None:
    """What an answer holds as one text: lists with commas between, mappings as JSON."""
    if payload is None or isinstance(payload, str):
        return payload
    if isinstance(payload, Mapping):
        return json.dumps(payload, ensure_ascii=False)
    return ", ".join(map(str, payload))
