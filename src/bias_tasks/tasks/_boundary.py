"""Builds a task of Instruction Boundary from the plan of a run."""

from __future__ import annotations

from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Solver

from bias_tasks.data import DataError
from bias_tasks.data.load import Forms
from bias_tasks.design.instruction_boundary import Question, plan
from bias_tasks.design.known import make_known
from bias_tasks.prompts import SettingParams
from bias_tasks.scorers.boundary import boundary
from bias_tasks.scoring.instruction_boundary import outcome_facts, target_text
from bias_tasks.tasks._errors import TaskError

VERSION = 1
"""Moves when a task's numbers can move."""


def build(
    setting: str,
    solver: Solver,
    form: Forms,
    data: str,
    sources: str | list[str] | None,
    n: int | None,
    *,
    paired: bool,
    **setting_params: Any,
) -> Task:
    """The task that asks the questions of `plan(...)` with `solver`.

    Raises:
        TaskError: a parameter's value is unknown, or the items can't be had.
    """
    try:
        params = SettingParams(**setting_params)
        planned = plan(setting, params, form=form, data=data, sources=sources, paired=paired, n=n)
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    make_known(planned)
    return Task(
        dataset=MemoryDataset(
            [to_sample(question) for question in planned.questions],
            name=f"{setting}_{form}_{data if data in ('paper', 'synthetic') else 'file'}",
        ),
        solver=solver,
        scorer=boundary(),
        version=VERSION,
        metadata={"protocol": params.protocol, "data": list(planned.provenance)},
    )


def to_sample(question: Question) -> Sample:
    """The sample of one question; its input is the prompt under the question's variant."""
    asked = question.asked()
    return Sample(
        id=question.id,
        input=asked.prompt,
        target=target_text(question, asked),
        metadata={"facts": outcome_facts(question, asked), "question": question.to_dict()},
    )
