"""
Judges under probes: does a verdict stand when order, length, layout or an authority change?

The model that is evaluated is the judge under test.

# Pairs of JudgeBench in both orders, and with the worse response dressed up
inspect eval bias_tasks/judge_pairwise -T data=judgebench -T n=100

# One's own judge prompt on one's own pairs
inspect eval bias_tasks/judge_pairwise -T data=pairs.jsonl -T template=my_prompt.txt

# Does the judge prefer its own answers to another model's more than a third one does?
inspect eval bias_tasks/self_preference --model-role other=... --model-role jury=...
"""

from __future__ import annotations

from functools import partial
from typing import Any

from inspect_ai import Task, task

from bias_tasks.tasks._build import build, declared

FAMILY = "judging"
_build = partial(build, FAMILY)


@task
@declared(FAMILY)
def judge_pairwise(**parameters: Any) -> Task:
    return _build("judge_pairwise", parameters)


@task
@declared(FAMILY)
def judge_single(**parameters: Any) -> Task:
    return _build("judge_single", parameters)


@task
@declared(FAMILY)
def self_preference(**parameters: Any) -> Task:
    from bias_tasks.solvers.compare_with_other import compare_with_other

    return _build("self_preference", parameters, compare_with_other())
