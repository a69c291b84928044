"""The example with a real model asks both hosts the same questions."""

import importlib.util
from pathlib import Path

import bias_tasks
from bias_tasks.commands.profile import chosen_tasks
from tests.bias_tasks.harness_runs import load

SCRIPT = Path(__file__).parents[3] / "examples" / "real_model" / "measure.py"


def test_both_hosts_are_asked_the_same():
    """A task's version ends in a digest of ids, prompts, right answers and parameters."""
    found = importlib.util.spec_from_file_location("measure", SCRIPT)
    measure = importlib.util.module_from_spec(found)
    found.loader.exec_module(measure)
    tasks = chosen_tasks(measure.CALLS, "synthetic", base=True)
    assert {task.task for task in tasks} == set(measure.HARNESS)
    for task in tasks:
        asked = load(measure.HARNESS[task.task], **measure.parameters(task))
        assert getattr(bias_tasks, task.task)(**task.parameters).version == asked.VERSION
