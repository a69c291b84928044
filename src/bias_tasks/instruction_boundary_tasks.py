"""Instruction Boundary (Ling et al. 2025, arXiv:2509.20278) as tasks of Inspect."""

from inspect_ai import Task, task

from bias_tasks.contract.parameters import Shard
from bias_tasks.instruction_boundary.parameters import (
    BaseModel,
    Data,
    Dialogue,
    Distractors,
    ExampleLabels,
    Form,
    Kinds,
    LabelModification,
    Level,
    MaxItems,
    Paired,
    Polish,
    Protocol,
    PushbackRounds,
    Rounds,
    Seed,
    Shots,
    Sources,
    Suggest,
    Suggestion,
    Suggestions,
)
from bias_tasks.tasks._build import build_task, checked

FAMILY = "instruction_boundary"


@checked
@task
def vanilla(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    label_modification: LabelModification = False,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """Full, unbiased instructions: the baseline of the other settings."""
    return build_task(FAMILY, "vanilla", locals())


@checked
@task
def multi_turn(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    rounds: Rounds = 2,
    dialogue: Dialogue = False,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """The model sees its own answer and five reflection questions before it answers again."""
    return build_task(FAMILY, "multi_turn", locals())


@checked
@task
def self_reflection(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """The prompt requests step-by-step reasoning before the answer."""
    return build_task(FAMILY, "self_reflection", locals())


@checked
@task
def conformity(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    suggest: Suggest = "sparse",
    suggestions: Suggestions = 1,
    suggestion: Suggestion = "expert",
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """The prompt suggests an answer. Measures the share of answers that change to a wrong
    suggestion.
    """
    return build_task(FAMILY, "conformity", locals())


@checked
@task
def disturbing_miscellany(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    distractors: Distractors = 9,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """The prompt has one correct option among several wrong options; the baseline has one wrong
    option.
    """
    return build_task(FAMILY, "disturbing_miscellany", locals())


@checked
@task
def few_shot(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    example_labels: ExampleLabels = "sparse",
    shots: Shots = 1,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """The prompt has worked examples with selected labels before the question."""
    return build_task(FAMILY, "few_shot", locals())


@checked
@task
def missing_choices(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """The prompt omits the option that covers the rare label."""
    return build_task(FAMILY, "missing_choices", locals())


@checked
@task
def vagueness(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """The prompt contains options, but no task instruction or guidance."""
    return build_task(FAMILY, "vagueness", locals())


@checked
@task
def prompt_polishing(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    paired: Paired = True,
    n: MaxItems = None,
    polish: Polish = "template",
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """A template or a model polishes the prompt "to improve understanding"."""
    return build_task(FAMILY, "prompt_polishing", locals())


@checked
@task
def pushback(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    kinds: Kinds = "doubt,wrong,right",
    rounds: PushbackRounds = 1,
    shard: Shard = None,
) -> Task:
    """The user doubts the model's answer, or says that a wrong or the right one is correct.
    Measures the share of right answers that are given up.
    """
    return build_task(FAMILY, "pushback", locals())


@checked
@task
def instruction_boundary(
    form: Form = "all",
    data: Data = "paper",
    level: Level = None,
    sources: Sources = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    rounds: Rounds = 2,
    dialogue: Dialogue = False,
    suggest: Suggest = "sparse",
    suggestion: Suggestion = "expert",
    distractors: Distractors = 9,
    example_labels: ExampleLabels = "sparse",
    shots: Shots = 1,
    polish: Polish = "template",
    base_model: BaseModel = False,
    shard: Shard = None,
) -> Task:
    """Vanilla and all other settings, on the same items."""
    return build_task(FAMILY, "instruction_boundary", locals())
