"""Builds the tasks of ComplexEval from the plan of a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample

from bias_tasks.data import DataError
from bias_tasks.design.attention_limit import AttentionQuestion, plan_attention
from bias_tasks.design.complex_eval import plan_advanced, plan_basic
from bias_tasks.design.judge_question import JudgeQuestion
from bias_tasks.design.known import make_known
from bias_tasks.items.complex_eval import Family
from bias_tasks.scorers.flaw_count import attention_figures, flaw_count
from bias_tasks.scorers.judgement import judgement, judgement_figures
from bias_tasks.solvers.judge import judge
from bias_tasks.tasks._errors import TaskError

VERSION = 1
"""Moves when a task's numbers can move."""


def build_basic(*, data: str, theta: float, **planning: Any) -> Task:
    """The task that asks the questions of `plan_basic(data, ...)`.

    Raises:
        TaskError: a parameter's value is unknown, or the items can't be had.
    """
    try:
        _check_threshold("theta", theta, zero=True)
        planned = plan_basic(data, **planning)
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    make_known(planned)
    return Task(
        dataset=_dataset(planned.questions, "complexeval_basic", data),
        solver=judge(),
        scorer=judgement(),
        metrics=[judgement_figures(theta=theta)],
        version=VERSION,
        metadata=_about(planned.provenance),
    )


def build_advanced(
    task: str, family: Family, *, data: str, beta: float | None = None, **planning: Any
) -> Task:
    """The task that asks the questions of `plan_advanced(family, data, ...)`.

    Raises:
        TaskError: a parameter's value is unknown, or the items can't be had.
    """
    try:
        if beta is not None:
            _check_threshold("beta", beta, zero=False)
        planned = plan_advanced(family, data, **planning)
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    make_known(planned)
    return Task(
        dataset=_dataset(planned.questions, task, data),
        solver=judge(),
        scorer=judgement(),
        metrics=[judgement_figures(beta=beta)],
        version=VERSION,
        metadata=_about(planned.provenance),
    )


def build_attention(**planning: Any) -> Task:
    """The task that asks the questions of `plan_attention(...)`.

    Raises:
        TaskError: a parameter's value is not among the allowed ones.
    """
    try:
        planned = plan_attention(**planning)
    except ValueError as error:
        raise TaskError(str(error)) from error
    make_known(planned)
    return Task(
        dataset=_dataset(planned.questions, "complexeval_attention_limit", "synthetic"),
        solver=judge(),
        scorer=flaw_count(),
        metrics=[attention_figures()],
        version=VERSION,
        metadata=_about(planned.provenance) | {"datasets": ["flaw_bank"]},
    )


def to_sample(question: JudgeQuestion | AttentionQuestion) -> Sample:
    """The sample of one question; the form of its answer stands in its metadata."""
    return Sample(
        id=question.id,
        input=question.prompt(),
        metadata={"facts": question.facts(), "schema": question.schema()},
    )


def _dataset(
    questions: Iterable[JudgeQuestion | AttentionQuestion], task: str, data: str
) -> MemoryDataset:
    kind = data if data in ("paper", "synthetic") else "file"
    return MemoryDataset([to_sample(question) for question in questions], name=f"{task}_{kind}")


def _about(provenance: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {"data": list(provenance)}


def _check_threshold(name: str, value: object, *, zero: bool) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not _fits(cast(float, value), zero):
        raise ValueError(
            f"{name}={value!r}: expected a number {'from 0 on' if zero else 'above 0'}"
        )


def _fits(value: float, zero: bool) -> bool:
    return 0 < value < math.inf or (zero and value == 0)
