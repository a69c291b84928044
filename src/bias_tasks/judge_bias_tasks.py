"""Tasks of Inspect with the evaluated model as a judge."""

from inspect_ai import Task, task

from bias_tasks.contract.parameters import Shard
from bias_tasks.judge_bias.parameters import (
    Data,
    MaxItems,
    PairProbes,
    Pairs,
    PromptData,
    Protocol,
    Repeats,
    Seed,
    SingleProbes,
    Template,
)
from bias_tasks.solvers.compare_with_other import compare_with_other
from bias_tasks.tasks._build import build_task, checked

FAMILY = "judge_bias"


@checked
@task
def judge_pairwise(
    data: Data = "core",
    pairs: Pairs = "clear",
    probes: PairProbes = None,
    repeats: Repeats = 2,
    template: Template = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = 100,
    shard: Shard = None,
) -> Task:
    """A judge compares two responses at baseline and under probes of order, length, layout and
    authority. Does its verdict change?
    """
    return build_task(FAMILY, "judge_pairwise", locals())


@checked
@task
def judge_single(
    data: Data = "core",
    probes: SingleProbes = None,
    repeats: Repeats = 2,
    template: Template = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = 100,
    shard: Shard = None,
) -> Task:
    """A judge scores single responses at baseline and under probes of length, layout and
    authority. Does the better response keep the higher score?
    """
    return build_task(FAMILY, "judge_single", locals())


@checked
@task
def self_preference(
    data: PromptData = "core",
    template: Template = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = 100,
    shard: Shard = None,
) -> Task:
    """The model and a jury compare the model's answers with those of another model. Does the
    model prefer its own answers more often than the jury does?
    """
    return build_task(FAMILY, "self_preference", locals(), compare_with_other())
