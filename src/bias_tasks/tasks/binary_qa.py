"""
Unified Benchmark for Evaluating Performance, Bias, and Consistency in LLM Binary Question
Answering

Olesia Khrapunova (2025)

# The whole scorecard, eight calls a question, on generated questions
inspect eval bias_tasks/binaryqa -T data=synthetic

# Does the model turn its answer around when the question is turned around?
inspect eval bias_tasks/binaryqa_nrc -T domains=reading,multi_hop
"""

from __future__ import annotations

from functools import partial
from typing import Any

from inspect_ai import Task, task

from bias_tasks.tasks._build import build, declared

FAMILY = "binary_qa"
_build = partial(build, FAMILY)


@task
@declared(FAMILY)
def binaryqa(**parameters: Any) -> Task:
    return _build("binaryqa", parameters)


@task
@declared(FAMILY)
def binaryqa_prc(**parameters: Any) -> Task:
    return _build("binaryqa_prc", parameters)


@task
@declared(FAMILY)
def binaryqa_nrc(**parameters: Any) -> Task:
    return _build("binaryqa_nrc", parameters)


@task
@declared(FAMILY)
def binaryqa_arc(**parameters: Any) -> Task:
    return _build("binaryqa_arc", parameters)


@task
@declared(FAMILY)
def binaryqa_sc(**parameters: Any) -> Task:
    return _build("binaryqa_sc", parameters)


@task
@declared(FAMILY)
def binaryqa_qa(**parameters: Any) -> Task:
    return _build("binaryqa_qa", parameters)
