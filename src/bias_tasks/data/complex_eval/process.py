"""Solutions in ProcessBench's layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bias_tasks.attacks.layout import steps_text
from bias_tasks.items.common import content_hash
from bias_tasks.items.complex_eval import ORIGINAL, JudgedItem


def process_item(record: Mapping[str, Any], source: str) -> JudgedItem:
    """The item of a record with `problem`, `steps`, `label` and maybe `id`, `reference_solution`.

    Solutions of one problem are a cluster. Whether the final answer is right is not used: a right
    answer may follow from a wrong step.
    """
    problem, steps, label = record["problem"], record["steps"], record["label"]
    own = record.get("id")
    return JudgedItem(
        id=f"{source}-{content_hash(own, problem, steps, label)}" if own is None else str(own),
        family="math",
        domain="olympiadbench" if source == "processbench" else "math",
        source=source,
        cluster=f"{source}-{content_hash(problem)}",
        query=problem,
        responses={ORIGINAL: steps_text(steps)},
        reference=record.get("reference_solution"),
        first_error=label,
    )
