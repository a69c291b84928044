"""Any benchmark under probes, as a task of Inspect."""

from typing import Any

from inspect_ai import Task, task

from bias_tasks.families import PROBING
from bias_tasks.tasks._build import declared, with_text_paths


@with_text_paths
@task
@declared(PROBING)
def probe(**parameters: Any) -> Task:
    from bias_tasks.tasks._probe import build_probe

    return build_probe(parameters)
