"""Converts rows with responses to items. The columns of a row decide its layout.

- JudgeBench: `pair_id`, `question`, `response_A`, `response_B`, `label` (`A>B` or `B>A`), and
  `source`, which determines the domain. One pair per row.
- RewardBench 2: `id`, `prompt`, `chosen` (a list), `rejected` (a list), `subset`. One pair per
  combination of a chosen and a rejected response; the pairs of a prompt are a cluster. The subset
  Ties is excluded: its prompts have many correct responses, which pairs do not compare.
- Our layout: `id`, `prompt`, and `response`, or `response_a` and `response_b` with a `label`; human
  labels are `human`, or `human_a` and `human_b`; and `cluster`, `domain`. Rows for
  `self_preference` have recorded answers, `own_answer` and `other_answer`, instead of responses.
  Without `pair_id`, `question` is the `prompt`, and `response_A` and `response_B` are responses.

Cells of all other columns are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from bias_tasks.data.columns import MAX_CELL_PARTS, Id, RowModel, Strict, Text, validate_row
from bias_tasks.data.tables import Layout
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
RowItems = Sequence[JudgedPrompt | str]
"""The items of a row, and a reason for each pair or row that is excluded."""


def _normalize_label(value: object) -> object:
    """Return a label in JudgeBench's spelling; any other value unchanged."""
    if not isinstance(value, str):
        return value
    return _LABEL_SPELLINGS.get(value.strip().casefold(), value)


_Label = Annotated[Literal["A>B", "B>A"], BeforeValidator(_normalize_label)]
_HumanLabel = Annotated[float, Field(strict=False, allow_inf_nan=False)]
"""Not strict: CSV files have numbers as text."""
_Texts = Annotated[list[str], Field(min_length=1, max_length=MAX_CELL_PARTS)]


class _JudgeBenchRow(Strict):
    pair_id: Id
    question: Text
    response_A: Text  # noqa: N815 - a column's name
    response_B: Text  # noqa: N815
    label: _Label
    source: Text | None = None


class _RewardBenchRow(RowModel):
    prompt: Text
    chosen: _Texts
    rejected: _Texts
    subset: Text | None = None


class _PromptRow(RowModel):
    prompt: Text
    cluster: Text | None = None
    domain: Text | None = None


class _AnsweredRow(_PromptRow):
    own_answer: Text | None = None
    other_answer: Text | None = None


class _SingleRow(_PromptRow):
    response: Text
    human: _HumanLabel | None = None


class _PairRow(_PromptRow):
    response_a: Text
    response_b: Text
    label: _Label | None = None
    human_a: _HumanLabel | None = None
    human_b: _HumanLabel | None = None


_IDENTIFYING_COLUMNS: Mapping[type[Strict], frozenset[str]] = {
    _JudgeBenchRow: frozenset({"pair_id"}),
    _RewardBenchRow: frozenset({"chosen", "rejected"}),
    _SingleRow: frozenset({"response"}),
    _PairRow: frozenset({"response_a", "response_b"}),
}
"""Columns by which a layout is recognized. The first layout with any of its columns counts."""
_JUDGEBENCH_NAMES = {"question": "prompt", "response_A": "response_a", "response_B": "response_b"}
"""Columns of JudgeBench that may also name those of the other layouts."""
LAYOUT = Layout(
    columns=tuple(
        dict.fromkeys(name for model in _IDENTIFYING_COLUMNS for name in model.model_fields)
    ),
    json_columns=("chosen", "rejected"),
)
"""The columns of all rows with responses."""
PROMPT_LAYOUT = replace(LAYOUT, columns=(*LAYOUT.columns, "own_answer", "other_answer"))
"""The columns of rows for `self_preference`, which need no responses."""


def convert_prompt_row(
    cells: Mapping[str, object], extra_columns: Mapping[str, object]
) -> RowItems:
    """Return the items of a row for `self_preference`; see `convert_row`."""
    return convert_row(cells, extra_columns, without_response=_AnsweredRow)


