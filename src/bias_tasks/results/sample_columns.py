"""What an answer came to, as columns of the data frames that Inspect makes of its logs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.record import scored_in

if TYPE_CHECKING:
    from inspect_ai.analysis import SampleColumn
    from inspect_ai.log import EvalSample, EvalSampleSummary

Value = str | float | bool | None


def outcome_columns() -> list[SampleColumn]:
    """Columns for `inspect_ai.analysis.samples_df`, the same for the tasks of every family.

    `outcome_answer` is what was read, `outcome_score` a number or missing, `outcome_right` a truth
    value or missing where there is no right or wrong, `outcome_why` by which rule the answer was
    read or why it could not be, and `outcome_reason` the host's word for an abnormal answer.
    Samples of other tasks have none of them.
    """
    from inspect_ai.analysis import SampleColumn

    columns: dict[str, Callable[[str, Outcome], Value]] = {
        "answer": lambda family, outcome: outcome.answer,
        "score": lambda family, outcome: outcome.score,
        "right": lambda family, outcome: load_family(family).right(outcome),
        "why": lambda family, outcome: outcome.why,
        "reason": lambda family, outcome: outcome.reason,
    }
    types = {"score": float, "right": bool}
    return [
        SampleColumn(
            f"outcome_{name}", path=partial(_found, value), type=types.get(name, str), full=True
        )
        for name, value in columns.items()
    ]


def _found(value: Callable[[str, Outcome], Value], sample: EvalSample | EvalSampleSummary) -> Value:
    for score in (sample.scores or {}).values():
        found = scored_in(score.metadata)
        if found is not None:
            return value(found.family, found.outcome)
    return None
