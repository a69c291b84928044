"""Another task of the harness, loaded to be probed; or why it can't be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lm_eval.api.filter import FilterEnsemble
from lm_eval.api.task import ConfigurableTask
from lm_eval.tasks import TaskManager

from bias_tasks.data.errors import DataError
from bias_tasks.names import did_you_mean

_CAN = "what can be probed are single tasks with output_type multiple_choice or generate_until"
_LISTED = 5
_Loadable = str | Mapping[str, Any]


def probed_task(
    name: str | None, include_path: str | None, metadata: Mapping[str, Any] | None = None
) -> ConfigurableTask:
    """The task of a name, as the harness itself loads it.

    Args:
        name: of a task that the run's harness knows, or the path of its YAML file.
        include_path: a folder of YAML files that is looked into first.
        metadata: the run's, which the task is handed too: the model's arguments are in it.

    Raises:
        ValueError: there is no task of the name, or it is of a kind that can't be probed.
        DataError: its data can't be had.
    """
    if not name:
        raise ValueError(f"task in --metadata: say which task is probed; {_CAN}")
    where = _where(name, include_path)
    own = TaskManager(include_defaults=False, metadata=dict(metadata or {}))
    try:
        loaded = own.load([where])
    except Exception as error:  # another's YAML, data and code raise whatever they like
        told = _told(error)
        raise DataError(f"the task {name} that is to be probed can't be loaded: {told}") from error
    tasks = list(loaded["tasks"].values())
    if len(tasks) != 1:
        raise ValueError(f"task={name!r} holds {len(tasks)} tasks; {_CAN}")
    [task] = tasks
    _check(name, task)
    return task


def _told(error: Exception) -> str:
    """An error of another's in a line; data without a row end in one that says nothing."""
    said = " ".join(str(error).split())
    if isinstance(error, StopIteration | IndexError) or "corresponds to no data" in said:
        return "its data have no document that it could ask about"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _where(name: str, include_path: str | None) -> _Loadable:
    """What a task manager loads the task by, without knowing any other."""
    if name.endswith((".yaml", ".yml")):
        if not Path(name).is_file():
            raise ValueError(f"task={name!r}: there is no such file")
        return name
    names: list[str] = []
    for manager in _managers(include_path):
        entry = manager.task_index.get(name)
        if entry is not None:
            if entry.yaml_path is None or name not in manager.all_subtasks:
                raise ValueError(_several(name, manager))
            if __package__ in str((entry.cfg or {}).get("class")):
                raise ValueError(
                    f"task={name!r} is one of bias-tasks, which asks in several ways by itself: "
                    "run it as it is"
                )
            return str(entry.yaml_path)
        names += manager.all_subtasks
    raise ValueError(
        f"task={name!r}{did_you_mean([name], names)}: the harness knows no such task; give "
        "include_path in --metadata for YAML files of your own"
    )


def _managers(include_path: str | None) -> Iterator[TaskManager]:
    """What knows the tasks of the folder, and then what knows the harness's own."""
    if include_path is not None:
        if not Path(include_path).is_dir():
            raise ValueError(f"include_path={include_path!r}: there is no such folder")
        yield TaskManager(include_path=include_path, include_defaults=False)
    yield TaskManager()


def _several(name: str, manager: TaskManager) -> str:
    """What to say of a group or a tag."""
    entry = manager.task_index[name]
    members = [
        each if isinstance(each, str) else str(each.get("task", each.get("group")))
        for each in (sorted(entry.tags) or (entry.cfg or {}).get("task") or ())
    ]
    more = ", ..." if len(members) > _LISTED else ""
    some = f", such as {', '.join(members[:_LISTED])}{more}" if members else ""
    return f"task={name!r} is a group of tasks, of which each is probed by itself{some}; {_CAN}"


def _check(name: str, task: Any) -> None:
    """Raise a ValueError where the task can't be probed."""
    if not isinstance(task, ConfigurableTask):
        raise ValueError(f"task={name!r} is written as a Python class of its own; {_CAN}")
    if task.OUTPUT_TYPE not in ("multiple_choice", "generate_until"):
        raise ValueError(f"task={name!r} has output_type {task.OUTPUT_TYPE}; {_CAN}")
    if getattr(task, "MULTIMODAL", False):
        raise ValueError(f"task={name!r} asks about pictures or sounds; {_CAN}, of text alone")


@contextmanager
def asked_as(
    task: ConfigurableTask, doc: Mapping[str, Any], **made: Any
) -> Iterator[ConfigurableTask]:
    """The task as if it made other things of one document; its few-shot examples stay.

    Args:
        task: any.
        doc: the very object that the task is then handed.
        **made: what its methods give for that document, by their names: `doc_to_text` and the like.
    """
    for name, value in made.items():
        setattr(task, name, _but(getattr(task, name), doc, value))
    try:
        yield task
    finally:
        for name in made:
            delattr(task, name)


def _but(method: Any, doc: Mapping[str, Any], value: Any) -> Any:
    """The method, but with a value of its own for one document."""

    def called(given: Any, *arguments: Any, **named: Any) -> Any:
        return value if given is doc else method(given, *arguments, **named)

    return called


def example_draws(task: ConfigurableTask, places: Set[int], examples: int) -> dict[int, Any]:
    """The state of the sampler of few-shot examples before each document, by its place.

    The harness draws examples document by document. Every way of asking an item is shown the same
    ones, and the plain one those that the harness shows where it runs the task itself.

    Args:
        task: any, right after its sampler was seeded.
        places: of the documents that are asked about.
        examples: in front of each.
    """
    draws: dict[int, Any] = {}
    apart = task.fewshot_cfg.split == task.config.test_split
    for place in range(max(places) + 1 if examples else 0):
        if place in places:
            draws[place] = task.sampler.rnd.getstate()
        task.sampler.sample(n=examples, eval_doc=task.task_docs[place] if apart else None)
    return draws


def described(task: ConfigurableTask, metric: str) -> dict[str, Any]:
    """Where a task's items come from, and how they are asked and scored, as plain JSON values."""
    config = task.config
    return {
        "source": "lm-eval",
        "task": config.task,
        "version": str(task.VERSION),
        "dataset": [str(config.dataset_path), str(config.dataset_name)],
        "documents": len(task.task_docs),
        "description": str(config.description or ""),
        "delimiters": [config.target_delimiter, config.fewshot_delimiter],
        "generation": {name: repr(each) for name, each in (config.generation_kwargs or {}).items()},
        "metric": metric,
        "filter": filters_of(task)[0].name,
    }


def filters_of(task: ConfigurableTask) -> Sequence[FilterEnsemble]:
    """The task's filters, of which each reads its answers in a way of its own."""
    found: Sequence[FilterEnsemble] = task._filters
    return found
