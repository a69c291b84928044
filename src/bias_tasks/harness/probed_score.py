"""What a probed task's own scoring says of an answer, as a score between 0 and 1."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from lm_eval.api.task import ConfigurableTask

from bias_tasks.names import did_you_mean

_FIRST = ("acc", "exact_match")
"""Metrics that are the score where a task has them and nobody says otherwise."""
INVALID = "[invalid]"
"""What the harness's filters give where they find nothing, unless a task says otherwise."""


def chosen_metric(task: ConfigurableTask, given: str | None) -> str:
    """The name of the metric that is the score.

    Args:
        task: the one that is probed.
        given: what the user says; None for `acc`, `exact_match`, or else the task's first metric of
            which more is better and whose values can lie between 0 and 1.

    Raises:
        ValueError: the task has no such metric.
    """
    better = task.higher_is_better()
    known = [name for name in task.aggregation() if better.get(name) is not False]
    if given is not None:
        if given not in known:
            near = did_you_mean([given], known)
            raise ValueError(
                f"metric={given!r}{near}: expected one of the task's of which more is better: "
                f"{', '.join(known) or 'it has none'}"
            )
        return given
    usable = [*(name for name in _FIRST if name in known), *_of_one_answer(task, known)]
    if not usable:
        raise ValueError(
            "the task has no metric that is a number between 0 and 1 for each answer; it has "
            f"{', '.join(task.aggregation())}"
        )
    return str(usable[0])


def score_of(metrics: Mapping[str, Any], name: str) -> tuple[float | None, str]:
    """The score of an answer, and what to say where there is none.

    Args:
        metrics: what the task's `process_results` gives for it.
        name: of the metric that is the score.
    """
    value = metrics.get(name)
    if isinstance(value, bool | np.bool_):
        return float(value), ""
    if isinstance(value, Real) and 0 <= float(value) <= 1:
        return float(value), ""
    return None, f"the task's {name} is {str(value)[:40]}, no number between 0 and 1"


def likeliest(results: Sequence[Any], choices: Sequence[str], metric: str) -> tuple[int, str]:
    """The place of the choice that the harness takes for the answer, and how it came to it.

    Args:
        results: (log-likelihood, whether it is what the model would say) of each choice; behind
            them those without a context, where mutual information is scored.
        choices: that are compared.
        metric: by whose rule.
    """
    size = len(choices)
    values = np.array([float(result[0]) for result in results])
    found, bare = values[:size], values[size:]
    if metric == "acc_norm":
        found = found / np.array([float(len(each)) for each in choices])
    elif metric == "acc_bytes":
        found = found / np.array([float(len(each.encode())) for each in choices])
    elif metric == "acc_mutual_info" and bare.size == size:
        found = found - bare
    best = int(np.argmax(found))
    if math.isnan(found[best]):
        return best, "a likelihood is no number, and the harness takes it for the highest"
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


def _of_one_answer(task: ConfigurableTask, known: Sequence[str]) -> list[str]:
    """Those of the metrics that are a number between 0 and 1 for one answer, as far as one can
    know without running what a task may do with a written answer."""
    if task.OUTPUT_TYPE != "multiple_choice":
        return list(known)
    doc = task.task_docs[0]
    equal = [(-1.0, False)] * len(task.doc_to_choice(doc))
    tried = task.process_results(doc, equal)
    return [name for name in known if score_of(tried, name)[0] is not None]
