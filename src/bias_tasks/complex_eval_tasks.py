"""ComplexEval (Li et al. 2025) as tasks of Inspect; the evaluated model is the judge."""

from inspect_ai import Task, task

from bias_tasks.complex_eval.parameters import (
    Aux,
    Beta,
    Caution,
    Data,
    DialogueData,
    DialogueSeed,
    Domains,
    FlawCounts,
    JudgePrompt,
    MathAttacks,
    MaxDialogues,
    MaxItems,
    Mode,
    Modes,
    PairAttacks,
    Protocol,
    Responses,
    RolePlayingAttacks,
    Seed,
    SingleAux,
    Sources,
    Theta,
    WritingAttacks,
)
from bias_tasks.contract.parameters import Shard
from bias_tasks.tasks._build import build_task, checked

FAMILY = "complex_eval"


@checked
@task
def complexeval_basic(
    data: Data = "core",
    aux: Aux = None,
    attacks: PairAttacks = None,
    judge_prompt: JudgePrompt = "plain",
    caution: Caution = "none",
    domains: Domains = None,
    sources: Sources = None,
    theta: Theta = 0.5,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Preference pairs: both responses and attacked versions of the worse response, with and
    without auxiliary information.
    """
    return build_task(FAMILY, "complexeval_basic", locals())


@checked
@task
def complexeval_math(
    data: Data = "core",
    attacks: MathAttacks = None,
    aux: SingleAux = "full",
    judge_prompt: JudgePrompt = "plain",
    caution: Caution = "none",
    domains: Domains = None,
    sources: Sources = None,
    responses: Responses = None,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Solutions with a wrong step. Does the judge still locate it after an attack?"""
    return build_task(FAMILY, "complexeval_math", locals())


@checked
@task
def complexeval_role_playing(
    data: Data = "core",
    attacks: RolePlayingAttacks = None,
    aux: SingleAux = "full",
    judge_prompt: JudgePrompt = "plain",
    mode: Mode = "per_dimension",
    caution: Caution = "none",
    domains: Domains = None,
    sources: Sources = None,
    responses: Responses = None,
    beta: Beta = 10.0,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Dialogues, scored by deducting points from 100. Do attacks raise the score?"""
    return build_task(FAMILY, "complexeval_role_playing", locals())


@checked
@task
def complexeval_writing(
    data: Data = "core",
    attacks: WritingAttacks = None,
    aux: SingleAux = "full",
    judge_prompt: JudgePrompt = "plain",
    mode: Mode = "joint",
    caution: Caution = "none",
    domains: Domains = None,
    sources: Sources = None,
    responses: Responses = None,
    beta: Beta = 0.5,
    protocol: Protocol = "corrected",
    seed: Seed = 0,
    n: MaxItems = None,
    shard: Shard = None,
) -> Task:
    """Stories, scored from 1 to 10 by criterion. Do attacks raise the score?"""
    return build_task(FAMILY, "complexeval_writing", locals())


@checked
@task
def complexeval_attention_limit(
    data: DialogueData = "core",
    mode: Modes = "joint",
    k: FlawCounts = None,
    judge_prompt: JudgePrompt = "plain",
    protocol: Protocol = "corrected",
    seed: DialogueSeed = 0,
    n: MaxDialogues = 10,
    shard: Shard = None,
) -> Task:
    """Dialogues with 0 to 20 planted flaws. What share of the flaws does the judge report?"""
    return build_task(FAMILY, "complexeval_attention_limit", locals())
