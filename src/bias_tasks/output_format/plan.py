"""Plans the questions of a run: each item in each format that supports its type of answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from bias_tasks.contract.parameters import ParameterValues, select_names
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import UnreachableError, fetch_missing, is_cached
from bias_tasks.output_format.data.load import load_formats, training_items
from bias_tasks.output_format.data.sources import FORMAT_DATASETS
from bias_tasks.output_format.formats import FORMATS, find_formats
from bias_tasks.output_format.items import (
    PAPER_DATASETS,
    PROMPTINGS,
    TASK_CATEGORIES,
    FormatItem,
    FormatParams,
    format_payload,
)
from bias_tasks.output_format.prompts import render_prompt
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.protocols import CORE, PAPER, PaperProtocol, check_paper_only
from bias_tasks.user_names import parse_names


@dataclass(frozen=True, slots=True)
class FormatQuestion:
    """One item in one format."""

    item: FormatItem
    format: str
    """Name of the format."""
    params: FormatParams
    demos: tuple[FormatItem, ...] = ()
    """Items that the prompt shows with their answers before the question."""
    names_prompting: bool = False
    """Whether the variant names the prompting, since the run has several."""

    @property
    def variant(self) -> str:
        """The format's name, after the prompting if the run has several: `zs_cot+bolding`."""
        return f"{self.params.prompting}+{self.format}" if self.names_prompting else self.format

    def prompt(self) -> str:
        """Return the prompt.

        Raises:
            ValueError: The format cannot express the answer of a demonstration.
        """
        return render_prompt(self.item, FORMATS[self.format], self.params, self.demos)

    def scoring_data(self) -> FormatData:
        """Return what parsing and scoring the answer need."""
        item, params = self.item, self.params
        return FormatData(
            item=item.id,
            cluster=item.cluster or item.id,
            variant=self.variant,
            gold=format_payload(item.answer) or "",
            columns=dict(item.columns),
            format=self.format,
            dataset=item.dataset,
            input=item.input,
            answer_type=item.answer_type,
            gold_value=item.answer,
            options=item.options,
            prompting=params.prompting,
            protocol=params.parsing_protocol,
            score=params.score,
        )

    def to_question(self) -> Question:
        """Return the question as frameworks take it."""
        return Question.from_scoring_data(
            self.scoring_data(), self.prompt(), choices=self.item.options
        )


def plan_formats(task: str, values: ParameterValues, n: int | None = None) -> Plan:
    """Return the questions of a run.

    Args:
        task: Name of the task.
        values: The value of every parameter.
        n: Maximum number of items per data set; None for all.

    Raises:
        ValueError: A value is unknown, or does not fit the others.
        DataError: Items or demonstrations are not available.
    """
    shared = {name: values[name] for name in FormatParams.__slots__}
    promptings = select_names("prompting", values["prompting"], PROMPTINGS)
    params = [FormatParams(**shared | {"prompting": prompting}) for prompting in promptings]
    n_demos, seed, protocol = values["demos"], values["seed"], params[0].parsing_protocol
    if values["demos_from"] is not None and not n_demos:
        raise ValueError("demos_from= has no effect without demos=: set both or neither")
    formats = _select_formats(task, values)
    datasets, notes = select_datasets(parse_names(values["data"]), formats, protocol)
    by_dataset: list[list[list[Question]]] = []
    provenance: list[Mapping[str, object]] = []
    for dataset in datasets:
        loaded = load_formats(dataset, protocol, seed, n, formats)
        provenance += loaded.provenance
        training: Sequence[FormatItem] = ()
        if n_demos:
            training = training_items(dataset, seed, values["demos_from"], formats, loaded.items)
        by_dataset.append(
            [
                _plan_item(item, formats, params, select_demonstrations(item, training, n_demos))
                for item in loaded.items
            ]
        )
    return Plan(alternate(by_dataset), tuple(provenance), ", ".join(datasets), notes)


