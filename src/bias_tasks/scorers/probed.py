"""Scores a probed sample by its own task's scorer, and records the outcome of its answer."""

from collections.abc import Sequence

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from bias_tasks.contract.logged_outcomes import LoggedOutcome, scoring_data_of
from bias_tasks.contract.planned_calls import CALLS_MADE, INCOMPLETE
from bias_tasks.families import PROBING
from bias_tasks.probing.answers import explain_unparsed, normalize_answer
from bias_tasks.probing.displayed_options import LETTERS
from bias_tasks.probing.family import FAMILY, build_outcome
from bias_tasks.probing.items import ProbeData
from bias_tasks.scorers.outcome import score_as_share
from bias_tasks.scorers.run_metrics import all_metrics
from bias_tasks.solvers.inspect_api import register_logged_name
from bias_tasks.solvers.probed import PROBE_STATE

NOT_PLACED = "probe_not_placed"
"""`Score.reason` of a sample whose probe could not be put into the prompt."""


@scorer(metrics=[all_metrics()])
def probed_outcome(
    own: Scorer,
    run_digest: str | None = None,
    part: str | None = None,
    probes: Sequence[str] = (),
) -> Scorer:
    """Score by the probed task's own scorer, and record the outcome in the score's metadata.

    A sample without its probe in the prompt is unscored, and so is one whose solver was stopped.

    Args:
        own: The probed task's scorer.
        run_digest: Digest of the run, which is logged with each outcome.
        part: The value that counts if `own` gives several by name.
        probes: The probes that the run tries on each item.
    """

    async def score(state: TaskState, target: Target) -> Score:
        probe_state = state.store.get(PROBE_STATE)
        if probe_state is None:
            raise ValueError(
                f"another solver than its task's answered sample {state.sample_id}: run "
                "bias_tasks/probe without --solver"
            )
        if CALLS_MADE in probe_state:
            explanation = "a limit or an error stopped the task's solver"
            return Score.unscored(reason=INCOMPLETE, explanation=explanation)
        if probe_state["refused"] is not None:
            return Score.unscored(reason=NOT_PLACED, explanation=probe_state["refused"])
        task_score = await _score_by_task(own, state, target, probe_state["marked"])
        value = score_as_share(task_score.value, part)
        if value is None:
            return Score.unscored(
                reason=task_score.reason or "scoring_failed",
                answer=task_score.answer,
                explanation=task_score.explanation,
            )
        data: ProbeData = scoring_data_of(FAMILY, state.metadata)
        labels = tuple(probe_state["labels"]) or LETTERS[: len(data.choices)]
        answer = normalize_answer(data, task_score.answer, labels)
        parser = "the task's own scorer"
        outcome = build_outcome(
            data,
            answer or None,
            value,
            parser if answer else explain_unparsed(parser, state.output.completion),
            probes=probes,
            reason=task_score.reason,
            epoch=state.epoch,
        )
        metadata = LoggedOutcome(PROBING, outcome, run_digest).to_metadata()
        metadata |= {
            "prompt": probe_state["prompt"],
            "scored": {
                "value": task_score.value,
                "answer": task_score.answer,
                "metadata": task_score.metadata,
            },
        }
        return task_score.model_copy(update={"value": value, "metadata": metadata})

    return score


async def _score_by_task(
    own: Scorer, state: TaskState, target: Target, marked: Sequence[bool | None]
) -> Score:
    """Return the score of the task's own scorer, with the choices as its solver marked them."""
    # Inspect does not log the marks, and a log may be scored later.
    for index, correct in enumerate(marked):
        if correct is not None:
            state.choices.mark_choice(index, correct)
    task_score = await own(state, target)
    if task_score is None:
        return Score.unscored(reason="scoring_failed", explanation="the scorer gave no score")
    return task_score


register_logged_name(probed_outcome)
