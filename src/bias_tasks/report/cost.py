"""What the runs cost: answers, tokens, dollars and minutes, as far as their logs say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bias_tasks.report.gather import Told


@dataclass(frozen=True, slots=True)
class Cost:
    """One model's part in one run; another role's, such as a judge's, is a line of its own."""

    task: str
    model: str
    answers: int | None
    """Samples asked, over all epochs; None of a model in another role."""
    sent: int | None
    """Tokens; None where the host counts none."""
    written: int | None
    price: float | None
    """Dollars."""
    minutes: float | None


def costs(runs: Sequence[Told]) -> list[Cost]:
    """A line for each model of each run."""
    found: list[Cost] = []
    for told in runs:
        run, task = told.run, str(told.run.record["task"])
        minutes = None if run.seconds is None else run.seconds / 60
        own = run.usage.get(run.model)
        sent, written, price = (
            (None, None, None) if own is None else (own.sent, own.written, own.price)
        )
        found.append(Cost(task, run.model, run.samples.asked, sent, written, price, minutes))
        found += [
            Cost(task, model, None, each.sent, each.written, each.price, None)
            for model, each in run.usage.items()
            if model != run.model
        ]
    return found


def total(values: Sequence[float | None]) -> float | None:
    """The sum of those that are known; None where none is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None
