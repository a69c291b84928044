"""Whether a run of solutions has the reference solutions that it is about, and what to do if not.

Both attacks of mathematics work toward the official solution, which the judge is shown (section
4.2.2). ProcessBench brings none, and the paper's are not public.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from bias_tasks.complex_eval.data.load import PAPER
from bias_tasks.complex_eval.items import JudgedItem, JudgedKind
from bias_tasks.data.errors import DataError

_FAMILY: JudgedKind = "math"


def check_references_come(family: JudgedKind, data: str, responses: str | None) -> None:
    """Refuses solutions that are known to have no reference, before they are fetched.

    Args:
        family: what is judged; only solutions are checked.
        data: what the items are asked for by.
        responses: the file of responses, which may bring references.

    Raises:
        DataError: there are none, with how to make some.
    """
    if family == _FAMILY and data == PAPER and responses is None:
        raise DataError(_what_to_do("ProcessBench's solutions have no reference solutions", data))


def check_references(family: JudgedKind, data: str, items: Sequence[JudgedItem]) -> tuple[str, ...]:
    """What must be said of solutions without a reference, of which nothing else can be attacked.

    Raises:
        DataError: none has a reference, and none brings an attacked solution either.
    """
    if family != _FAMILY:
        return ()
    without = sum(item.reference is None for item in items)
    if without == len(items) and not any(item.attacked for item in items):
        raise DataError(_what_to_do(f"none of the {without} solutions has a reference", data))
    if not without:
        return ()
    told = f"{without} of {len(items)} solutions have no reference solution to show to the judge"
    return (f"{told}, and are attacked only where the data bring the attacked solution",)


def _what_to_do(lack: str, data: str) -> str:
    source = "" if data == PAPER else f" --data {shlex.quote(data)}"
    return (
        f"{lack}, which both attacks work toward and the judge is shown: have a model write them "
        f"with `bias-tasks attack math{source} --reference-writer MODEL --attacker MODEL --out "
        "attacked.jsonl` and give data=attacked.jsonl, or give a file with your own in the column "
        "reference_solution"
    )
