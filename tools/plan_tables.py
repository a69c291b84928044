"""Writes the tables that state calls, tokens or costs, as `bias-tasks plan` counts them.

They are on the pages of `PAGES`, and on pages of families between `<!-- calls -->` and
`<!-- end -->`; `page_blocks.py` writes the list of tasks. Run by `tools/tables.py`. Nothing is
downloaded: a task whose data are not in the cache keeps its row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from unittest import mock

from bias_tasks.commands.plan import TaskPlan, plan_task
from bias_tasks.commands.profile import read_profile
from bias_tasks.contract.family import Family
from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.data.fetch import UnreachableError
from bias_tasks.data.files import read_yaml
from bias_tasks.families import FAMILY_NAMES, load_family

REFERENCE = Path(__file__).parents[1] / "docs" / "reference" / "plan.md"
_PRICE = {"price_in": 1.0, "price_out": 4.0}
_PROFILE_PRICE = {"price_in": 0.15, "price_out": 0.6}
_ROW = re.compile(r"^\| `(\w+)` \| ((?:[\d.,]+ \| ){4}[\d.,]+) \|$", re.MULTILINE)
_HEAD = ("task", "items", "calls", "tokens in", "tokens out", "USD")
_ITEMS = 12
"""Items of the core set whose calls are counted for the number of calls per item."""
_MAX_VARIANTS = 8
"""Variants of a task above which they are not listed."""
_TEXTS = ("task", "what it measures", "variants", "kind of answers")
"""Columns that are not numbers."""


@cache
def plan_by_default() -> Mapping[str, TaskPlan]:
    """Return by task the plan of a run without parameters, if its data are in the cache."""
    plans, not_counted = {}, []
    offline = OSError("tables are written without a network")
    with mock.patch("pooch.retrieve", side_effect=offline):
        for task in _list_tasks():
            try:
                plans[task] = plan_task(task, {}, power=False, **_PRICE)
            except UnreachableError:
                not_counted.append(task)
    if not_counted:
        print(f"not counted, since their data are not in the cache: {', '.join(not_counted)}")
    return plans


def planned_tasks() -> Mapping[str, tuple[str, ...]]:
    """Return by task the items, calls, tokens and cost of a run without parameters."""
    rows = {
        task: tuple(cells.split(" | "))
        for task, cells in _ROW.findall(REFERENCE.read_text(encoding="utf-8"))
    }
    rows |= {task: _cells([plan]) for task, plan in plan_by_default().items()}
    return {task: rows[task] for task in _list_tasks()}


def _list_tasks() -> list[str]:
    return [task for name in FAMILY_NAMES for task in load_family(name).tasks]


def plans() -> str:
    """Return the items, calls, tokens and cost of each task by default."""
    return _table(_HEAD, ((f"`{task}`", *cells) for task, cells in planned_tasks().items()))


@cache
def _plan_profile() -> Sequence[TaskPlan]:
    """Return the plan of each task of the profile."""
    return [
        plan_task(task, row["parameters"] | {"n": row["n"]}, power=False, **_PROFILE_PRICE)
        for task, row in read_profile()["tasks"].items()
    ]


def profile() -> str:
    """Return the items, calls, tokens and cost of the profile."""
    rows = [(f"`{plan.task}`", *_cells([plan])) for plan in _plan_profile()]
    return _table(_HEAD, [*rows, ("**all**", *_cells(_plan_profile()))])


def profile_total() -> str:
    """Return the calls, tokens and cost of the whole profile, in one line."""
    _, calls, tokens_in, tokens_out, cost = _cells(_plan_profile())
    return f"{calls} calls, {tokens_in} tokens in, {tokens_out} tokens out, {cost} USD"


def answer_lengths() -> str:
    """Return the declared length of each kind of answers."""
    declared = read_yaml("bias_tasks.contract", "answer_lengths")
    rows = (
        (f"`{kind}`", f"{length['limit']:,}", f"{length['mean']:,}")
        for kind, length in declared.items()
        if length["limit"] and length["mean"]
    )
    return _table(("kind of answers", "lm-eval's `max_gen_toks`", "mean that `plan` assumes"), rows)


def calls(family: Family) -> str:
    """Return the calls per item of each task of a family, with each `mode` of a task.

    Where all tasks have few variants, their names are listed, too.
    """
    rows, n_variants = [], []
    for spec in family.tasks.values():
        questions = family.plan(spec.name, spec.values({"data": "core", "n": _ITEMS})).questions
        names = dict.fromkeys(question.variant for question in questions)
        variants = ", ".join(f"`{name}`" for name in names)
        n_variants.append(len(names))
        per_item = "; ".join(
            f"{condition}{plan.calls.calls / plan.items:g}" for condition, plan in _plan_modes(spec)
        )
        rows.append((f"`{spec.name}`", what_it_asks(spec), variants, per_item))
    columns = [0, 1, 2, 3] if max(n_variants) <= _MAX_VARIANTS else [0, 1, 3]
    table = [("task", "what it measures", "variants", "calls per item"), *rows]
    head, *rest = ([row[column] for column in columns] for row in table)
    return _table(head, rest)


def _plan_modes(spec: TaskSpec) -> Iterable[tuple[str, TaskPlan]]:
    """Yield the plan of a task, and its plan with each `mode` that is not its default."""
    values = {parameter.name: parameter for parameter in spec.parameters}
    mode = values.get("mode")
    for value in (None, *(mode.values if mode else ())):
        if value is None or value != mode.default:
            parameters = {"data": "core", "n": _ITEMS} | ({"mode": value} if value else {})
            condition = f"`mode={value}`: " if value else ""
            yield condition, plan_task(spec.name, parameters, power=False)


def what_it_asks(spec: TaskSpec) -> str:
    """Return what a task asks, without its reference to the paper."""
    return re.sub(r" \((?:eq|section)[^)]*\)", "", spec.summary).rstrip(".")


def _cells(counted: Sequence[TaskPlan]) -> tuple[str, ...]:
    """Return the sums of plans: items, calls, tokens in, tokens out, cost."""
    return (
        f"{sum(plan.items for plan in counted):,}",
        f"{sum(plan.calls.calls for plan in counted):,}",
        f"{sum(round(plan.calls.tokens_in) for plan in counted):,}",
        f"{sum(round(plan.calls.tokens_out) for plan in counted):,}",
        f"{sum(plan.cost_usd or 0 for plan in counted):.2f}",
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose columns are numbers, except `_TEXTS`."""
    aligned = ["---" if name in _TEXTS else "---:" for name in head]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, aligned, *rows))


PAGES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "../README": {"profile_total": profile_total},
    "core": {"profile": profile},
    "get_started": {"lengths": answer_lengths},
    "reference/plan": {"plans": plans},
}
"""The functions that write the blocks of each page, by block."""
