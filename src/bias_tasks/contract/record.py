"""The record of a run in its log: what it prompts and with which parameters, the digest by which
the run is known, and how many model calls it makes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.metrics import find_headline
from bias_tasks.contract.parameters import ParameterValues, without_shard
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.digests import digest

RECORD = "bias_tasks"
"""The name of the record in the metadata of a log, in either framework."""
RECORD_METRICS = "metrics"
"""Where the record in a results file of lm-eval has every metric of the run."""
METRICS_OF = "metrics_of"
"""The variant that a run has metrics of, if it scores one variant only."""
RECORD_HEADLINE = "headline"
"""Where the record has the printed name of the headline metric of the whole run."""
MAX_QUIET_CALLS = 2000
"""A run with more model calls reports their number at its start."""


def run_record(
    family: AnyFamily,
    task: str,
    values: ParameterValues,
    plan: Plan,
    inner_parameters: Mapping[str, object] | None = None,
) -> JsonObject:
    """Return what the log of a run records about it, as plain JSON values.

    The digest is the whole run's, whichever shard of it runs.

    Args:
        family: The task's family.
        task: Name of the task.
        values: The value of every parameter of the task, and its `protocol`.
        plan: The questions of the whole run.
        inner_parameters: Parameters of another task that this one wraps.
    """
    declared = {parameter.name: parameter for parameter in family.tasks[task].parameters}
    inner = dict(inner_parameters or {})
    parameters = {name: values[name] for name in declared if name in values} | inner
    task_args = {
        name: value
        for name, value in parameters.items()
        if name in inner or value != declared[name].default
    }
    identity = [family.name, family.version, task, without_shard(parameters), plan.later_templates]
    return {
        "family": family.name,
        "task": task,
        "version": family.version,
        "package": version("bias-tasks"),
        "digest": digest(identity, *map(_digested_fields, plan.questions)),
        "protocol": values["protocol"],
        "data": plan.data,
        "parameters": parameters,
        "task_args": task_args,
        "items": len({question.item for question in plan.questions}),
        "questions": len(plan.questions),
        "answer_limit": answer_limit(family, task, values, plan),
        "notes": list(plan.notes),
        "provenance": list(plan.provenance),
    }


def find_planned_headline(family: AnyFamily, task: str, values: ParameterValues, plan: Plan) -> str:
    """Return the printed name of the headline that a run has once all questions are answered.

    Args:
        family: The task's family.
        task: Name of the task.
        values: The value of every parameter.
        plan: The questions.
    """
    spec = family.tasks[task]
    outcomes = [family.example_outcome(question.scoring_data) for question in plan.questions]
    metrics = family.compute_metrics(outcomes, spec.metric_options(values), intervals=False)
    return find_headline(spec, metrics) or spec.headline[0]


def answer_limit(family: AnyFamily, task: str, values: ParameterValues, plan: Plan) -> int:
    """Return the token limit that leaves room for each answer; 0 if none is known.

    Args:
        family: The task's family.
        task: Name of the task.
        values: The value of every parameter.
        plan: The questions.
    """
    find_length, variants = family.tasks[task].answer_length, {q.variant for q in plan.questions}
    return max((find_length(variant, values).limit for variant in variants), default=0)


def low_limit_notice(limit: int, max_tokens: object) -> str | None:
    """Return the notice of a run whose token limit may cut answers; None for another run.

    Args:
        limit: The limit that leaves room for each answer (`answer_limit`).
        max_tokens: The run's token limit; None if it has none.
    """
    if not isinstance(max_tokens, int) or max_tokens >= limit:
        return None
    return (
        f"the limit of {max_tokens:,} tokens may cut answers: allow {limit:,}, and more if the "
        "model thinks first"
    )


def _digested_fields(question: Question) -> list[Any]:
    """Return what of a question reaches the model, the parser or the metrics."""
    data = question.scoring_data.to_dict()
    return [question.id, question.prompt, question.gold, data, question.schema, question.repeats]


def add_notes(record: Mapping[str, Any], notes: Iterable[str]) -> JsonObject:
    """Return a run's logged record with further notes.

    Args:
        record: What `run_record` wrote.
        notes: What a reader of the metrics must know, too.
    """
    return {**record, "notes": [*dict.fromkeys([*record["notes"], *notes])]}


def task_version(record: Mapping[str, object]) -> str:
    """Return the task's version as frameworks log it: the family's, then the run's digest.

    Inspect's `eval-set` recognizes the logs of a task by it.
    """
    return f"{record['version']}+{record['digest']}"


def count_calls(family: AnyFamily, plan: Plan) -> Counter[str | None]:
    """Return the number of model calls of a plan by model role; None is the evaluated model."""
    return Counter(
        request.role for question in plan.questions for request in family.requests(question, "")
    )


def many_calls_notice(task: str, calls: int) -> str | None:
    """Return the notice of a run with more than `MAX_QUIET_CALLS` calls; None for another run."""
    if calls <= MAX_QUIET_CALLS:
        return None
    return (
        f"{calls:,} calls unless --limit reduces them; `n=...` selects fewer items, and "
        f"`bias-tasks plan {task}` shows cost and power in advance"
    )
