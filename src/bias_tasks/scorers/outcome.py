"""Reads an answer as its family reads it, and works out the figures of a run: for every family."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from inspect_ai.model import (
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
    model_roles,
)
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
from inspect_ai.util import JSONSchema

from bias_tasks.families import load_family
from bias_tasks.family import Answer, Family, Outcome, VerdictRequest
from bias_tasks.figures import brief
from bias_tasks.names import encodable
from bias_tasks.reading.reasoning import without_reasoning
from bias_tasks.reading.types import Stop
from bias_tasks.record import Scored, facts_in, scored_in, unread_notice
from bias_tasks.scorers.live import Live, asked_live
from bias_tasks.solvers.inspect_host import ScorerError, known_as_logged, refusing
from bias_tasks.statistics.estimate import Estimate, flatten

GRADER = "grader"
"""The model role of a judge for answers that rules can't read."""
logger = logging.getLogger(__name__)
_ATTEMPTS = 3
_STOPS: dict[str, Stop] = {
    "max_tokens": "cut",
    "model_length": "cut",
    "content_filter": "refused",
}


@metric(scores="unreduced")
def figures(options: dict[str, Any] | None = None, asked: str | None = None) -> Metric:
    """Every figure of the run by its name, with its 95 % interval and number of items.

    `<name>` is the value, `<name>_ci_low` and `<name>_ci_high` its interval, `<name>_n` the items
    in its denominator and, where several differences stand side by side, `<name>_p` its
    Holm-adjusted p-value. Several epochs are several runs of the whole plan.

    Args:
        options: the task's parameters that figures depend on, by name.
        asked: digest of what the run asks. `inspect eval-retry` takes over the samples of a log by
            their ids, and so answers to what stood in a file before it was changed: such a run has
            no figures.
    """

    live = Live()

    def compute(scores: list[SampleScore]) -> Value:
        return cast(
            Value, live.of(scores, lambda: flatten(_Run(scores, asked).card(options or {})))
        )

    return compute


@metric(scores="unreduced")
def headline(
    task: str,
    options: dict[str, Any] | None = None,
    asked: str | None = None,
) -> Metric:
    """The figure that the task is about, with its interval, and the few beside it.

    The first value is the headline's, under its name; then come its `stderr`, `ci_low` and
    `ci_high`, up to six other figures, and `items`. What else there is to know of a run follows
    from its outcomes, which stand in the log: `bias-tasks results --all` prints every figure, and
    the metric `figures` in place of this one logs them.

    Args:
        task: the family's name of the task.
        options: as `figures` takes it.
        asked: as `figures` takes it.
    """

    live = Live()

    def compute(scores: list[SampleScore]) -> Value:
        def shown() -> dict[str, float]:
            run = _Run(scores, asked)
            notice = None if asked_live(scores) else run.unread_notice()
            if notice is not None:
                logger.warning("%s: %s", task, notice)
            return brief(run.family.tasks[task], run.card(options or {})) if run.family else {}

        return cast(Value, live.of(scores, shown))

    return compute


class _Run:
    """Our outcomes among a run's scores, and what they come to.

    A log may be scored again by a scorer that is not ours, and keep the task's metrics: there are
    none then, nor a family.
    """

    def __init__(self, scores: Sequence[SampleScore], asked: str | None) -> None:
        found = (scored_in(score.score.metadata) for score in scores)
        scored = [each for each in found if each is not None]
        _check_asked(scored, asked)
        self.outcomes = [each.outcome for each in scored]
        self.family = load_family(scored[0].family) if scored else None

    def card(self, options: Mapping[str, Any]) -> dict[str, Estimate]:
        """Every figure."""
        return {} if self.family is None else self.family.scorecard(self.outcomes, options)

    def unread_notice(self) -> str | None:
        """What to say where many answers were unread."""
        return None if self.family is None else unread_notice(self.family, self.outcomes)


@scorer(metrics=[figures()])
@refusing(ScorerError)
def outcome(family: str, asked: str | None = None) -> Scorer:
    """Read the answer to a question of a family, and say what it came to.

    The value is the outcome's score: 1 for a right answer and 0 for any other, or the score on the
    family's scale; an answer that has none is marked so. The whole outcome stands in the score's
    metadata. Where the family has a judge and a model is bound to the role `grader`, it is asked
    about answers that rules can't read; a judge that gives no verdict in three attempts leaves the
    sample unscored.

    Args:
        family: the family's name.
        asked: digest of what the run asks, which is noted beside each outcome.
    """
    brought = load_family(family)

    async def score(state: TaskState, target: Target) -> Score:
        facts = facts_in(state.metadata)
        answer = replace(answer_in(state.output, state.epoch), prompt=_asked_last(state))
        found = brought.outcome(facts, answer)
        if found.answer is None and GRADER in model_roles():
            said = answer.without_reasoning()
            request = brought.verdict_request(facts, said)
            if request is not None:
                judge = get_model(role=GRADER, required=True)
                verdict = await _judged(judge, request, brought, state, said)
                if verdict is None:
                    return Score.unscored(
                        reason="grader_failed",
                        explanation=f"The judge gave no verdict in {_ATTEMPTS} attempts.",
                    )
                found = verdict
        return score_of(found, family, asked)

    return score


def answer_in(output: ModelOutput, epoch: int = 1) -> Answer:
    """The model's answer as families take it."""
    return Answer(output.completion, _STOPS.get(output.stop_reason, "stop"), epoch=epoch)


def _asked_last(state: TaskState) -> str:
    """What the model was asked last, as a solver may have put it."""
    asked = (message.text for message in reversed(state.messages) if message.role == "user")
    return next(asked, "")


def score_of(found: Outcome, family: str, asked: str | None = None) -> Score:
    """The host's score of an outcome; `asked` as `outcome` takes it."""
    return Score(
        value=NOANSWER if found.score is None else found.score,
        answer=found.answer,
        explanation=found.why or None,
        reason=found.reason,
        metadata=Scored(family, found, asked).metadata(),
    )


def _check_asked(scored: Sequence[Scored], asked: str | None) -> None:
    """Raise a ValueError where samples were asked by a run that asked something else."""
    others = [each for each in scored if each.asked not in (None, asked)]
    if asked is not None and others:
        raise ValueError(
            f"{len(others)} of {len(scored)} samples are of a run that asked something else: since "
            "then the data, a template or the version of bias-tasks has changed. Start a new run "
            "with `inspect eval` instead of retrying this log."
        )


async def _judged(
    judge: Model, request: VerdictRequest, family: Family, state: TaskState, answer: Answer
) -> Outcome | None:
    """The outcome by the judge's verdict, or None where it gave none in `_ATTEMPTS` attempts."""
    schema = JSONSchema.model_validate(dict(request.schema))
    config = GenerateConfig(response_schema=ResponseSchema(name="verdict", json_schema=schema))
    for _ in range(_ATTEMPTS):
        reply = await judge.generate(request.prompt, config=config)
        verdict = without_reasoning(encodable(reply.completion))
        found = family.read_verdict(facts_in(state.metadata), answer, verdict)
        if found is not None:
            return found
    return None


known_as_logged(outcome)
