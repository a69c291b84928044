"""
Instruction Boundary: Quantifying Biases in LLM Reasoning under Various Coverage

Zipeng Ling, Yuehao Tang, Chen Huang, Shuliang Liu, Gaoyang Jiang, Shenghong Fu, Junqi Yang,
Yao Wan, Jiawan Zhang, Kejia Huang, Xuming Hu
https://arxiv.org/abs/2509.20278

# Ask with a suggested answer, on the paper's choice items
inspect eval bias_tasks/conformity -T form=choice

# Every setting on synthetic items
inspect eval bias_tasks/instruction_boundary -T data=synthetic
"""

from __future__ import annotations

from functools import partial
from typing import Any

from inspect_ai import Task, task

from bias_tasks.solvers.settings import by_variant, polish, reflect
from bias_tasks.tasks._build import build, declared

FAMILY = "instruction_boundary"
_build = partial(build, FAMILY)


@task
@declared(FAMILY)
def vanilla(**parameters: Any) -> Task:
    return _build("vanilla", parameters)


@task
@declared(FAMILY)
def multi_turn(**parameters: Any) -> Task:
    return _build("multi_turn", parameters, reflect())


@task
@declared(FAMILY)
def self_reflection(**parameters: Any) -> Task:
    return _build("self_reflection", parameters)


@task
@declared(FAMILY)
def conformity(**parameters: Any) -> Task:
    return _build("conformity", parameters)


@task
@declared(FAMILY)
def disturbing_miscellany(**parameters: Any) -> Task:
    return _build("disturbing_miscellany", parameters)


@task
@declared(FAMILY)
def few_shot(**parameters: Any) -> Task:
    return _build("few_shot", parameters)


@task
@declared(FAMILY)
def missing_choices(**parameters: Any) -> Task:
    return _build("missing_choices", parameters)


@task
@declared(FAMILY)
def vagueness(**parameters: Any) -> Task:
    return _build("vagueness", parameters)


@task
@declared(FAMILY)
def prompt_polishing(**parameters: Any) -> Task:
    return _build("prompt_polishing", parameters, polish())


@task
@declared(FAMILY)
def instruction_boundary(**parameters: Any) -> Task:
    return _build("instruction_boundary", parameters, by_variant())
