"""What the harness was told when it loaded a task, which the task itself is not handed apart.

The harness mixes three things into the metadata of a task: what its YAML says, what the user gives,
and the arguments of the model. Which is which stands only where it was called.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from lm_eval.utils import simple_parse_args_string


@dataclass(frozen=True, slots=True)
class Running:
    """The evaluation under way; nothing is known of it where a task is made by itself."""

    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What the run was given, by the user or as the model's arguments; nothing of a YAML file."""
    model_args: Mapping[str, Any] = field(default_factory=dict)
    manager: TaskManager | None = None
    """What knows the tasks of the run, and loads this one."""

    def is_models(self, name: str, value: Any) -> bool:
        """Whether a name and value of the metadata are an argument of the model."""
        return name in self.model_args and self.model_args[name] == value


def running() -> Running:
    """The evaluation that the caller runs in."""
    evaluate = inspect.unwrap(simple_evaluate).__code__  # what the harness exports only passes on
    metadata: Mapping[str, Any] = {}
    known: TaskManager | None = None
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code is evaluate:
            return Running(metadata, _arguments(frame.f_locals.get("model_args")), known)
        manager = frame.f_locals.get("self")
        if isinstance(manager, TaskManager):
            known = manager
            metadata = manager.metadata or {}
        frame = frame.f_back
    return Running(metadata, manager=known)


def _arguments(given: Any) -> Mapping[str, Any]:
    if isinstance(given, str):
        return dict(simple_parse_args_string(given))
    return given or {}