def convert_row(
    cells: Mapping[str, object],
    extra_columns: Mapping[str, object],
    source: str = FILE,
    without_response: type[Strict] = _PairRow,
) -> RowItems:
    """Return the items of a row in any of the layouts.

    Args:
        cells: The row's cells that are not empty, by column.
        extra_columns: Cells in columns of no layout.
        source: Name of the data set, which is the prefix of ids.
        without_response: The layout of a row that has no column with a response.

    Returns:
        The items, and a reason for each pair or row that is excluded.

    Raises:
        ValueError: A cell is wrong. The message names each wrong column, the expected and the found
            value.
    """
    if "pair_id" not in cells:
        renamed = {old: new for old, new in _JUDGEBENCH_NAMES.items() if new not in cells}
        cells = {renamed.get(column, column): value for column, value in cells.items()}
    matching = [model for model, names in _IDENTIFYING_COLUMNS.items() if names & cells.keys()]
    if not matching and without_response is _PairRow:
        raise ValueError("columns response, or response_a and response_b: expected texts")
    row = validate_row((*matching, without_response)[0], cells)
    items: RowItems
    if isinstance(row, _JudgeBenchRow):
        items = _convert_judgebench(row, source)
    elif isinstance(row, _RewardBenchRow):
        items = _convert_rewardbench(row, source)
    elif isinstance(row, _AnsweredRow):
        items = [_convert_answered(row)]
    elif isinstance(row, _SingleRow):
        items = [_convert_single(row)]
    else:
        assert isinstance(row, _PairRow)
        items = [_convert_pair(row)]
    return [
        item
        if isinstance(item, str)
        else replace(
            item,
            cluster=item.cluster or hash_prompt(item.prompt),
            extra_columns={**item.extra_columns, **extra_columns},
        )
        for item in items
    ]


def hash_prompt(prompt: str) -> str:
    """Return the cluster of all items with this prompt, whichever data set they are from."""
    return f"prompt-{content_hash(prompt)}"


def _convert_judgebench(row: _JudgeBenchRow, source: str) -> RowItems:
    if row.response_A == row.response_B:
        return [_SAME_RESPONSE]
    item = JudgedPrompt(
        id=_build_id(source, row.pair_id),
        prompt=row.question,
        responses=(row.response_A, row.response_B),
        preferred=_list_preferred(row.label),
    )
    if row.source is None:
        return [item]
    is_knowledge = row.source.startswith(_KNOWLEDGE_PREFIX)
    domain = _KNOWLEDGE_PREFIX if is_knowledge else row.source
    return [replace(item, domain=domain, extra_columns={"source": row.source})]


def _convert_rewardbench(row: _RewardBenchRow, source: str) -> RowItems:
    if row.subset is not None and row.subset.casefold() == _TIES_SUBSET.casefold():
        return [f"subset {_TIES_SUBSET}"]
    items: list[JudgedPrompt | str] = []
    row_id = _build_id(source, row.id, row.prompt, row.chosen, row.rejected)
    for number, pair in enumerate(product(row.chosen, row.rejected), start=1):
        chosen, rejected = map(encodable, pair)
        if not chosen.strip() or not rejected.strip():
            items.append(_BLANK_RESPONSE)
        elif chosen == rejected:
            items.append(_SAME_RESPONSE)
        else:
            item_id, responses = f"{row_id}-{number}", (chosen, rejected)
            items.append(
                JudgedPrompt(item_id, row.prompt, responses, preferred=(0,), domain=row.subset)
            )
    return items


def _convert_answered(row: _AnsweredRow) -> JudgedPrompt:
    return JudgedPrompt(
        id=_build_id(FILE, row.id, row.prompt, row.own_answer, row.other_answer),
        prompt=row.prompt,
        cluster=row.cluster,
        domain=row.domain,
        own_answer=row.own_answer,
        other_answer=row.other_answer,
    )


def _convert_single(row: _SingleRow) -> JudgedPrompt:
    responses = (row.response,)
    labels = () if row.human is None else (row.human,)
    return JudgedPrompt(
        id=_build_id(FILE, row.id, row.prompt, responses, None, labels),
        prompt=row.prompt,
        responses=responses,
        cluster=row.cluster,
        domain=row.domain,
        human_labels=labels,
    )


def _convert_pair(row: _PairRow) -> JudgedPrompt:
    responses = (row.response_a, row.response_b)
    if row.response_a == row.response_b:
        raise ValueError("column response_b: expected another text than response_a")
    labels = tuple(label for label in (row.human_a, row.human_b) if label is not None)
    if len(labels) == 1:
        missing = "human_a" if row.human_a is None else "human_b"
        raise ValueError(f"column {missing}: expected a value, found nothing")
    return JudgedPrompt(
        id=_build_id(FILE, row.id, row.prompt, responses, row.label, labels),
        prompt=row.prompt,
        responses=responses,
        preferred=_list_preferred(row.label),
        cluster=row.cluster,
        domain=row.domain,
        human_labels=labels,
    )


def _list_preferred(label: str | None) -> tuple[int, ...]:
    """Return the index of the better response; empty without a label."""
    if label is None:
        return ()
    return (0,) if label == "A>B" else (1,)


def _build_id(source: str, row_id: str | None, *content: object) -> str:
    """Return an item's id: the row's, or a hash of the content. Data sets add their name."""
    if source == FILE:
        return row_id or f"{FILE}-{content_hash(*content)}"
    return f"{source}-{row_id or content_hash(*content)}"
