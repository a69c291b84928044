"""
LLMs Are Biased Towards Output Formats! Systematically Evaluating and Mitigating Output Format Bias
of LLMs

Xuan Long Do, Hai Nguyen Ngoc, Tiviatis Sim, Hieu Dao, Shafiq Joty, Kenji Kawaguchi, Nancy F. Chen,
Min-Yen Kan (2025)

# How much of a score is the format's doing? Seven wrapping formats on the same problems
inspect eval bias_tasks/format_wrapping -T dataset=gsm8k -T prompting=zs_cot

# Does it help to say it three times?
inspect eval bias_tasks/format_wrapping -T dataset=gsm8k -T repeat=3
"""

from __future__ import annotations

from inspect_ai import Task, task

from bias_tasks.items import Protocol
from bias_tasks.items.output_format import Prompting
from bias_tasks.tasks._output_format import build


@task
def format_mcq(
    dataset: str | list[str] | None = "bbh",
    formats: str | list[str] | None = None,
    prompting: Prompting = "zs",
    repeat: int = 1,
    demos: int = 0,
    demos_from: str | None = None,
    protocol: Protocol = "corrected",
    moe: float = 0.05,
    alpha: float = 0.05,
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """The chosen option by its letter and by its text (section 5.1, appendix E.1).

    Args:
        dataset: `bbh` or `mmlu`, `synthetic` for generated items, or a file of your own (JSONL,
            CSV or Parquet); several as a list.
        formats: which formats, where not all: character, text.
        prompting: `zs`, or `zs_cot` to have the model reason step by step.
        repeat: how many times the format's instruction stands in the prompt.
        demos: worked demonstrations in the asked format before each question.
        demos_from: where demonstrations come from: `synthetic`, or a file of your own questions
            that are not evaluated. Synthetic items are demonstrated without it.
        protocol: `corrected`, or `published` to read and score as the paper did.
        moe: margin of error within which `est_true` counts as reliable, a share.
        alpha: one less the confidence of that verdict.
        seed: seed of the order of items, of shuffled candidates, and of synthetic items.
        n: at most so many items of each data set.
    """
    return build(
        "format_mcq",
        dataset=dataset,
        formats=formats,
        prompting=prompting,
        repeat=repeat,
        demos=demos,
        demos_from=demos_from,
        protocol=protocol,
        moe=moe,
        alpha=alpha,
        seed=seed,
        n=n,
    )


@task
def format_wrapping(
    dataset: str | list[str] | None = "gsm8k",
    formats: str | list[str] | None = None,
    prompting: Prompting = "zs",
    repeat: int = 1,
    demos: int = 0,
    demos_from: str | None = None,
    protocol: Protocol = "corrected",
    moe: float = 0.05,
    alpha: float = 0.05,
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """The final answer wrapped in seven ways (section 5.2, appendix E.2).

    Args:
        dataset: `gsm8k`, `hotpotqa`, `fairytaleqa`, `bbh` or `mmlu`, `synthetic` for generated
            items, or a file of your own (JSONL, CSV or Parquet); several as a list.
        formats: which formats, where not all:
            special_character, bolding, italicizing, brackets, parentheses, placeholder, quoting.
        prompting: `zs`, or `zs_cot` to have the model reason step by step.
        repeat: how many times the format's instruction stands in the prompt.
        demos: worked demonstrations in the asked format before each question.
        demos_from: where demonstrations come from: `synthetic`, or a file of your own questions
            that are not evaluated. Synthetic items are demonstrated without it.
        protocol: `corrected`, or `published` to read and score as the paper did.
        moe: margin of error within which `est_true` counts as reliable, a share.
        alpha: one less the confidence of that verdict.
        seed: seed of the order of items, of shuffled candidates, and of synthetic items.
        n: at most so many items of each data set.
    """
    return build(
        "format_wrapping",
        dataset=dataset,
        formats=formats,
        prompting=prompting,
        repeat=repeat,
        demos=demos,
        demos_from=demos_from,
        protocol=protocol,
        moe=moe,
        alpha=alpha,
        seed=seed,
        n=n,
    )


@task
def format_list(
    dataset: str | list[str] | None = "semeval2017",
    formats: str | list[str] | None = None,
    prompting: Prompting = "zs",
    repeat: int = 1,
    demos: int = 0,
    demos_from: str | None = None,
    protocol: Protocol = "corrected",
    moe: float = 0.05,
    alpha: float = 0.05,
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """A list in four formats (section 5.3, appendix E.3).

    Args:
        dataset: `semeval2017` (keyphrases) or `scidocs` (0 or 1 for each document), `synthetic`
            for generated items, or a file of your own (JSONL, CSV or Parquet); several as a list.
        formats: which formats, where not all: python, bullet, sep, newline.
        prompting: `zs`, or `zs_cot` to have the model reason step by step.
        repeat: how many times the format's instruction stands in the prompt.
        demos: worked demonstrations in the asked format before each question.
        demos_from: where demonstrations come from: `synthetic`, or a file of your own questions
            that are not evaluated. Synthetic items are demonstrated without it.
        protocol: `corrected`, or `published` to read and score as the paper did.
        moe: margin of error within which `est_true` counts as reliable, a share.
        alpha: one less the confidence of that verdict.
        seed: seed of the order of items, of shuffled candidates, and of synthetic items.
        n: at most so many items of each data set.
    """
    return build(
        "format_list",
        dataset=dataset,
        formats=formats,
        prompting=prompting,
        repeat=repeat,
        demos=demos,
        demos_from=demos_from,
        protocol=protocol,
        moe=moe,
        alpha=alpha,
        seed=seed,
        n=n,
    )


@task
def format_mapping(
    dataset: str | list[str] | None = "scirex_medium",
    formats: str | list[str] | None = None,
    prompting: Prompting = "zs",
    repeat: int = 1,
    demos: int = 0,
    demos_from: str | None = None,
    protocol: Protocol = "corrected",
    moe: float = 0.05,
    alpha: float = 0.05,
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Lists under keys, as JSON and as YAML (section 5.4, appendix E.4).

    Args:
        dataset: `scirex_easy`, `scirex_medium` or `scirex_hard`, `synthetic` for generated
            items, or a file of your own (JSONL, CSV or Parquet); several as a list.
        formats: which formats, where not all: json, yaml.
        prompting: `zs`, or `zs_cot` to have the model reason step by step.
        repeat: how many times the format's instruction stands in the prompt.
        demos: worked demonstrations in the asked format before each question.
        demos_from: where demonstrations come from: `synthetic`, or a file of your own questions
            that are not evaluated. Synthetic items are demonstrated without it.
        protocol: `corrected`, or `published` to read and score as the paper did.
        moe: margin of error within which `est_true` counts as reliable, a share.
        alpha: one less the confidence of that verdict.
        seed: seed of the order of items, of shuffled candidates, and of synthetic items.
        n: at most so many items of each data set.
    """
    return build(
        "format_mapping",
        dataset=dataset,
        formats=formats,
        prompting=prompting,
        repeat=repeat,
        demos=demos,
        demos_from=demos_from,
        protocol=protocol,
        moe=moe,
        alpha=alpha,
        seed=seed,
        n=n,
    )


@task
def format_bias(
    dataset: str | list[str] | None = None,
    formats: str | list[str] | None = None,
    prompting: Prompting = "zs",
    repeat: int = 1,
    demos: int = 0,
    demos_from: str | None = None,
    protocol: Protocol = "corrected",
    moe: float = 0.05,
    alpha: float = 0.05,
    seed: int = 0,
    n: int | None = None,
) -> Task:
    """Every category of formats, each compared on the items whose answers it can hold.

    Args:
        dataset: one for each category where not given (bbh, gsm8k, semeval2017, scirex_medium);
            or mmlu, hotpotqa, fairytaleqa, scidocs, scirex_easy, scirex_hard, `synthetic` for
            generated items, or a file of your own (JSONL, CSV or Parquet); several as a list.
        formats: which formats, where not all that can hold an item's answer.
        prompting: `zs`, or `zs_cot` to have the model reason step by step.
        repeat: how many times the format's instruction stands in the prompt.
        demos: worked demonstrations in the asked format before each question.
        demos_from: where demonstrations come from: `synthetic`, or a file of your own questions
            that are not evaluated. Synthetic items are demonstrated without it.
        protocol: `corrected`, or `published` to read and score as the paper did.
        moe: margin of error within which `est_true` counts as reliable, a share.
        alpha: one less the confidence of that verdict.
        seed: seed of the order of items, of shuffled candidates, and of synthetic items.
        n: at most so many items of each data set.
    """
    return build(
        "format_bias",
        dataset=dataset,
        formats=formats,
        prompting=prompting,
        repeat=repeat,
        demos=demos,
        demos_from=demos_from,
        protocol=protocol,
        moe=moe,
        alpha=alpha,
        seed=seed,
        n=n,
    )
