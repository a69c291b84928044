"""Another task of the harness: loaded to be probed, or why it can't be, and its scores."""

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from lm_eval.api.filter import FilterEnsemble
from lm_eval.api.task import ConfigurableTask
from lm_eval.tasks import TaskManager

from bias_tasks.data.errors import DataError
from bias_tasks.names import did_you_mean

_CAN = "what can be probed are single tasks with output_type multiple_choice or generate_until"
_FIRST = ("acc", "exact_match")
"""Metrics that are the score where a task has them and nobody says otherwise."""
INVALID = "[invalid]"
"""What the harness's filters give where they find nothing, unless a task says otherwise."""


def probed_task(
    name: str | None, include_path: str | None, metadata: Mapping[str, Any] | None = None
) -> ConfigurableTask:
    """The task of a name, or of a YAML file, as the harness itself loads it with the metadata of
    the run, in which the model's arguments are; in the folder `include_path` it is looked for
    first. A ValueError where there is none of the name, or it is of a kind that can't be probed; a
    DataError where it can't be loaded."""
    if not name:
        raise ValueError(f"task in --metadata: say which task is probed; {_CAN}")
    where = _yaml_of(name, include_path)
    manager = TaskManager(include_defaults=False, metadata=dict(metadata or {}))
    try:
        [task] = manager.load([where])["tasks"].values()
    except Exception as error:  # another's YAML, data and code raise whatever they like
        told = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise DataError(f"the task {name} that is to be probed can't be loaded: {told}") from error
    if not isinstance(task, ConfigurableTask):
        raise ValueError(f"task={name!r} is written as a Python class of its own; {_CAN}")
    if task.OUTPUT_TYPE not in ("multiple_choice", "generate_until"):
        raise ValueError(f"task={name!r} has output_type {task.OUTPUT_TYPE}; {_CAN}")
    if getattr(task, "MULTIMODAL", False):
        raise ValueError(f"task={name!r} asks about pictures or sounds; {_CAN}, of text alone")
    return task


def _yaml_of(name: str, include_path: str | None) -> str:
    """The YAML file of a task; a ValueError where there is none, or it is ours or a group."""
    folder = Path(include_path or ".")
    if name.endswith((".yaml", ".yml")) and Path(name).is_file():
        return name
    if not folder.is_dir():
        raise ValueError(f"include_path={include_path!r}: there is no such folder")
    names: list[str] = []
    for given in (folder, None) if include_path else (None,):
        manager = TaskManager(include_path=given, include_defaults=given is None)
        names += manager.all_subtasks
        entry = manager.task_index.get(name)
        if entry is None:
            continue
        if entry.yaml_path is None or name not in manager.all_subtasks:
            raise ValueError(f"task={name!r} is a group, of which each is probed by itself; {_CAN}")
        if __package__ in str((entry.cfg or {}).get("class")):
            raise ValueError(f"task={name!r} is one of bias-tasks' own: run it as it is")
        return str(entry.yaml_path)
    raise ValueError(
        f"task={name!r}{did_you_mean([name], names)}: the harness knows no such task, and there is "
        "no such file; give include_path in --metadata for YAML files of your own"
    )


@contextmanager
def asked_as(
    task: ConfigurableTask, doc: Mapping[str, Any], made: Mapping[str, Any]
) -> Iterator[ConfigurableTask]:
    """The task as if its methods, by their names (`doc_to_text`), gave what is `made` for one
    document, the very object that it is then handed; its few-shot examples stay."""

    def but(method: Any, value: Any) -> Any:
        def called(given: Any, *arguments: Any, **named: Any) -> Any:
            return value if given is doc else method(given, *arguments, **named)

        return called

    for name, value in made.items():
        setattr(task, name, but(getattr(task, name), value))
    try:
        yield task
    finally:
        for name in made:
            delattr(task, name)


def example_draws(task: ConfigurableTask, places: Set[int], examples: int) -> dict[int, Any]:
    """The state of the sampler, right after it was seeded, before the examples of each document
    that is asked about, by its place: so that every way of asking is shown those that the harness
    shows where it runs the task itself."""
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


def filters_of(task: ConfigurableTask) -> list[FilterEnsemble]:
    """The task's filters, of which each reads its answers in a way of its own."""
    return list(task._filters)


def chosen_metric(task: ConfigurableTask, given: str | None) -> str:
    """The name of the metric that is the score: the one given, or `acc`, `exact_match`, or else the
    task's first metric of which more is better. A ValueError where the task has no such metric."""
    better = task.higher_is_better()
    known = [name for name in task.aggregation() if better.get(name) is not False]
    usable = [name for name in (*_FIRST, *known) if name in known and given in (None, name)]
    if not usable:
        raise ValueError(
            f"metric={given!r}{did_you_mean([given], known)}: expected one of the task's of which "
            f"more is better: {', '.join(known) or 'it has none'}"
        )
    return str(usable[0])


def score_of(metrics: Mapping[str, Any], name: str) -> tuple[float | None, str]:
    """The score of an answer by the metric of that name, and what to say where there is none."""
    value = metrics.get(name)
    if isinstance(value, bool | np.bool_ | Real) and 0 <= float(value) <= 1:
        return float(value), ""
    return None, f"the task's {name} is {str(value)[:40]}, no number between 0 and 1"


def likeliest(results: Sequence[Any], choices: Sequence[str], metric: str) -> tuple[int, str]:
    """The place of the choice that the harness takes for the answer by a metric's rule, and how.
    The results are (log-likelihood, whether it is what the model would say) of each choice, and
    behind them those without a context, where mutual information is scored."""
    size = len(choices)
    values = np.array([float(result[0]) for result in results])
    found, bare = values[:size], values[size:]
    if metric == "acc_norm":
        found = found / [len(each) for each in choices]
    elif metric == "acc_bytes":
        found = found / [len(each.encode()) for each in choices]
    elif metric == "acc_mutual_info" and bare.size == size:
        found = found - bare
    best = int(np.argmax(found))
    if np.count_nonzero(found == found[best]) > 1:
        return best, f"several of {size} are likeliest, of which the harness takes the first"
    return best, f"the likeliest of {size}"


def said(result: Any) -> str | None:
    """What the task's filter made of an answer; None where it found nothing."""
    if isinstance(result, list | tuple):
        told = [each for each in map(said, result) if each is not None]
        return told[0] if len(told) == 1 else json.dumps(told) if told else None
    text = str(result).strip()
    return None if not text or text == INVALID else text
