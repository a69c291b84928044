"""FormatEval (Do et al. 2025), biases towards output formats, as tasks of Inspect."""

from inspect_ai import Task, task

from bias_tasks.contract.parameters import Shard
from bias_tasks.output_format.parameters import (
    Alpha,
    AnyData,
    Demos,
    DemosFrom,
    Formats,
    MaxItems,
    Modes,
    Moe,
    Order,
    Prompting,
    Protocol,
    Repeat,
    Score,
    Seed,
    StructuredData,
    StructuredProtocol,
    Variant,
)
from bias_tasks.solvers.structured import structured
from bias_tasks.tasks._build import build_task, checked

FAMILY = "output_format"


@checked
@task
def format_bias(
    data: AnyData = "paper",
    formats: Formats = None,
    prompting: Prompting = "zs",
    repeat: Repeat = 1,
    demos: Demos = 0,
    demos_from: DemosFrom = None,
    protocol: Protocol = "corrected",
    variant: Variant = "chatgpt",
    score: Score = "exact",
    moe: Moe = 0.05,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """All categories of formats. Each category uses the items whose answers it supports."""
    return build_task(FAMILY, "format_bias", locals())


@checked
@task
def format_mcq(
    data: AnyData = "paper",
    formats: Formats = None,
    prompting: Prompting = "zs",
    repeat: Repeat = 1,
    demos: Demos = 0,
    demos_from: DemosFrom = None,
    protocol: Protocol = "corrected",
    variant: Variant = "chatgpt",
    score: Score = "exact",
    moe: Moe = 0.05,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Multiple choice: answer with the letter or the text of an option (section 5.1, appendix
    E.1).
    """
    return build_task(FAMILY, "format_mcq", locals())


@checked
@task
def format_wrapping(
    data: AnyData = "paper",
    formats: Formats = None,
    prompting: Prompting = "zs",
    repeat: Repeat = 1,
    demos: Demos = 0,
    demos_from: DemosFrom = None,
    protocol: Protocol = "corrected",
    variant: Variant = "chatgpt",
    score: Score = "exact",
    moe: Moe = 0.05,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Seven ways to mark the final answer (section 5.2, appendix E.2)."""
    return build_task(FAMILY, "format_wrapping", locals())


@checked
@task
def format_list(
    data: AnyData = "paper",
    formats: Formats = None,
    prompting: Prompting = "zs",
    repeat: Repeat = 1,
    demos: Demos = 0,
    demos_from: DemosFrom = None,
    protocol: Protocol = "corrected",
    variant: Variant = "chatgpt",
    score: Score = "exact",
    moe: Moe = 0.05,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Lists in four formats (section 5.3, appendix E.3)."""
    return build_task(FAMILY, "format_list", locals())


@checked
@task
def format_mapping(
    data: AnyData = "paper",
    formats: Formats = None,
    prompting: Prompting = "zs",
    repeat: Repeat = 1,
    demos: Demos = 0,
    demos_from: DemosFrom = None,
    protocol: Protocol = "corrected",
    variant: Variant = "chatgpt",
    score: Score = "exact",
    moe: Moe = 0.05,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Mappings from keys to lists, as JSON and YAML (section 5.4, appendix E.4)."""
    return build_task(FAMILY, "format_mapping", locals())


@checked
@task
def format_structured(
    data: StructuredData = "core",
    modes: Modes = None,
    order: Order = "drawn",
    protocol: StructuredProtocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """The price of structured output: the same items as free text, JSON, schema, tool, grammar."""
    return build_task(FAMILY, "format_structured", locals(), structured())
