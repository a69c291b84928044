"""
Curse of Knowledge: When Complex Evaluation Context Benefits yet Biases LLM Judges

Weiyuan Li, Xintao Wang, Siyu Yuan, et al. (2025)

The model that is evaluated is the judge under test.

# What references and rubrics do to its verdicts on pairs, on generated items
inspect eval bias_tasks/complexeval_basic -T data=synthetic

# How often attacked stories win, beside how often noise alone does
inspect eval bias_tasks/complexeval_writing -T data=attacked.jsonl
"""

from __future__ import annotations

from inspect_ai import Task, task

from bias_tasks.items import Protocol
from bias_tasks.tasks._complex_eval import build_advanced, build_attention, build_basic


@task
def complexeval_basic(
    data: str = "paper",
    aux: str | list[str] | None = None,
    attack: str | list[str] | None = None,
    domains: str | list[str] | None = None,
    sources: str | list[str] | None = None,
    theta: float = 0.5,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Preference pairs: each response judged once under each auxiliary condition.

    Args:
        data: `paper`, `synthetic`, or a file: an attacked dataset (`bias-tasks attack`) or your own
            items (JSONL, CSV or Parquet). Where no item brings attacked responses, they are made
            by rule.
        aux: what the judge is given beside, of `none`, `reference` and `rubric`; all by default.
        attack: which rejected responses, of `none` (as it is), `reference` and `rubric` (attacked
            toward that); all by default.
        domains: which domains, where not all: Brainstorming, Chat, Classification, Closed QA,
            Code, Generation, Open QA, Reasoning, Rewrite, Role Playing, Summarization,
            Translation for the paper's data.
        sources: names of the data sets, where not all of the paper's (`bias-tasks data list`).
        theta: differences of scores up to it are ties.
        protocol: `corrected`, or `published` to keep attacks that fail the mechanical check.
        seed: seed of the order of pairs, of attacks by rule, and of synthetic pairs.
        n: at most so many pairs, domains taking turns.
    """
    return build_basic(
        data=data,
        aux=aux,
        attack=attack,
        domains=domains,
        sources=sources,
        theta=theta,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def complexeval_math(
    data: str = "paper",
    bias: str | list[str] | None = None,
    domains: str | list[str] | None = None,
    sources: str | list[str] | None = None,
    responses: str | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Solutions with a wrong step: is it still located once the solution is attacked?

    Args:
        data: `paper`, `synthetic`, or a file: an attacked dataset (`bias-tasks attack`) or your own
            items (JSONL, CSV or Parquet). Where no item brings attacked responses, they are made
            by rule.
        bias: which attacks, of `format` and `solution_fixation`; both by default.
        domains: which domains, where not all.
        sources: names of the data sets, where not all of the paper's (`bias-tasks data list`).
        responses: with `data="paper"`, a file of rows `{id, response, reference?}` for requests
            that have no response of their own.
        protocol: `corrected`, or `published` to keep attacks that fail the mechanical check.
        seed: seed of the order of items, of attacks by rule, and of synthetic items.
        n: at most so many items, domains taking turns.
    """
    return build_advanced(
        "complexeval_math",
        "math",
        data=data,
        bias=bias,
        domains=domains,
        sources=sources,
        responses=responses,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def complexeval_role_playing(
    data: str = "paper",
    bias: str | list[str] | None = None,
    domains: str | list[str] | None = None,
    sources: str | list[str] | None = None,
    responses: str | None = None,
    beta: float = 10.0,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Dialogues, scored 0 to 100 by deductions: do attacks raise the score?

    Args:
        data: `paper`, `synthetic`, or a file: an attacked dataset (`bias-tasks attack`) or your own
            items (JSONL, CSV or Parquet). Where no item brings attacked responses, they are made
            by rule.
        bias: which attacks, of `format`, `solution_fixation`, `stereotype_amplification`,
            `criteria_loophole` and `criteria_entanglement`; all by default.
        domains: which domains, where not all.
        sources: names of the data sets, where not all of the paper's (`bias-tasks data list`).
        responses: with `data="paper"`, a file of rows `{id, response, reference?}` for requests
            that have no response of their own.
        beta: points by which the score must rise for an attack to win.
        protocol: `corrected`, or `published` to keep attacks that fail the mechanical check.
        seed: seed of the order of items, of attacks by rule, and of synthetic items.
        n: at most so many items, domains taking turns.
    """
    return build_advanced(
        "complexeval_role_playing",
        "role_playing",
        data=data,
        bias=bias,
        domains=domains,
        sources=sources,
        responses=responses,
        beta=beta,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def complexeval_writing(
    data: str = "paper",
    bias: str | list[str] | None = None,
    domains: str | list[str] | None = None,
    sources: str | list[str] | None = None,
    responses: str | None = None,
    beta: float = 0.5,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Stories, scored 1 to 10 by criterion: do attacks raise the score?

    Args:
        data: `paper`, `synthetic`, or a file: an attacked dataset (`bias-tasks attack`) or your own
            items (JSONL, CSV or Parquet). Where no item brings attacked responses, they are made
            by rule.
        bias: which attacks, of `format`, `solution_fixation`, `criteria_loophole` and
            `criteria_entanglement`; all by default.
        domains: which domains, where not all.
        sources: names of the data sets, where not all of the paper's (`bias-tasks data list`).
        responses: with `data="paper"`, a file of rows `{id, response, reference?}` for requests
            that have no response of their own.
        beta: points by which the score must rise for an attack to win.
        protocol: `corrected`, or `published` to keep attacks that fail the mechanical check.
        seed: seed of the order of items, of attacks by rule, and of synthetic items.
        n: at most so many items, domains taking turns.
    """
    return build_advanced(
        "complexeval_writing",
        "creative_writing",
        data=data,
        bias=bias,
        domains=domains,
        sources=sources,
        responses=responses,
        beta=beta,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def complexeval_attention_limit(
    mode: str | list[str] = "joint",
    k: int | str | list[int] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int = 10,
) -> Task:
    """Flaws found against flaws planted, in generated dialogues with up to twenty of them.

    Args:
        mode: `joint` for all dimensions in one call, `per_dimension` for a call each, or both.
        k: how many flaws to plant, 0 to 20; every number of them by default.
        protocol: `corrected` or `published`; there is no difference between them here.
        seed: seed of the dialogues.
        n: dialogues, each of which is judged with every number of flaws.
    """
    return build_attention(mode=mode, k=k, protocol=protocol, seed=seed, n=n)
