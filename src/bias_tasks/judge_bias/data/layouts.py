"""Converts rows with responses to items. The columns of a row decide its layout.

- JudgeBench: `pair_id`, `question`, `response_A`, `response_B`, `label` (`A>B` or `B>A`), and
  `source`, which determines the domain. One pair per row.
- RewardBench 2: `id`, `prompt`, `chosen` (a list), `rejected` (a list), `subset`. One pair per
  combination of a chosen and a rejected response; the pairs of a prompt are a cluster. The subset
  Ties is excluded: its prompts have many correct responses, which pairs do not compare.
- Our layout: `id`, `prompt`, and `response`, or `response_a` and `response_b` with a `label`; human
  labels are `human`, or `human_a` and `human_b`; and `cluster`, `domain`. Rows for
  `self_preference` have recorded answers, `own_answer` and `other_answer`, instead of responses.
  `question` is another name of `prompt` in any layout.

Cells of all other columns are kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field

from bias_tasks.data.columns import MAX_CELL_PARTS, Id, Nested, RowModel, Text, validate_row
from bias_tasks.data.tables import Cells, ExtraColumns
from bias_tasks.digests import content_hash
from bias_tasks.judge_bias.items import JudgedPrompt
from bias_tasks.unicode_text import encodable

FILE = "file"
"""Source of items that a user's file contains."""
_TIES_SUBSET = "Ties"
_KNOWLEDGE_PREFIX = "mmlu-pro"
"""Prefix of JudgeBench's fourteen sources of knowledge questions; it reports them as one."""
_LABEL_SPELLINGS = {"a": "A>B", "a>b": "A>B", "b": "B>A", "b>a": "B>A"}
_SAME_RESPONSE = "the same response twice"
_BLANK_RESPONSE = "a response without text"
RowItems = Iterator[JudgedPrompt | str]
"""The items of a row, and a reason for each pair or row that is excluded."""


def _normalize_label(value: object) -> object:
    """Return a label in JudgeBench's spelling; any other value unchanged."""
    if not isinstance(value, str):
        return value
    return _LABEL_SPELLINGS.get(value.strip().casefold(), value)


_Label = Annotated[Literal["A>B", "B>A"], BeforeValidator(_normalize_label)]
_HumanLabel = Annotated[float, Field(strict=False, allow_inf_nan=False)]
"""Not strict: CSV files have numbers as text."""
_Texts = Annotated[list[str], Field(min_length=1, max_length=MAX_CELL_PARTS), Nested]


class _PromptRow(RowModel):
    """A prompt, and recorded answers to it or none."""

    prompt: Text = Field(validation_alias=AliasChoices("prompt", "question"))
    cluster: Text | None = None
    domain: Text | None = None

    @classmethod
    def columns(cls) -> list[str]:
        """Return the names of all columns of the layout."""
        names: list[str] = []
        for name, field in cls.model_fields.items():
            alias = field.validation_alias
            names += map(str, alias.choices if isinstance(alias, AliasChoices) else [alias or name])
        return names

    def to_items(self, source: str) -> RowItems:
        """Yield the items of the row, and a reason for each pair that is excluded."""
        raise NotImplementedError

    def _build_item(self, source: str, *content: object, **fields: Any) -> JudgedPrompt:
        """Return an item whose id is the row's, or a hash of the prompt and further content."""
        identifier = self.id or content_hash(self.prompt, *content)
        is_named = source != FILE or self.id is None
        return JudgedPrompt(
            id=f"{source}-{identifier}" if is_named else identifier,
            prompt=self.prompt,
            cluster=self.cluster or hash_prompt(self.prompt),
            domain=self.domain,
            **fields,
        )


class _AnsweredRow(_PromptRow):
    own_answer: Text | None = None
    other_answer: Text | None = None

    def to_items(self, source: str) -> RowItems:
        answers = {"own_answer": self.own_answer, "other_answer": self.other_answer}
        yield self._build_item(source, *answers.values(), **answers)


class _SingleRow(_PromptRow):
    response: Text
    human: _HumanLabel | None = None

    def to_items(self, source: str) -> RowItems:
        responses = (self.response,)
        labels = () if self.human is None else (self.human,)
        yield self._build_item(
            source, responses, None, labels, responses=responses, human_labels=labels
        )