def alternate(by_dataset: Sequence[Sequence[Sequence[Question]]]) -> tuple[Question, ...]:
    """Return all questions, in which the items of the data sets alternate.

    A run that stops early then has some of each.

    Args:
        by_dataset: The questions of each item of each data set.

    Raises:
        ValueError: Two questions have the same id.
    """
    rounds = zip_longest(*by_dataset, fillvalue=())
    questions = tuple(q for one_round in rounds for item in one_round for q in item)
    ids = Counter(question.id for question in questions)
    if repeated := [question_id for question_id, count in ids.items() if count > 1]:
        raise ValueError(f"two data sets have an item with the same id: {repeated[0]}")
    return questions


def _select_formats(task: str, values: ParameterValues) -> tuple[str, ...]:
    """Return the names of a run's formats; one that repeats the paper has only the paper's."""
    corrected = values["protocol"] == "corrected"
    available = [
        name
        for name, fmt in FORMATS.items()
        if fmt.category in TASK_CATEGORIES[task] and (corrected or fmt.source == "paper")
    ]
    return select_names("formats", values["formats"] or None, available)


def select_datasets(
    names: Sequence[str], formats: Sequence[str], protocol: PaperProtocol
) -> tuple[Sequence[str], tuple[str, ...]]:
    """Fetch the data sets of a run that are not in the cache.

    Args:
        names: What the user requests; nothing or `paper` for the paper's data sets of the formats.
        formats: Names of the formats.
        protocol: Protocol of the run.

    Returns:
        The names of the available data sets, and a note on those that are left out. Only data sets
        that the user did not name are left out.

    Raises:
        ValueError: A run that repeats the paper has a data set that is not the paper's.
        UnreachableError: A data set that the user named, or every one of the paper's, cannot be
            fetched.
    """
    whole_paper = names in ([], [PAPER])
    if whole_paper:
        by_format = (PAPER_DATASETS[FORMATS[name].category] for name in formats)
        names = list(dict.fromkeys(chain.from_iterable(by_format)))
    sources = [FORMAT_DATASETS[name] for name in names if name in FORMAT_DATASETS]
    check_paper_only(protocol, [source.name for source in sources if source.source == "ours"])
    try:
        fetch_missing(sources, alternative=f"data={CORE} or a file of your own")
    except UnreachableError:
        missing = [source for source in sources if not is_cached(source)]
        if not whole_paper or missing == sources:
            raise
        left_out = [source.dataset for source in missing]
        note = (
            f"left out of data={PAPER}: {', '.join(left_out)} ({len(left_out)} of "
            f"{len(sources)} data sets), not in the cache and not reachable, so that averages over "
            "data sets are not comparable with the paper's; with network access, run `bias-tasks "
            f"data fetch {' '.join(source.name for source in missing)}`"
        )
        return [name for name in names if name not in left_out], (note,)
    return names, ()


def _plan_item(
    item: FormatItem,
    formats: Sequence[str],
    params: Sequence[FormatParams],
    demos: tuple[FormatItem, ...],
) -> list[Question]:
    """Return the questions of one item: each selected format under each prompting."""
    return [
        FormatQuestion(item, fmt.name, prompting, demos, len(params) > 1).to_question()
        for prompting in params
        for fmt in find_formats(item)
        if fmt.name in formats
    ]


def select_demonstrations(
    item: FormatItem, training: Sequence[FormatItem], count: int
) -> tuple[FormatItem, ...]:
    """Return the first training items with the item's type of answer.

    For a mapping, training items with the same keys come first.

    Raises:
        DataError: There are fewer than `count`.
    """
    same_type = [row for row in training if row.answer_type == item.answer_type]
    if len(same_type) < count:
        raise DataError(
            f"{count} demonstrations are required, but only {len(same_type)} training items have "
            f"an answer of type {item.answer_type}: give a larger file with demos_from=, or "
            "reduce n= if the demonstrations come from the core"
        )
    return tuple(sorted(same_type, key=lambda row: row.keys != item.keys)[:count])
