"""`bias-tasks list`: which tasks there are, and what a run of each takes."""

from __future__ import annotations

import click

from bias_tasks.contract.family import Family
from bias_tasks.contract.record import calls_of
from bias_tasks.families import FAMILY_NAMES, PROBING, load_family
from bias_tasks.results.tables import paragraph, print_table, printing

_ITEMS = 12
"""Of the core: of so many the calls are counted."""
_TOLD = (
    "Calls: an item's, of all models, on the core set with the parameters' defaults. "
    "`bias-tasks plan TASK` counts a run's. probe asks another task's items, by its probes."
)


@click.command("list")
def list_tasks() -> None:
    """Say which tasks there are: what each asks, its calls an item, and its data by default."""
    rows = []
    for family in map(load_family, (*FAMILY_NAMES, PROBING)):
        for task, spec in family.tasks.items():
            data = next((str(each.default) for each in spec.parameters if each.name == "data"), "-")
            calls = "-" if spec.hands_on else f"{_calls(family, task):.3g}"
            rows.append((task, spec.summary, calls, data))
    columns = ("task", "what it asks", "calls", "data")
    with printing(None) as console:
        print_table(console, columns, {"": rows}, numbers=columns[2:3])
        paragraph(console, _TOLD)


def _calls(family: Family, task: str) -> float:
    """Calls of a task's default run over the core, for an item."""
    values = family.tasks[task].values({"data": "core", "n": _ITEMS})
    plan = family.plan(task, values)
    return calls_of(family, plan).total() / len({each.item for each in plan.questions})
