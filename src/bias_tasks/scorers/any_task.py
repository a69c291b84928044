"""Scorer of label rates and metric of consistency over rewordings, for any task."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Literal

from inspect_ai.scorer import CORRECT, INCORRECT, Metric, SampleScore, Score, Scorer, Target, metric
from inspect_ai.scorer import scorer as register_scorer
from inspect_ai.solver import TaskState

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.scorers.outcome import convert_output
from bias_tasks.solvers.inspect_api import ScorerError, checks_arguments, register_logged_name
from bias_tasks.statistics.estimate import flatten

_OUTCOME_KEY = "label_rates"
"""Name of the outcome in a score's metadata."""


@metric(scores="unreduced")
def label_metrics() -> Metric:
    """Compute the metrics of `label_rates`, each with its 95 % interval and number of samples."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        from bias_tasks.instruction_boundary.any_task import LabelExtra, compute_label_metrics

        logged = ((score.score.metadata or {}).get(_OUTCOME_KEY) for score in scores)
        outcomes = [Outcome.from_dict(values, LabelExtra) for values in logged if values]
        return flatten(compute_label_metrics(outcomes)) if outcomes else {}

    return compute


@register_scorer(metrics=[label_metrics()])
@checks_arguments(ScorerError)
def label_rates(
    tense: list[str],
    sparse: list[str],
    read: Literal["choice", "judging", "yes_no"] | Callable[[str], str | None] | None = None,
    cluster: str = "cluster",
) -> Scorer:
    """Compare accuracy on the usual labels of a task with accuracy on its rare labels.

    The rates are those of Instruction Boundary (section 2.2). `acc` is the share of correct
    answers, `sr` the share over samples with a tense label and `gr` over samples with a sparse one
    (each also by label, `sr/<label>`). `rs` is the harmonic mean of `sr` and `gr`. `or/<label>` is
    the share of answers with a label (`or/invalid`: with none of the labels), and `unparsed` the
    share that could not be parsed.

    The target of a sample is its label, or the letters of its correct choices. With choices, a
    label is the text or letter of a choice, or the number of correct choices as `single`,
    `multiple` or `none`.

    Args:
        tense: The labels that are usual in data sets, such as `["yes", "no"]`.
        sparse: The labels that are rare, such as `["maybe"]`.
        read: How to parse answers: the form `choice`, `judging` or `yes_no` of `parse_answer`, or a
            function from a text to a label, or to None if it has none. By default, choices are
            parsed if the sample has choices. Otherwise Yes and No, or True, False and Unknown, are
            parsed if these are the labels.
        cluster: Name in a sample's metadata of what it shares with others, such as a passage.
            Intervals are clustered by it; a sample without it is its own cluster.
    """
    from bias_tasks.instruction_boundary.any_task import TaskLabels

    labels = TaskLabels(tuple(tense), tuple(sparse), read)

    async def score(state: TaskState, target: Target) -> Score:
        item, texts = str(state.sample_id), [choice.value for choice in state.choices]
        output = convert_output(state.output, state.epoch, state.user_prompt.text)
        labels_or_letters = list(target) if texts else target.text
        cluster_name = str(state.metadata.get(cluster, item))
        outcome = labels.score_answer(
            item, cluster_name, labels_or_letters, texts, output.without_reasoning()
        )
        return Score(
            value=CORRECT if outcome.score else INCORRECT,
            answer=outcome.answer,
            explanation=outcome.explanation or None,
            reason=outcome.reason,
            metadata={_OUTCOME_KEY: outcome.to_dict()},
        )

    return score


register_logged_name(label_rates)


@metric(scores="unreduced")
def reformulation_consistency(
    group: str = "item",
    variant: str = "variant",
    original: str = "original",
    opposite: list[str] | None = None,
    read: Literal["judging", "yes_no"] | None = None,
    cluster: str = "cluster",
) -> Metric:
    """Compute how consistent the answers to differently worded questions are, for any scorer.

    Each sample is one variant of an item, named in its metadata. `prc` is the share of items with
    the same answer in all other words. `nrc` is the share with the other answer in all words whose
    correct answer is the opposite. `arc` is the share with the same answer when the answers are in
    `reversed` order, and `sc` in every variant that begins with `repeat` (Khrapunova 2025, section
    2.3). Each is computed if its variants exist. An unparsed answer is never consistent. Answers
    are those of the scorer (`Score.answer`), in any case and without surrounding blanks.

    Args:
        group: Name in the metadata of the item of which a sample is a variant.
        variant: Name in the metadata of the variant.
        original: The variant with which others are compared.
        opposite: Variants whose correct answer is the opposite; by default `contradictory` and
            `false`.
        read: How to parse the scorer's answer if that is a whole text; None if it is a value.
        cluster: Name in the metadata of what items share; an item without it is its own cluster.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        from bias_tasks.binary_qa.any_task import (
            NEGATIVE_VARIANTS,
            compute_consistency_metrics,
            variant_outcome,
        )
        from bias_tasks.parsing.answer import parse_answer

        build_outcome = partial(
            variant_outcome,
            original=original,
            opposite=NEGATIVE_VARIANTS if opposite is None else opposite,
        )
        epochs = Counter[str]()
        outcomes = []
        for sample_score in scores:
            metadata = sample_score.sample_metadata or {}
            sample = str(sample_score.sample_id)
            for name, argument in ((group, "group"), (variant, "variant")):
                if metadata.get(name) is None:
                    raise ValueError(
                        f"sample {sample} has no {name!r} in its metadata: name it by {argument}="
                    )
            epochs[sample] += 1
            item, answer = str(metadata[group]), sample_score.score.answer
            if read is not None and answer is not None:
                answer = parse_answer(answer, form=read).label
            cluster_name, name = str(metadata.get(cluster, item)), str(metadata[variant])
            outcomes.append(build_outcome(item, cluster_name, name, answer, epoch=epochs[sample]))
        return flatten(compute_consistency_metrics(outcomes)) if outcomes else {}

    return compute
