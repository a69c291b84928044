"""Counts the flaws that a judge reports (ComplexEval, section 5.4)."""

from __future__ import annotations

from typing import cast

from inspect_ai.scorer import (
    NOANSWER,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from bias_tasks.metrics.estimate import flatten
from bias_tasks.scorers.judgement import told, was_cut
from bias_tasks.scoring.attention_limit import FlawAnswer, issue_counts, located
from bias_tasks.scoring.complex_eval import read_reported


@metric(scores="unreduced")
def attention_figures() -> Metric:
    """Every figure of found against planted flaws by its name, with its 95 % interval and n.

    `<name>` is the value, `<name>_ci_low` and `<name>_ci_high` its interval and `<name>_n` the
    answers in its denominator.
    """

    def compute(scores: list[SampleScore]) -> Value:
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.metrics.complex_eval import attention_scorecard

        counts = issue_counts(_answer(score) for score in scores)
        return cast(Value, flatten(attention_scorecard(counts)))

    return compute


@scorer(metrics=[attention_figures()])
def flaw_count() -> Scorer:
    """Read the flaws that the judge reports; the value is their number.

    An answer that holds no valid list stays unread: it has no value, and a reason.
    """

    async def score(state: TaskState, target: Target) -> Score:
        facts = state.metadata["facts"]
        reading = read_reported(facts["form"], state.output.completion, cut=was_cut(state.output))
        flaws = reading.value
        found = None if flaws is None else len(flaws)
        return Score(
            value=NOANSWER if found is None else found,
            **told(reading, state),
            metadata={
                "found": found,
                "located": None if flaws is None else located(flaws, facts["flaws"]),
                "epoch": state.epoch,
            },
        )

    return score


def _answer(score: SampleScore) -> FlawAnswer:
    noted = score.score.metadata or {}
    facts = (score.sample_metadata or {})["facts"]
    return FlawAnswer(facts, noted["found"], noted["located"], noted["epoch"])
