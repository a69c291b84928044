"""Loads another task of lm-eval that is to be probed, and reads its scores."""

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from lm_eval.api.filter import FilterEnsemble
from lm_eval.api.task import ConfigurableTask
from lm_eval.tasks import TaskManager

from bias_tasks.data.errors import DataError
from bias_tasks.user_names import did_you_mean

_SUPPORTED = "supported are single tasks with output_type multiple_choice or generate_until"
_PREFERRED_METRICS = ("acc", "exact_match")
INVALID = "[invalid]"
"""What lm-eval's filters return if they find no answer, by default."""


def load_probed_task(
    name: str | None, include_path: str | None, metadata: Mapping[str, object] | None = None
) -> ConfigurableTask:
    """Return a task as lm-eval itself loads it.

    Args:
        name: A task, or a YAML file.
        include_path: A folder that is searched first, before those of `--include_path`.
        metadata: The metadata of the run, which include the model's arguments.

    Raises:
        ValueError: The task does not exist, or is of a kind that cannot be probed.
        DataError: The task cannot be loaded.
    """
    if not name:
        raise ValueError(f"task in --metadata: name the task to probe; {_SUPPORTED}")
    path = _find_yaml(name, include_path)
    manager = TaskManager(include_defaults=False, metadata=dict(metadata or {}))
    try:
        [task] = manager.load([path])["tasks"].values()
    except Exception as error:  # any error of the other task's YAML, data and code
        message = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise DataError(f"the probed task {name} cannot be loaded: {message}") from error
    if not isinstance(task, ConfigurableTask):
        raise ValueError(f"task={name!r} is a Python class of its own; {_SUPPORTED}")
    if task.OUTPUT_TYPE not in ("multiple_choice", "generate_until"):
        raise ValueError(f"task={name!r} has output_type {task.OUTPUT_TYPE}; {_SUPPORTED}")
    if getattr(task, "MULTIMODAL", False):
        raise ValueError(f"task={name!r} has pictures or sounds; {_SUPPORTED}, with text only")
    return task


def _list_managers(include_path: str | None) -> Iterator[TaskManager]:
    """Yield the indexes of tasks in the order in which they are searched.

    They are the folder's, that of the run with the folders of `--include_path`, and lm-eval's own.
    """
    if include_path:
        yield TaskManager(include_path=include_path, include_defaults=False)
    # lm-eval does not tell its tasks the folders of the run, but its manager loads this task.
    frame = inspect.currentframe()
    while frame is not None:
        manager = frame.f_locals.get("self")
        if isinstance(manager, TaskManager):
            yield manager
            break
        frame = frame.f_back
    yield _load_default_manager()


@cache
def _load_default_manager() -> TaskManager:
    """Return the index of lm-eval's own tasks, whose thousands of files take seconds to read."""
    return TaskManager()


def _find_yaml(name: str, include_path: str | None) -> str:
    """Return the YAML file of a task; a ValueError if there is none, or it cannot be probed."""
    if name.endswith((".yaml", ".yml")) and Path(name).is_file():
        return name
    if include_path and not Path(include_path).is_dir():
        raise ValueError(f"include_path={include_path!r}: this folder does not exist")
    names: list[str] = []
    for manager in _list_managers(include_path):
        names += manager.all_subtasks
        entry = manager.task_index.get(name)
        if entry is None:
            continue
        if entry.yaml_path is None or name not in manager.all_subtasks:
            raise ValueError(f"task={name!r} is a group: probe one of its tasks; {_SUPPORTED}")
        if __package__ in str((entry.cfg or {}).get("class")):
            raise ValueError(
                f"task={name!r} is a task of bias-tasks itself: run it without bias_probe"
            )
        return str(entry.yaml_path)
    raise ValueError(
        f"task={name!r}{did_you_mean([name], names)}: lm-eval has no such task, and there is no "
        "such file; give --include_path, or include_path in --metadata, for your own YAML files"
    )


@contextmanager
def override_methods(
    task: ConfigurableTask, doc: Mapping[str, object], values: Mapping[str, object]
) -> Iterator[ConfigurableTask]:
    """Have a task's methods return other values for one document.

    Few-shot examples stay as they are.

    Args:
        task: The task.
        doc: The document: this object itself, not an equal one.
        values: Return values by the names of methods, such as `doc_to_text`.
    """

    def override(method: Any, value: object) -> Any:
        def overridden(document: Any, *args: Any, **kwargs: Any) -> Any:
            return value if document is doc else method(document, *args, **kwargs)

        return overridden

    for name, value in values.items():
        setattr(task, name, override(getattr(task, name), value))
    try:
        yield task
    finally:
        for name in values:
            delattr(task, name)


