"""Reads an answer as its family reads it, and works out the figures of a run: for every family."""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelOutput, get_model, model_roles
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    PARTIAL,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
    value_to_float,
)
from inspect_ai.solver import TaskState

from bias_tasks.contract.family import Answer, Family, JsonObject, Outcome
from bias_tasks.contract.figures import brief
from bias_tasks.contract.record import Scored, facts_in, scored_in, told_beside, unread_notice
from bias_tasks.families import load_family
from bias_tasks.parsing.parsed_answer import StopReason
from bias_tasks.scorers.grader import ATTEMPTS, GRADER, graded
from bias_tasks.solvers.inspect_host import ScorerError, known_as_logged, refusing, sample_state
from bias_tasks.statistics.estimate import flatten

logger = logging.getLogger(__name__)
_NO_VERDICT = (
    "the grader %s gave no verdict on an answer in %d attempts: such samples have no score, are in "
    "no figure, and have the reason grader_failed in the log"
)
_STOPS: dict[str, StopReason] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
}
_SHARE = 50
"""Figures that took a second are worked out again after so many seconds at the earliest."""


def rarely(compute: Callable[[Sequence[SampleScore], bool], dict[str, float]]) -> Metric:
    """The metric that `compute` makes of scores, told whether the run goes on: for as long as it
    does, each model is shown what came out a while ago. What is
    logged in the end is of all answers."""
    shown: dict[str, tuple[float, dict[str, float]]] = {}

    def metric(scores: list[SampleScore]) -> dict[str, float]:
        model = _asked_live(scores)
        if model is None:
            return compute(scores, False)
        began = perf_counter()
        if model not in shown or began >= shown[model][0]:
            found = compute(scores, True)
            ended = perf_counter()
            shown[model] = (ended + _SHARE * (ended - began), found)
        return shown[model][1]

    return metric


def _asked_live(scores: Sequence[SampleScore]) -> str | None:
    """The model of the sample whose end makes the host ask for figures, which is the last's; None
    where none does, as at the end of a run within another one's sample."""
    state = sample_state()
    if state is None or not scores or not state.completed or not state.scores:
        return None
    return str(state.model) if scores[-1].sample_id == state.sample_id else None


@metric(scores="unreduced")
def figures(options: dict[str, Any] | None = None, asked: str | None = None) -> Metric:
    """Every figure of the run: `<name>`, its 95 % interval `<name>_ci_low` to `<name>_ci_high`, its
    items `<name>_n` and, of several differences side by side, its Holm-adjusted p-value `<name>_p`.
    Several epochs are several runs of the whole plan.

    Args:
        options: the task's parameters that figures depend on, by name.
        asked: digest of what the run asks; a run that `inspect eval-retry` mixed with answers to
            something else, as by a file that was changed, has no figures.
    """

    def compute(scores: Sequence[SampleScore], live: bool) -> dict[str, float]:
        family, outcomes = _outcomes(scores, asked)
        return flatten(family.scorecard(outcomes, options or {})) if family else {}

    return rarely(compute)


@metric(scores="unreduced")
def headline(task: str, options: dict[str, Any] | None = None, asked: str | None = None) -> Metric:
    """The figure that the task is about, with its interval, and the few beside it.

    The first value is the headline's, under its name; then come its `stderr`, `ci_low` and
    `ci_high`, its parts where it is the largest of several, up to six other figures, and `items`.
    `bias-tasks results --all` prints every figure of a log, and the metric `figures` logs them.

    Args:
        task: the family's name of the task.
        options, asked: as `figures` takes them.
    """

    def compute(scores: Sequence[SampleScore], live: bool) -> dict[str, float]:
        family, outcomes = _outcomes(scores, asked)
        if family is None:
            return {}
        notice = None if live else unread_notice(family, outcomes)
        if notice is not None:
            logger.warning("%s: %s", task, notice)
        card = family.scorecard(outcomes, options or {})
        return brief(family.tasks[task], family.figures, card)

    return rarely(compute)


