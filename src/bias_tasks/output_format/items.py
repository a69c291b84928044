"""Items, which are prompted in several output formats (FormatEval, sections 3.3 and 5)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Literal, get_args

from bias_tasks.contract.declarations import load_declaration
from bias_tasks.contract.json_data import JsonData
from bias_tasks.protocols import PaperProtocol

AnswerType = Literal[
    "option_letter",
    "option_text",
    "option_set",
    "text",
    "number",
    "binary_list",
    "string_list",
    "mapping",
]
Payload = str | tuple[str, ...] | tuple[int, ...] | Mapping[str, tuple[str, ...]]
"""An answer by its type: letters of an option set, 0 or 1 per candidate for a binary list, texts
for a string list, a list of texts per key for a mapping, and else one text."""
Category = Literal["mcq", "wrapping", "list", "mapping", "structured"]
"""Formats of one category are compared with each other; `structured` has the modes of asking."""
Prompting = Literal["zs", "zs_cot"]
Scoring = Literal["exact", "paper"]
"""How numbers are scored: by their value, or by the paper's token F1."""
FormatProtocol = Literal["corrected", "published", "paper_text"]
"""`published` sends the prompts of the authors' public scripts, `paper_text` those that the paper
prints; both parse and score answers as the public code does."""
ScriptVariant = Literal["chatgpt", "mistral", "gemma"]
"""The model whose script is followed."""

ANSWER_TYPES: tuple[AnswerType, ...] = get_args(AnswerType)
CATEGORIES: tuple[Category, ...] = ("mcq", "wrapping", "list", "mapping")
"""The categories of FormatEval."""
PROMPTINGS: tuple[Prompting, ...] = get_args(Prompting)
SCRIPT_VARIANTS: tuple[ScriptVariant, ...] = get_args(ScriptVariant)
TASK_CATEGORIES: Mapping[str, tuple[Category, ...]] = {
    "format_mcq": ("mcq",),
    "format_wrapping": ("wrapping",),
    "format_list": ("list",),
    "format_mapping": ("mapping",),
    "format_bias": CATEGORIES,
}
"""The categories of formats in each task. A format is compared with the others of its category."""
PAPER_DATASETS: Mapping[Category, tuple[str, ...]] = {
    "mcq": ("mmlu", "bbh"),
    "wrapping": ("mmlu", "bbh", "gsm8k", "hotpotqa", "fairytaleqa"),
    "list": ("scidocs", "semeval2017"),
    "mapping": ("scirex_easy", "scirex_medium", "scirex_hard"),
}
"""The data sets of each category (section 4), which `data=paper` selects."""
ANY_TASK = "foreign"
"""`FormatItem.dataset` of items of another package's task."""


def texts_of(dataset: str) -> str:
    """Return a name that data sets about the same texts share: the levels of SciREX."""
    return "scirex" if dataset.startswith("scirex_") else dataset


@dataclass(frozen=True, slots=True)
class FormatParams:
    """The parameters that determine a prompt, how its answer is parsed, and its score.

    Raises:
        ValueError: `parameters.py` does not allow a value.
    """

    prompting: Prompting = "zs"
    repeat: int = 1
    demos: int = 0
    protocol: FormatProtocol = "corrected"
    variant: ScriptVariant = "chatgpt"
    score: Scoring = "exact"

    def __post_init__(self) -> None:
        parameters = load_declaration(__package__).parameters
        for name in self.__slots__:
            parameters[name].check(getattr(self, name))

    @property
    def parsing_protocol(self) -> PaperProtocol:
        """The protocol by which answers are parsed and scored."""
        return "corrected" if self.protocol == "corrected" else "published"


@dataclass(frozen=True, slots=True)
class FormatItem(JsonData):
    """A record of a data set: everything of a prompt except the format's instruction."""

    id: str
    dataset: str
    input: str
    """Question, passage, options or document, as in the prompt."""
    answer: Payload
    """The correct answer in the form of `answer_type`; a letter if the item has options."""
    answer_type: AnswerType
    cluster: str
    options: tuple[str, ...] = ()
    """Texts of the options from A; empty if the item has none, or they are not known."""
    columns: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that no task needs, as plain JSON values by column."""

    @property
    def letters(self) -> str:
        """The letters of its options; all letters if the options are not known."""
        return ascii_uppercase[: len(self.options) or None]

    @property
    def keys(self) -> tuple[str, ...]:
        """The requested keys of a mapping, in the order of the correct answer; else empty."""
        return tuple(self.answer) if isinstance(self.answer, Mapping) else ()


def fold_text(text: str) -> str:
    """Return a text in lower case, with single blanks between its words."""
    return " ".join(text.casefold().split())


def format_payload(payload: Payload | None) -> str | None:
    """Return an answer as one text: lists separated by commas, mappings as JSON."""
    if payload is None or isinstance(payload, str):
        return payload
    if isinstance(payload, Mapping):
        return json.dumps(payload, ensure_ascii=False)
    return ", ".join(map(str, payload))
