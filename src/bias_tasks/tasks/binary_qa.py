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

from inspect_ai import Task, task

from bias_tasks.items import Protocol
from bias_tasks.items.binary_qa import Order
from bias_tasks.tasks._binary_qa import build


@task
def binaryqa(
    domains: str | list[str] | None = None,
    data: str = "paper",
    sources: str | list[str] | None = None,
    order: Order = "yes_no",
    reformulate: str | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    weights: dict[str, float] | None = None,
) -> Task:
    """The whole scorecard: every question in its eight variants, each asked once.

    Args:
        domains: which domains, where not all: reading, multi_hop, numerical, translation, ethics
            for the paper's data.
        data: `paper`, `synthetic`, or a file of your own questions (JSONL, CSV or Parquet).
        sources: names of the sources, where not the paper's (`bias-tasks data list`).
        order: `yes_no` or `no_yes`, the order in which the answers are printed.
        reformulate: where rewordings come from: `given` (those in your file alone: its default),
            `grammar` (made where missing, and an error where it can't: the default for the
            paper's data), or `skip` (questions that the grammar can't reword are passed over).
        protocol: `corrected`, or `published` to compare unread answers like any other.
        seed: seed of the order of questions, and of synthetic ones.
        n: at most so many questions, balanced over domains and labels.
        weights: weights of the core metrics in `mbs`, where not the paper's, such as
            `{"f1": 0.5, "prc": 0.5}`.
    """
    return build(
        "binaryqa",
        domains=domains,
        data=data,
        sources=sources,
        order=order,
        reformulate=reformulate,
        protocol=protocol,
        seed=seed,
        n=n,
        weights=weights,
    )


@task
def binaryqa_prc(
    domains: str | list[str] | None = None,
    data: str = "paper",
    sources: str | list[str] | None = None,
    order: Order = "yes_no",
    reformulate: str | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Positive reformulation consistency: two rewordings of the same meaning (paper, eq. 1).

    Args:
        domains: which domains, where not all: reading, multi_hop, numerical, translation, ethics
            for the paper's data.
        data: `paper`, `synthetic`, or a file of your own questions (JSONL, CSV or Parquet).
        sources: names of the sources, where not the paper's (`bias-tasks data list`).
        order: `yes_no` or `no_yes`, the order in which the answers are printed.
        reformulate: where rewordings come from: `given` (those in your file alone: its default),
            `grammar` (made where missing, and an error where it can't: the default for the
            paper's data), or `skip` (questions that the grammar can't reword are passed over).
        protocol: `corrected`, or `published` to compare unread answers like any other.
        seed: seed of the order of questions, and of synthetic ones.
        n: at most so many questions, balanced over domains and labels.
    """
    return build(
        "binaryqa_prc",
        domains=domains,
        data=data,
        sources=sources,
        order=order,
        reformulate=reformulate,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def binaryqa_nrc(
    domains: str | list[str] | None = None,
    data: str = "paper",
    sources: str | list[str] | None = None,
    order: Order = "yes_no",
    reformulate: str | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Negative reformulation consistency: two rewordings of opposite meaning (paper, eq. 3).

    Args:
        domains: which domains, where not all: reading, multi_hop, numerical, translation, ethics
            for the paper's data.
        data: `paper`, `synthetic`, or a file of your own questions (JSONL, CSV or Parquet).
        sources: names of the sources, where not the paper's (`bias-tasks data list`).
        order: `yes_no` or `no_yes`, the order in which the answers are printed.
        reformulate: where rewordings come from: `given` (those in your file alone: its default),
            `grammar` (made where missing, and an error where it can't: the default for the
            paper's data), or `skip` (questions that the grammar can't reword are passed over).
        protocol: `corrected`, or `published` to compare unread answers like any other.
        seed: seed of the order of questions, and of synthetic ones.
        n: at most so many questions, balanced over domains and labels.
    """
    return build(
        "binaryqa_nrc",
        domains=domains,
        data=data,
        sources=sources,
        order=order,
        reformulate=reformulate,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def binaryqa_arc(
    domains: str | list[str] | None = None,
    data: str = "paper",
    sources: str | list[str] | None = None,
    order: Order = "yes_no",
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Answer reformulation consistency: the answers printed in the other order.

    Args:
        domains: which domains, where not all: reading, multi_hop, numerical, translation, ethics
            for the paper's data.
        data: `paper`, `synthetic`, or a file of your own questions (JSONL, CSV or Parquet).
        sources: names of the sources, where not the paper's (`bias-tasks data list`).
        order: `yes_no` or `no_yes`, the order in which the answers are printed.
        protocol: `corrected`, or `published` to compare unread answers like any other.
        seed: seed of the order of questions, and of synthetic ones.
        n: at most so many questions, balanced over domains and labels.
    """
    return build(
        "binaryqa_arc",
        domains=domains,
        data=data,
        sources=sources,
        order=order,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def binaryqa_sc(
    domains: str | list[str] | None = None,
    data: str = "paper",
    sources: str | list[str] | None = None,
    order: Order = "yes_no",
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Self-consistency: the same question three times, never answered from a cache.

    Args:
        domains: which domains, where not all: reading, multi_hop, numerical, translation, ethics
            for the paper's data.
        data: `paper`, `synthetic`, or a file of your own questions (JSONL, CSV or Parquet).
        sources: names of the sources, where not the paper's (`bias-tasks data list`).
        order: `yes_no` or `no_yes`, the order in which the answers are printed.
        protocol: `corrected`, or `published` to compare unread answers like any other.
        seed: seed of the order of questions, and of synthetic ones.
        n: at most so many questions, balanced over domains and labels.
    """
    return build(
        "binaryqa_sc",
        domains=domains,
        data=data,
        sources=sources,
        order=order,
        protocol=protocol,
        seed=seed,
        n=n,
    )


@task
def binaryqa_qa(
    domains: str | list[str] | None = None,
    data: str = "paper",
    sources: str | list[str] | None = None,
    order: Order = "yes_no",
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """The original questions alone: performance and bias.

    Args:
        domains: which domains, where not all: reading, multi_hop, numerical, translation, ethics
            for the paper's data.
        data: `paper`, `synthetic`, or a file of your own questions (JSONL, CSV or Parquet).
        sources: names of the sources, where not the paper's (`bias-tasks data list`).
        order: `yes_no` or `no_yes`, the order in which the answers are printed.
        protocol: `corrected`, or `published` to compare unread answers like any other.
        seed: seed of the order of questions, and of synthetic ones.
        n: at most so many questions, balanced over domains and labels.
    """
    return build(
        "binaryqa_qa",
        domains=domains,
        data=data,
        sources=sources,
        order=order,
        protocol=protocol,
        seed=seed,
        n=n,
    )
