"""Builds a task of output formats from the plan of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate

from bias_tasks.data import DataError
from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.design.known import make_known
from bias_tasks.design.output_format import FormatParams, FormatQuestion, plan_formats
from bias_tasks.scorers.formatted import format_figures, formatted
from bias_tasks.scoring.output_format import payload_text
from bias_tasks.tasks._errors import TaskError

VERSION = 1
"""Moves when a task's numbers can move."""


def build(
    task: str,
    *,
    dataset: str | list[str] | None,
    formats: str | list[str] | None,
    demos_from: str | None,
    n: int | None,
    **asking: Any,
) -> Task:
    """The task that asks the questions of `plan_formats(task, ...)`.

    Args:
        task: a key of `design.output_format.COMPARED`.
        dataset, formats, demos_from, n: as `plan_formats` takes them.
        asking: as `FormatParams` takes it.

    Raises:
        TaskError: a parameter's value is unknown, or the items can't be had.
    """
    try:
        params = FormatParams(**asking)
        planned = plan_formats(
            task, params, dataset=dataset, formats=formats, demos_from=demos_from, n=n
        )
        samples = [to_sample(question) for question in planned.questions]
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    make_known(planned)
    return Task(
        dataset=MemoryDataset(samples, name=f"{task}_{_joined(planned.datasets)}"),
        solver=generate(),
        scorer=formatted(),
        metrics=[format_figures(params.moe, params.alpha, params.protocol)],
        version=VERSION,
        metadata={
            "protocol": params.protocol,
            "datasets": list(planned.datasets),
            "data": list(planned.provenance),
        },
    )


def to_sample(question: FormatQuestion) -> Sample:
    """The sample of one question; its input is the prompt in the question's format."""
    return Sample(
        id=question.id,
        input=question.prompt(),
        target=payload_text(question.item.answer) or "",
        metadata={"facts": question.facts(), "question": question.to_dict()},
    )


def _joined(datasets: Sequence[str]) -> str:
    return "_".join("file" if name.lower().endswith(FILE_ENDINGS) else name for name in datasets)
