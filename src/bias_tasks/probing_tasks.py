"""Any benchmark under probes, as a task of Inspect."""

from typing import Any

from inspect_ai import Task, task

from bias_tasks.contract.parameters import Shard
from bias_tasks.probing.parameters import (
    Formats,
    Instructions,
    MaxItems,
    Probes,
    Repeats,
    Rewordings,
    Seed,
    TaskName,
)
from bias_tasks.tasks._build import checked
from bias_tasks.tasks._probe import build_probe


@checked
@task
def probe(
    task: TaskName = None,
    probes: Probes = None,
    formats: Formats = None,
    instructions: Instructions = None,
    repeats: Repeats = 2,
    n: MaxItems = 100,
    seed: Seed = 0,
    rewordings: Rewordings = None,
    shard: Shard = None,
    **of_task: Any,
) -> Task:
    """Repeats and perturbs the prompts of another task, and scores the answers with that task's
    scorer.
    """
    parameters = {**locals(), **of_task}
    del parameters["of_task"]
    return build_probe(parameters)
