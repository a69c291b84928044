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

from inspect_ai import Task, task
from inspect_ai.solver import generate

from bias_tasks.data.load import Forms
from bias_tasks.design.instruction_boundary import ALL_SETTINGS
from bias_tasks.items import Protocol
from bias_tasks.solvers.distract import distract
from bias_tasks.solvers.few_shot import few_shot as few_shot_solver
from bias_tasks.solvers.omit_option import omit_option
from bias_tasks.solvers.polish import polish as polish_solver
from bias_tasks.solvers.reflect import reflect
from bias_tasks.solvers.suggest import suggest as suggest_solver
from bias_tasks.solvers.terse import terse
from bias_tasks.solvers.variant import by_variant
from bias_tasks.tasks._boundary import build


@task
def vanilla(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Full, unbiased instructions: the baseline of the other settings.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        n: at most so many items, balanced over forms and labels.
    """
    return build(
        "vanilla", generate(), form, data, sources, n, paired=False, protocol=protocol, seed=seed
    )


@task
def multi_turn(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    paired: bool = True,
    n: int | None = None,
    rounds: int = 2,
) -> Task:
    """The model sees its own answer and five reflection questions before it answers again.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        paired: ask the vanilla question beside the setting's, to compare them pair by pair.
        n: at most so many items, balanced over forms and labels.
        rounds: rounds in all, at least 2.
    """
    return build(
        "multi_turn",
        reflect(),
        form,
        data,
        sources,
        n,
        paired=paired,
        protocol=protocol,
        seed=seed,
        rounds=rounds,
    )


@task
def conformity(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    paired: bool = True,
    n: int | None = None,
    suggest: str | bool = "sparse",
) -> Task:
    """The prompt suggests an answer: the share that adopts it, and right answers given up.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        paired: ask the vanilla question beside the setting's, to compare them pair by pair.
        n: at most so many items, balanced over forms and labels.
        suggest: `sparse` (the paper's), `tense`, `rotate`, `wrong`, or one label.
    """
    return build(
        "conformity",
        suggest_solver(),
        form,
        data,
        sources,
        n,
        paired=paired,
        protocol=protocol,
        seed=seed,
        suggest=str(suggest),
    )


@task
def disturbing_miscellany(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    paired: bool = True,
    n: int | None = None,
    distractors: int = 9,
) -> Task:
    """One right option among wrong ones; its vanilla twin shows a single wrong one.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        paired: ask the vanilla question beside the setting's, to compare them pair by pair.
        n: at most so many items, balanced over forms and labels.
        distractors: wrong options beside the right one, 1 to 9.
    """
    return build(
        "disturbing_miscellany",
        distract(),
        form,
        data,
        sources,
        n,
        paired=paired,
        protocol=protocol,
        seed=seed,
        distractors=distractors,
    )


@task
def few_shot(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    paired: bool = True,
    n: int | None = None,
    examples: str = "sparse",
    shots: int = 1,
) -> Task:
    """Worked examples with chosen labels stand before the question.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        paired: ask the vanilla question beside the setting's, to compare them pair by pair.
        n: at most so many items, balanced over forms and labels.
        examples: labels of the examples: `sparse` (the paper's), `tense` or `balanced`.
        shots: examples a label.
    """
    return build(
        "few_shot",
        few_shot_solver(),
        form,
        data,
        sources,
        n,
        paired=paired,
        protocol=protocol,
        seed=seed,
        examples=examples,
        shots=shots,
    )


@task
def missing_choices(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    paired: bool = True,
    n: int | None = None,
) -> Task:
    """The option that covers the sparse label is left out.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        paired: ask the vanilla question beside the setting's, to compare them pair by pair.
        n: at most so many items, balanced over forms and labels.
    """
    return build(
        "missing_choices",
        omit_option(),
        form,
        data,
        sources,
        n,
        paired=paired,
        protocol=protocol,
        seed=seed,
    )


@task
def vagueness(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    paired: bool = True,
    n: int | None = None,
) -> Task:
    """Bare options: no task, no guidance.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        paired: ask the vanilla question beside the setting's, to compare them pair by pair.
        n: at most so many items, balanced over forms and labels.
    """
    return build(
        "vagueness", terse(), form, data, sources, n, paired=paired, protocol=protocol, seed=seed
    )


@task
def prompt_polishing(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    paired: bool = True,
    n: int | None = None,
    polish: str = "template",
) -> Task:
    """The prompt polished "to improve understanding", by template or live by a model.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        paired: ask the vanilla question beside the setting's, to compare them pair by pair.
        n: at most so many items, balanced over forms and labels.
        polish: `template`, or `live`: rewritten by the model in the role `polisher`.
    """
    return build(
        "prompt_polishing",
        polish_solver(),
        form,
        data,
        sources,
        n,
        paired=paired,
        protocol=protocol,
        seed=seed,
        polish=polish,
    )


@task
def instruction_boundary(
    form: Forms = "all",
    data: str = "paper",
    sources: str | list[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    rounds: int = 2,
    suggest: str | bool = "sparse",
    distractors: int = 9,
    examples: str = "sparse",
    shots: int = 1,
    polish: str = "template",
) -> Task:
    """Vanilla once and every setting, on the same items.

    Args:
        form: `judging`, `choice` or `all`.
        data: `paper`, `synthetic`, or a file of your own items (JSONL, CSV or Parquet).
        sources: names of the paper's sources, where not the default ones
            (`bias-tasks data list` shows them).
        protocol: `corrected`, or `published` to repeat the paper's instrument, quirks included.
        seed: seed of the order of items and of every draw.
        n: at most so many items, balanced over forms and labels.
        rounds: rounds in all, at least 2.
        suggest: `sparse` (the paper's), `tense`, `rotate`, `wrong`, or one label.
        distractors: wrong options beside the right one, 1 to 9.
        examples: labels of the examples: `sparse` (the paper's), `tense` or `balanced`.
        shots: examples a label.
        polish: `template`, or `live`: rewritten by the model in the role `polisher`.
    """
    return build(
        ALL_SETTINGS,
        by_variant(),
        form,
        data,
        sources,
        n,
        paired=True,
        protocol=protocol,
        seed=seed,
        rounds=rounds,
        suggest=str(suggest),
        distractors=distractors,
        examples=examples,
        shots=shots,
        polish=polish,
    )