def record_example_draws(
    task: ConfigurableTask, positions: Set[int], n_examples: int
) -> dict[int, object]:
    """Return the sampler's state before the examples of each document of the run.

    With these states, every variant has the examples that lm-eval shows when it runs the task
    itself. The sampler must be newly seeded.

    Args:
        task: The task.
        positions: Positions of the documents in its split.
        n_examples: Number of examples per document.
    """
    states: dict[int, object] = {}
    if not n_examples:
        return states
    same_split = task.fewshot_cfg.split == task.config.test_split
    for position in range(max(positions) + 1):
        if position in positions:
            states[position] = task.sampler.rnd.getstate()
        eval_doc = task.task_docs[position] if same_split else None
        task.sampler.sample(n=n_examples, eval_doc=eval_doc)
    return states


def describe_task(task: ConfigurableTask, metric: str) -> dict[str, object]:
    """Return the origin of a task's items, its prompts and its scores, as plain JSON values."""
    config = task.config
    generation = {name: repr(value) for name, value in (config.generation_kwargs or {}).items()}
    return {
        "source": "lm-eval",
        "task": config.task,
        "version": str(task.VERSION),
        "dataset": [str(config.dataset_path), str(config.dataset_name)],
        "documents": len(task.task_docs),
        "description": str(config.description or ""),
        "delimiters": [config.target_delimiter, config.fewshot_delimiter],
        "generation": generation,
        "metric": metric,
        "filter": find_filters(task)[0].name,
    }


def find_filters(task: ConfigurableTask) -> list[FilterEnsemble]:
    """Return the task's filters, each of which parses its answers in another way."""
    return list(task._filters)


def select_metric(task: ConfigurableTask, name: str | None) -> str:
    """Return the name of the metric that is the score.

    It is the requested one, or `acc`, `exact_match`, or the task's first metric of which more is
    better.

    Raises:
        ValueError: The task has no such metric.
    """
    better = task.higher_is_better()
    known = [metric for metric in task.aggregation() if better.get(metric) is not False]
    candidates = [metric for metric in (*_PREFERRED_METRICS, *known) if metric in known]
    if name is not None:
        candidates = [metric for metric in candidates if metric == name]
    if not candidates:
        raise ValueError(
            f"metric={name!r}{did_you_mean([name], known)}: expected a metric of the task of which "
            f"more is better: {', '.join(known) or 'it has none'}"
        )
    return str(candidates[0])


def parse_score(metrics: Mapping[str, object], name: str) -> tuple[float | None, str]:
    """Return an answer's value of a metric as its score, and why there is none.

    A score is a number between 0 and 1. The reason is empty if there is one.
    """
    value = metrics.get(name)
    if isinstance(value, bool | np.bool_ | Real) and 0 <= float(value) <= 1:
        return float(value), ""
    return None, f"; the task's {name} is {str(value)[:40]}, not a number between 0 and 1"


def find_likeliest(results: Sequence[Any], choices: Sequence[str], metric: str) -> tuple[int, str]:
    """Return the index of the choice that lm-eval takes for the answer, and an explanation.

    Args:
        results: (log-likelihood, whether the model would write it) of each choice; then those
            without a context, if mutual information is scored.
        choices: The choices.
        metric: The metric whose rule applies.
    """
    size = len(choices)
    values = np.array([float(result[0]) for result in results])
    likelihoods, unconditional = values[:size], values[size:]
    if metric == "acc_norm":
        likelihoods = likelihoods / [len(choice) for choice in choices]
    elif metric == "acc_bytes":
        likelihoods = likelihoods / [len(choice.encode()) for choice in choices]
    elif metric == "acc_mutual_info" and unconditional.size == size:
        likelihoods = likelihoods - unconditional
    best = int(np.argmax(likelihoods))
    if np.count_nonzero(likelihoods == likelihoods[best]) > 1:
        return best, f"several of {size} choices are likeliest; lm-eval takes the first"
    return best, f"the likeliest of {size} choices"


def parse_filtered(result: object) -> str | None:
    """Return the answer that the task's filter found, None if it found none."""
    if isinstance(result, list | tuple):
        answers = [answer for answer in map(parse_filtered, result) if answer is not None]
        if not answers:
            return None
        return answers[0] if len(answers) == 1 else json.dumps(answers)
    text = str(result).strip()
    return None if not text or text == INVALID else text
