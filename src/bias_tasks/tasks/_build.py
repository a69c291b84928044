"""Builds an Inspect task from the plan of a run."""

from __future__ import annotations

from dataclasses import replace

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Solver

from bias_tasks.data.load import Forms
from bias_tasks.design import Plan, Question, plan
from bias_tasks.prompts import VANILLA, SettingParams
from bias_tasks.respondents.known_items import register
from bias_tasks.scorers.boundary import boundary
from bias_tasks.scoring import outcome_facts, target_text

VERSION = 1
"""Moves when a task's numbers can move."""


def build(
    setting: str,
    solver: Solver,
    params: SettingParams,
    form: Forms,
    data: str,
    sources: str | list[str] | None,
    n: int | None,
    *,
    paired: bool,
) -> Task:
    """The task that asks the questions of `plan(...)` with `solver`."""
    planned = plan(setting, params, form=form, data=data, sources=sources, paired=paired, n=n)
    _make_known(planned)
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
    """The sample of one question: its input is the vanilla prompt, which the solver may change."""
    asked = question.asked()
    vanilla = asked if question.variant == VANILLA else replace(question, variant=VANILLA).asked()
    return Sample(
        id=question.id,
        input=vanilla.prompt,
        target=target_text(question, asked),
        metadata={"facts": outcome_facts(question, asked), "question": question.to_dict()},
    )


def _make_known(planned: Plan) -> None:
    """Tell the simulated respondents and `replay` which items and samples are in play."""
    register(
        {question.item.id: question.item for question in planned.questions}.values(),
        [question.id for question in planned.questions],
    )
