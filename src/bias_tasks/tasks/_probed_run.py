"""What a task that asks another one's samples in other ways is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai._eval.task.constants import (
    TASK_FILE_ATTR,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai._util.registry import (
    registry_log_name,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Metric

from bias_tasks.family import JsonObject, Plan
from bias_tasks.probing.plan import ProbedPlan, chosen_items, probed_run
from bias_tasks.record import version_of
from bias_tasks.scorers.probed import probed_outcome
from bias_tasks.solvers.probed import probed
from bias_tasks.solvers.probed_items import (
    ProbedSample,
    ProbingSample,
    probed_samples,
    recorded,
)
from bias_tasks.solvers.sample_state import noted_place
from bias_tasks.tasks._probed_task import ProbedTask

PROBE = "probe"
Samples = Mapping[str, ProbedSample]
"""By the id of their item."""


def samples_of(asked: ProbedTask) -> Samples:
    """The samples of a task.

    Raises:
        ValueError: it has none, or two have one id.
    """
    found = probed_samples(asked.task.dataset)
    if not found:
        raise ValueError(f"{asked.name} has no samples")
    # Of two with one id the plan says so; here neither may be lost.
    chosen_items([each.item for each in found], None, 0)
    return {each.item.id: each for each in found}


def task_of(
    asked: ProbedTask,
    samples: Samples,
    run: Plan,
    *,
    probes: Sequence[str],
    record: JsonObject,
    metadata: Mapping[str, Any],
    metric: Metric,
    name: str = f"bias_tasks/{PROBE}",
    places: Mapping[str, int] | None = None,
) -> Task:
    """The probed task with its dataset, its solvers, its scorer and its figures replaced.

    Args:
        asked: the probed task; it stays as it is.
        samples: all of its samples that are asked.
        run: what is asked.
        probes: the names of those that were tried on each item.
        record: of the run, by which its answers know it.
        metadata: of its log, beside the probed task's.
        metric: of all answers.
        name: of the task that is made.
        places: of each question of a part in the whole run.
    """
    ids = frozenset(question.id for question in run.questions)
    # `task_with` takes metrics without giving them to the scorer; a task that is made gives them.
    scored = Task(
        scorer=probed_outcome(asked.scorer, record["digest"], asked.part, list(probes)),
        metrics=[metric],
    )
    made = task_with(
        copy(asked.task),  # it would change the probed task itself
        dataset=MemoryDataset(
            [
                ProbingSample(samples[each.item], each, ids, noted_place(each.id, places))
                for each in run.questions
            ],
            name=f"{PROBE}_{asked.name.replace('/', '_')}",
        ),
        setup=None,
        solver=probed(asked.solvers),
        scorer=scored.scorer,
        metrics=scored.metrics,
        epochs=asked.task.epochs,
        name=name,
        description=f"{asked.name} under probes",
        version=version_of(record),
        metadata={**(asked.task.metadata or {}), **metadata},
        headline_metric=HeadlineMetric(scorer=probed_outcome.__name__),
    )
    if hasattr(made, TASK_FILE_ATTR):
        delattr(made, TASK_FILE_ATTR)  # the host would look for this task in the other one's file
    return made


def run_of(asked: ProbedTask, samples: Samples, planned: ProbedPlan) -> Plan:
    """What is asked, as records and samples take it."""
    told = [recorded(samples[each.item.id], each.asked) for each in planned.questions]
    return probed_run(
        planned,
        [prompt for prompt, _ in told],
        [target for _, target in told],
        task=asked.name,
        provenance=_provenance(asked, len(samples)),
        notes=(*asked.notes, *_of_epochs(asked.task)),
    )


def _of_epochs(task: Task) -> tuple[str, ...]:
    """What to say of a task that asks each sample several times."""
    if task.epochs in (None, 1):
        return ()
    return (
        f"the task asks each sample in {task.epochs} epochs: figures are of single answers, "
        "whatever its reducer makes of them",
    )


def _provenance(asked: ProbedTask, items: int) -> JsonObject:
    """Which task it was, in which state, and the parts of it that asked and scored."""
    package = asked.name.partition("/")[0]
    released = _released(package)
    revision = f"version {asked.task.version}" + (f", {package} {released}" if released else "")
    return {
        "source": asked.name,
        "revision": revision,
        "items": items,
        "solvers": [registry_log_name(each) for each in asked.solvers],
        "scorer": registry_log_name(asked.scorer),
    }


def _released(package: str) -> str | None:
    """The version of an installed package; None for a task that none brings."""
    try:
        return version(package)
    except (PackageNotFoundError, ValueError):
        return None