class _PairRow(_PromptRow):
    response_a: Text
    response_b: Text
    label: _Label | None = None
    human_a: _HumanLabel | None = None
    human_b: _HumanLabel | None = None

    def to_items(self, source: str) -> RowItems:
        responses = (self.response_a, self.response_b)
        if self.response_a == self.response_b:
            raise ValueError("column response_b: expected another text than response_a")
        labels = tuple(label for label in (self.human_a, self.human_b) if label is not None)
        if len(labels) == 1:
            missing = "human_a" if self.human_a is None else "human_b"
            raise ValueError(f"column {missing}: expected a value, found nothing")
        preferred = () if self.label is None else (0 if self.label == "A>B" else 1,)
        yield self._build_item(
            source,
            responses,
            self.label,
            labels,
            responses=responses,
            preferred=preferred,
            human_labels=labels,
        )


class _JudgeBenchRow(_PairRow):
    """A labelled pair. The rows of the benchmark may have the same response twice."""

    id: Id = Field(validation_alias="pair_id")
    domain: Text | None = Field(None, validation_alias="source")
    label: _Label

    def to_items(self, source: str) -> RowItems:
        if self.response_a == self.response_b:
            yield _SAME_RESPONSE
            return
        for item in super().to_items(source):
            assert isinstance(item, JudgedPrompt)
            columns = {} if self.domain is None else {"source": self.domain}
            is_knowledge = (self.domain or "").startswith(_KNOWLEDGE_PREFIX)
            domain = _KNOWLEDGE_PREFIX if is_knowledge else self.domain
            yield replace(item, domain=domain, extra_columns=columns)


class _RewardBenchRow(_PromptRow):
    domain: Text | None = Field(None, validation_alias="subset")
    chosen: _Texts
    rejected: _Texts

    def to_items(self, source: str) -> RowItems:
        if self.domain is not None and self.domain.casefold() == _TIES_SUBSET.casefold():
            yield f"subset {_TIES_SUBSET}"
            return
        for number, pair in enumerate(product(self.chosen, self.rejected), start=1):
            responses = tuple(map(encodable, pair))
            if not all(map(str.strip, responses)):
                yield _BLANK_RESPONSE
            elif len({*responses}) == 1:
                yield _SAME_RESPONSE
            else:
                item = self._build_item(
                    source, self.chosen, self.rejected, responses=responses, preferred=(0,)
                )
                yield replace(item, id=f"{item.id}-{number}")


_IDENTIFYING_COLUMNS: Mapping[type[_PromptRow], frozenset[str]] = {
    _JudgeBenchRow: frozenset({"pair_id"}),
    _RewardBenchRow: frozenset({"chosen", "rejected"}),
    _SingleRow: frozenset({"response"}),
    _PairRow: frozenset({"response_a", "response_b"}),
}
"""Columns by which a layout is recognized. The first layout with any of its columns counts."""
COLUMNS = tuple(dict.fromkeys(name for model in _IDENTIFYING_COLUMNS for name in model.columns()))
"""The columns of all rows with responses."""
PROMPT_COLUMNS = (*COLUMNS, "own_answer", "other_answer")
"""The columns of rows for `self_preference`, which need no responses."""


def convert_prompt_row(cells: Cells, extra_columns: ExtraColumns) -> list[JudgedPrompt | str]:
    """Return the items of a row for `self_preference`; see `convert_row`."""
    return convert_row(cells, extra_columns, without_response=_AnsweredRow)


def convert_row(
    cells: Cells,
    extra_columns: ExtraColumns,
    source: str = FILE,
    without_response: type[_PromptRow] | None = None,
) -> list[JudgedPrompt | str]:
    """Return the items of a row in any of the layouts.

    Args:
        cells: The row's cells that are not empty, by column.
        extra_columns: Cells in columns of no layout.
        source: Name of the data set, which is the prefix of ids.
        without_response: The layout of a row that has no column with a response; None if each row
            needs one.

    Returns:
        The items, and a reason for each pair or row that is excluded.

    Raises:
        ValueError: A cell is wrong. The message names each wrong column, the expected and the found
            value.
    """
    matching = (model for model, names in _IDENTIFYING_COLUMNS.items() if names & cells.keys())
    model = next(matching, without_response)
    if model is None:
        raise ValueError("columns response, or response_a and response_b: expected texts")
    row = validate_row(model, cells, model.columns())
    return [
        item
        if isinstance(item, str)
        else replace(item, extra_columns={**item.extra_columns, **extra_columns})
        for item in row.to_items(source)
    ]


def hash_prompt(prompt: str) -> str:
    """Return the cluster of all items with this prompt, whichever data set they are from."""
    return f"prompt-{content_hash(prompt)}"