def _outcomes(
    scores: Sequence[SampleScore], asked: str | None
) -> tuple[Family | None, list[Outcome]]:
    """Our outcomes among a run's scores, and their family; a ValueError where samples are of a run
    that asked something else."""
    found = (scored_in(each.score, each.sample_metadata) for each in scores)
    scored = [each for each in found if each is not None]
    others = sum(each.asked not in (None, asked) for each in scored)
    if asked is not None and others:
        raise ValueError(
            f"{others} of {len(scored)} samples are of a run that asked something else: since then "
            "data, a template or bias-tasks has changed. Start a new run with `inspect eval`."
        )
    family = load_family(scored[0].family) if scored else None
    return family, [each.outcome for each in scored]


@scorer(metrics=[figures()])
@refusing(ScorerError)
def outcome(family: str, asked: str | None = None) -> Scorer:
    """Read the answer to a question of a family, and say what it came to: 1 for a right answer and
    0 for any other, or the score on the family's scale. A model bound to the role `grader` is asked
    about answers that rules can't read; without its verdict in three attempts there is no score,
    nor is there one of a sample without any output of the model.

    Args:
        family: the family's name.
        asked: digest of what the run asks, which is noted beside each outcome.
    """
    brought = load_family(family)
    told: set[str] = set()

    async def score(state: TaskState, target: Target) -> Score | None:
        if not state.output.choices:  # the model failed, as in a log that is scored later
            return None
        facts, answer = facts_in(state.metadata), answer_of(state)
        found = brought.outcome(facts, answer)
        if found.answer is None and GRADER in model_roles():
            verdict = await graded(brought, facts, answer.without_reasoning(), found)
            if verdict is None:
                if (grader := str(get_model(role=GRADER, required=True))) not in told:
                    told.add(grader)
                    logger.warning(_NO_VERDICT, grader, ATTEMPTS)
                why = f"The judge gave no verdict in {ATTEMPTS} attempts."
                return Score.unscored(reason="grader_failed", explanation=why)
            found = verdict
        return score_of(found, family, asked, state.metadata)

    return score


def answer_of(sample: TaskState | EvalSample) -> Answer:
    """Return the answer of a sample that runs or is logged, with what the model was asked last."""
    prompts = (message.text for message in reversed(sample.messages) if message.role == "user")
    return answer_in(sample.output, sample.epoch, next(prompts, ""))


def answer_in(output: ModelOutput, epoch: int = 1, prompt: str = "") -> Answer:
    """The model's answer as families take it."""
    stop = _STOPS.get(output.stop_reason, "stop")
    return Answer(output.completion, stop, epoch=epoch, prompt=prompt)


def score_of(
    found: Outcome, family: str, asked: str | None = None, metadata: JsonObject | None = None
) -> Score:
    """The host's score of an outcome that a family read; `metadata` are the sample's."""
    score = Score(
        value=NOANSWER if found.score is None else found.score,
        answer=found.answer,
        explanation=found.why or None,
        reason=found.reason,
    )
    score.metadata = Scored(family, found, asked).metadata(told_beside(score, metadata))
    return score


def share_of(value: Value, part: str | None = None) -> float | None:
    """Another task's score as a number from 0 to 1, of several values `part`'s; None where the
    sample was left unscored, a ValueError where it is none."""
    one = value.get(part or "", value) if isinstance(value, Mapping) else value
    if one is None or (isinstance(one, float) and math.isnan(one)):
        return None
    known = isinstance(one, bool | int | float) or one in (CORRECT, INCORRECT, PARTIAL, NOANSWER)
    number = value_to_float()(one) if known else math.nan
    if not 0 <= number <= 1:
        raise ValueError(
            f"the task's scorer gave {one!r}: expected C, I, P, N, true, false or a number from 0 "
            "to 1; of several values the task's headline metric names one"
        )
    return number


known_as_logged(outcome)
