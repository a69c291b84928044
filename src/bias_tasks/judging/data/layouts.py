"""The layouts of rows that hold responses to judge, and the items of a row.

- JudgeBench's: `pair_id`, `question`, `response_A`, `response_B`, `label` (`A>B` or `B>A`), and
  `source`, of which the domain is made. One pair.
- RewardBench 2's: `id`, `prompt`, `chosen` (a list), `rejected` (a list), `subset`. A pair of each
  chosen and each rejected response; pairs of one prompt are a cluster. The subset Ties is left
  out: its prompts have many right responses, and it asks for more than which of two is better.
- Our own: `id`, `prompt`, and `response`, or `response_a` and `response_b` with a `label`; people's
  labels are `human`, or `human_a` and `human_b`; and `cluster`, `domain`. For self-preference
  `own` and `other` are recorded answers in place of responses.

A row is known by its columns. Further ones, the benchmarks' among them, are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from bias_tasks.data.columns import MOST_PARTS, Id, RowModel, Strict, Text, checked
from bias_tasks.data.tables import Layout
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.names import content_hash, encodable

FILE = "file"
_TIES = "Ties"
_GENERAL_KNOWLEDGE = "mmlu-pro"
"""What JudgeBench's fourteen sources of knowledge begin with; it reports them as one."""
_LABELS = {"a": "A>B", "a>b": "A>B", "b": "B>A", "b>a": "B>A"}
_SAME = "the same response twice"
RowItems = Sequence[JudgedPrompt | str]
"""The items of a row, and for each pair or row that is left out the reason."""


def _label(value: object) -> object:
    """A label as JudgeBench writes it, where it is written in another way."""
    return _LABELS.get(value.strip().casefold(), value) if isinstance(value, str) else value


_Label = Annotated[Literal["A>B", "B>A"], BeforeValidator(_label)]
_Human = Annotated[float, Field(strict=False, allow_inf_nan=False)]
"""CSV writes it as text."""
_Texts = Annotated[list[str], Field(min_length=1, max_length=MOST_PARTS)]


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
    own: Text | None = None
    other: Text | None = None


class _SingleRow(_PromptRow):
    response: Text
    human: _Human | None = None


class _PairRow(_PromptRow):
    response_a: Text
    response_b: Text
    label: _Label | None = None
    human_a: _Human | None = None
    human_b: _Human | None = None


_SINGLE, _PAIR = {"response": "human"}, {"response_a": "human_a", "response_b": "human_b"}
"""Columns of responses in our own layout, each with that of its people's label."""
_MARKS: Mapping[type[Strict], frozenset[str]] = {
    _JudgeBenchRow: frozenset({"pair_id", "question", "response_A", "response_B"}),
    _RewardBenchRow: frozenset({"chosen", "rejected"}),
    _SingleRow: frozenset(_SINGLE),
    _PairRow: frozenset(_PAIR),
}
"""By which columns a row is one of the layout: any of them, of several layouts the first."""
LAYOUT = Layout(
    columns=tuple(dict.fromkeys(name for model in _MARKS for name in model.model_fields)),
    json_columns=("chosen", "rejected"),
)
"""Every column of rows with responses."""
PROMPT_LAYOUT = replace(LAYOUT, columns=(*LAYOUT.columns, "own", "other"))
"""Of self-preference, whose rows need no responses."""


def prompts_of(cells: Mapping[str, Any], further: Mapping[str, Any]) -> RowItems:
    """The items of a row for self-preference, which may be without responses."""
    return items_of(cells, further, without_response=_AnsweredRow)


def items_of(
    cells: Mapping[str, Any],
    further: Mapping[str, Any],
    source: str = FILE,
    without_response: type[Strict] = _PairRow,
) -> RowItems:
    """The items of a row in any of the layouts, by its cells in their columns without the empty
    ones, and `further` ones. Ids begin with the name of the data set, `source`; `without_response`
    is the layout of a row that has no column of a response. A ValueError names each wrong column,
    what was expected and what was found."""
    models = (model for model, marks in _MARKS.items() if marks & cells.keys())
    row = checked(next(models, without_response), cells)
    found: RowItems
    if isinstance(row, _JudgeBenchRow):
        found = _of_judgebench(row, source)
    elif isinstance(row, _RewardBenchRow):
        found = _of_rewardbench(row, source)
    else:
        assert isinstance(row, _PromptRow)
        found = [replace(_of_own(row), cluster=row.cluster, domain=row.domain)]
    return [
        each
        if isinstance(each, str)
        else replace(
            each,
            cluster=each.cluster or same_prompt(each.prompt),
            further={**each.further, **further},
        )
        for each in found
    ]


def same_prompt(prompt: str) -> str:
    """The cluster of all items of a prompt, whichever data set they are of."""
    return f"prompt-{content_hash(prompt)}"


def _of_judgebench(row: _JudgeBenchRow, source: str) -> RowItems:
    if row.response_A == row.response_B:
        return [_SAME]
    item = JudgedPrompt(
        id=_identifier(source, row.pair_id),
        prompt=row.question,
        responses=(row.response_A, row.response_B),
        right=_right(row.label),
    )
    if row.source is None:
        return [item]
    general = row.source.startswith(_GENERAL_KNOWLEDGE)
    domain = _GENERAL_KNOWLEDGE if general else row.source
    return [replace(item, domain=domain, further={"source": row.source})]


def _of_rewardbench(row: _RewardBenchRow, source: str) -> RowItems:
    if row.subset is not None and row.subset.casefold() == _TIES.casefold():
        return [f"subset {_TIES}"]
    found: list[JudgedPrompt | str] = []
    base = _identifier(source, row.id, row.prompt, row.chosen, row.rejected)
    for number, pair in enumerate(product(row.chosen, row.rejected), start=1):
        chosen, rejected = map(encodable, pair)
        if not chosen.strip() or not rejected.strip():
            found.append("a response without text")
        elif chosen == rejected:
            found.append(_SAME)
        else:
            item = JudgedPrompt(f"{base}-{number}", row.prompt, (chosen, rejected), right=(0,))
            found.append(replace(item, domain=row.subset))
    return found


def _of_own(row: _PromptRow) -> JudgedPrompt:
    if isinstance(row, _AnsweredRow):
        identifier = _identifier(FILE, row.id, row.prompt, row.own, row.other)
        return JudgedPrompt(identifier, row.prompt, own=row.own, other=row.other)
    given = row.model_dump()
    columns = _SINGLE if isinstance(row, _SingleRow) else _PAIR
    responses = tuple(given[name] for name in columns)
    human = tuple(given[name] for name in columns.values())
    label = given.get("label")
    if len({*responses}) < len(responses):
        raise ValueError("column response_b: expected another text than response_a")
    labels = tuple(each for each in human if each is not None)
    if labels and len(labels) < len(human):
        missing = next(name for name in columns.values() if given[name] is None)
        raise ValueError(f"column {missing}: expected a value, found nothing")
    identifier = _identifier(FILE, row.id, row.prompt, responses, label, labels)
    return JudgedPrompt(identifier, row.prompt, responses, _right(label), human=labels)


def _right(label: str | None) -> tuple[int, ...]:
    return () if label is None else (0 if label == "A>B" else 1,)


def _identifier(source: str, own: str | None, *content: object) -> str:
    """An item's id: the row's own, beside other data sets' behind the source's name."""
    if source == FILE:
        return own or f"{FILE}-{content_hash(*content)}"
    return f"{source}-{own or content_hash(*content)}"
