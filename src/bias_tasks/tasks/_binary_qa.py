"""Builds a task of binary question answering from the plan of a run."""

from __future__ import annotations

import logging
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample

from bias_tasks.data import DataError
from bias_tasks.design.binary_qa import BinaryParams, BinaryQuestion, plan_binary
from bias_tasks.design.known import make_known
from bias_tasks.items import Protocol
from bias_tasks.items.binary_qa import Order
from bias_tasks.scorers.yes_no import yes_no, yes_no_figures
from bias_tasks.solvers.ask_afresh import ask_afresh
from bias_tasks.tasks._errors import TaskError

VERSION = 1
"""Moves when a task's numbers can move."""

logger = logging.getLogger(__name__)


def build(
    task: str,
    *,
    data: str,
    order: Order,
    protocol: Protocol,
    weights: dict[str, float] | None = None,
    **planning: Any,
) -> Task:
    """The task that asks the questions of `plan_binary(task, ...)`.

    Raises:
        TaskError: a parameter's value is unknown, or the questions can't be had.
    """
    try:
        params = BinaryParams(order, protocol, weights)
        planned = plan_binary(task, params, data=data, **planning)
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    make_known(planned)
    if planned.domains_note is not None:
        logger.warning("%s: %s", task, planned.domains_note)
    return Task(
        dataset=MemoryDataset(
            [to_sample(question) for question in planned.questions],
            name=f"{task}_{data if data in ('paper', 'synthetic') else 'file'}",
        ),
        solver=ask_afresh(),
        scorer=yes_no(),
        metrics=[yes_no_figures(params.protocol, params.weights)],
        version=VERSION,
        metadata={
            "protocol": params.protocol,
            "domains": list(planned.domains),
            "domains_note": planned.domains_note,
            "data": list(planned.provenance),
        },
    )


def to_sample(question: BinaryQuestion) -> Sample:
    """The sample of one question; its input is the prompt under the question's variant."""
    return Sample(
        id=question.id,
        input=question.prompt(),
        target=question.gold,
        metadata={"facts": question.facts()},
    )
