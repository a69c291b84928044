"""Inspect tasks of binary question answering (Khrapunova 2025)."""

from inspect_ai import Task, task

from bias_tasks.binary_qa.parameters import (
    AffirmativeFirst,
    AnswerOrder,
    BaseModel,
    Data,
    Domains,
    FullShare,
    Level,
    MaxItems,
    Protocol,
    Reformulate,
    Seed,
    Sources,
    Weights,
)
from bias_tasks.contract.parameters import Shard
from bias_tasks.tasks._build import build_task, checked

FAMILY = "binary_qa"


@checked
@task
def binaryqa(
    domains: Domains = None,
    data: Data = "core",
    level: Level = None,
    sources: Sources = None,
    answer_order: AnswerOrder = "yes_no",
    reformulate: Reformulate = "existing",
    affirmative_first: AffirmativeFirst = False,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    weights: Weights = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """All metrics: each question in eight variants, with one prompt per variant."""
    return build_task(FAMILY, "binaryqa", locals())


@checked
@task
def binaryqa_prc(
    domains: Domains = None,
    data: Data = "core",
    level: Level = None,
    sources: Sources = None,
    answer_order: AnswerOrder = "yes_no",
    reformulate: Reformulate = "existing",
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """Positive reformulation consistency: two rewordings with the same meaning (eq. 1)."""
    return build_task(FAMILY, "binaryqa_prc", locals())


@checked
@task
def binaryqa_nrc(
    domains: Domains = None,
    data: Data = "core",
    level: Level = None,
    sources: Sources = None,
    answer_order: AnswerOrder = "yes_no",
    reformulate: Reformulate = "existing",
    affirmative_first: AffirmativeFirst = False,
    full_share: FullShare = 0.0,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """Negative reformulation consistency: two rewordings with the opposite meaning (eq. 3)."""
    return build_task(FAMILY, "binaryqa_nrc", locals())


@checked
@task
def binaryqa_arc(
    domains: Domains = None,
    data: Data = "core",
    level: Level = None,
    sources: Sources = None,
    answer_order: AnswerOrder = "yes_no",
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """Answer reformulation consistency: the prompt lists the answers in reverse order."""
    return build_task(FAMILY, "binaryqa_arc", locals())


@checked
@task
def binaryqa_sc(
    domains: Domains = None,
    data: Data = "core",
    level: Level = None,
    sources: Sources = None,
    answer_order: AnswerOrder = "yes_no",
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """Self-consistency: three identical prompts per question, never answered from a cache."""
    return build_task(FAMILY, "binaryqa_sc", locals())


@checked
@task
def binaryqa_qa(
    domains: Domains = None,
    data: Data = "core",
    level: Level = None,
    sources: Sources = None,
    answer_order: AnswerOrder = "yes_no",
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """Performance and bias on the original questions only."""
    return build_task(FAMILY, "binaryqa_qa", locals())
