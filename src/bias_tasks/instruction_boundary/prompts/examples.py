"""The paper's own worked examples of the choice form (appendix I, Few-Shot Learning)."""

from __future__ import annotations

from functools import cache

import yaml

from bias_tasks.hashing import content_hash
from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.prompts.templates import template


@cache
def paper_examples() -> tuple[ChoiceItem, ...]:
    """One single, one multiple and one unanswerable question, in the appendix's order."""
    rows = yaml.safe_load(template("instruction_boundary/choice/examples.yaml"))
    return tuple(
        ChoiceItem(
            id=f"appendix-i-{row['label']}",
            question=row["question"],
            context=row["context"],
            options=tuple(row["options"]),
            answer=tuple(number - 1 for number in row["answer"]),
            source="appendix I",
            cluster=content_hash(row["question"]),
        )
        for row in rows
    )
