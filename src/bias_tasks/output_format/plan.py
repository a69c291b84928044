"""What a run of output formats asks: every item in every format that its answer can be given in."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from bias_tasks.contract.family import Plan, Question
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_missing
from bias_tasks.names import names_in
from bias_tasks.output_format.data.load import load_formats, training_items
from bias_tasks.output_format.data.sources import FORMAT_DATASETS
from bias_tasks.output_format.formats import FORMATS, FormatReading, formats_of
from bias_tasks.output_format.items import (
    COMPARED,
    CORE,
    DATASETS,
    PAPER,
    PROMPTINGS,
    FormatItem,
    FormatParams,
    format_item_from_dict,
    format_item_to_dict,
    payload_text,
)
from bias_tasks.output_format.prompts import ask_format


@dataclass(frozen=True, slots=True)
class FormatQuestion:
    """One item asked in one format."""

    item: FormatItem
    format: str
    params: FormatParams
    demos: tuple[FormatItem, ...] = ()
    """Items that are shown with their answers before the question."""
    one_of_several: bool = False
    """Whether the run asks under several promptings."""

    @property
    def variant(self) -> str:
        """The format; with its prompting where a run has several."""
        return f"{self.params.prompting}+{self.format}" if self.one_of_several else self.format

    def prompt(self) -> str:
        """What the model is asked; a ValueError where the format can't hold a demonstration."""
        return ask_format(self.item, FORMATS[self.format], self.params, self.demos)

    def read(self, text: str) -> FormatReading:
        """Whether an answer follows the format, and what it holds."""
        fmt, params = FORMATS[self.format], self.params
        return fmt.read(text, self.item, params.protocol, params.prompting)

    def to_question(self) -> Question:
        """The question as hosts ask it; its facts are what reading and the figures take."""
        facts: dict[str, Any] = {"gold": payload_text(self.item.answer) or ""}
        facts |= {"category": FORMATS[self.format].category, "dataset": self.item.dataset}
        facts["question"] = self.to_dict()
        return Question.about(self.item, self.variant, self.prompt(), facts)

    def to_dict(self) -> dict[str, Any]:
        """What reading and scoring an answer takes, as plain JSON values."""
        return {
            "item": format_item_to_dict(self.item),
            "format": self.format,
            "prompting": self.params.prompting,
            "protocol": self.params.protocol,
            **({} if self.params.score == "exact" else {"score": self.params.score}),
        }


def question_from_dict(row: Mapping[str, Any]) -> FormatQuestion:
    """The question that `to_dict` wrote, without what only its prompt takes."""
    params = {name: row[name] for name in ("prompting", "protocol", "score") if name in row}
    return FormatQuestion(format_item_from_dict(row["item"]), row["format"], FormatParams(**params))


def plan_formats(task: str, values: Mapping[str, Any], n: int | None = None) -> Plan:
    """The questions of a run of `task` with these values of its parameters (`tasks.yaml`), `n`
    items of each data set at most; every item is asked under each prompting. A ValueError where a
    parameter's value is unknown or does not fit the others; a DataError where the items or
    demonstrations can't be had."""
    given = {name: values[name] for name in FormatParams.__slots__}
    promptings = chosen_names("prompting", values["prompting"], PROMPTINGS)
    askings = [FormatParams(**given | {"prompting": each}) for each in promptings]
    offered = [name for name, fmt in FORMATS.items() if fmt.category in COMPARED[task]]
    chosen = chosen_names("formats", values["formats"] or None, offered)
    demos, demos_from, seed = (values[name] for name in ("demos", "demos_from", "seed"))
    if demos_from is not None and not demos:
        raise ValueError(f"demos_from={demos_from!r} says nothing without demos=")
    datasets = names_in(values["data"])
    if datasets in ([], [PAPER]):
        datasets = list(dict.fromkeys(DATASETS[FORMATS[name].category] for name in chosen))
    papers = [FORMAT_DATASETS[name] for name in datasets if name in FORMAT_DATASETS]
    fetch_missing(papers, instead=f"data={CORE} or a file of your own")

    def questions(item: FormatItem, shown: tuple[FormatItem, ...]) -> list[Question]:
        return [
            FormatQuestion(item, fmt.name, asking, shown, len(askings) > 1).to_question()
            for asking in askings
            for fmt in formats_of(item)
            if fmt.name in chosen
        ]

    found: list[list[list[Question]]] = []
    provenance: list[Mapping[str, Any]] = []
    for name in datasets:
        loaded = load_formats(name, values["protocol"], seed, n, chosen)
        provenance += loaded.provenance
        training = training_items(name, seed, demos_from, chosen, loaded.items) if demos else ()
        found.append([questions(i, demonstrations(i, training, demos)) for i in loaded.items])
    # The items of all data sets take turns, so that a run that stops early has some of each.
    turns = zip_longest(*found, fillvalue=[])
    asked = tuple(question for turn in turns for item in turn for question in item)
    ids = Counter(question.id for question in asked)
    if repeated := [identifier for identifier, count in ids.items() if count > 1]:
        raise ValueError(f"two data sets have an item of the same id: {repeated[0]}")
    return Plan(asked, tuple(provenance), ", ".join(datasets))


def demonstrations(
    item: FormatItem, training: Sequence[FormatItem], count: int
) -> tuple[FormatItem, ...]:
    """The first `count` training items that ask for an answer like the item's, of mappings those
    with the item's keys before others. A DataError where there are fewer."""
    alike = [each for each in training if each.answer_type == item.answer_type]
    if len(alike) < count:
        raise DataError(
            f"demonstrations wanted: {count}, training items with an answer of type "
            f"{item.answer_type}: {len(alike)}; give a file that has more with demos_from=, or "
            "ask fewer items with n= where they are the core's"
        )
    return tuple(sorted(alike, key=lambda each: each.keys != item.keys)[:count])
