"""Scores a probed sample by its own task's scorer, and says what the answer came to."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from bias_tasks.contract.record import Scored, facts_in
from bias_tasks.families import PROBING
from bias_tasks.probing.answers import content_of
from bias_tasks.probing.family import outcome_of
from bias_tasks.probing.options import LETTERS
from bias_tasks.probing.plan import question_from
from bias_tasks.scorers.outcome import figures, share_of
from bias_tasks.solvers.inspect_host import known_as_logged
from bias_tasks.solvers.probed import NOTED

NOT_PLACED = "probe_not_placed"
"""The reason of a sample that is unscored since its probe could not be put in place."""


@scorer(metrics=[figures()])
def probed_outcome(
    own: Scorer, asked: str | None = None, part: str | None = None, probes: Sequence[str] = ()
) -> Scorer:
    """Score by the probed task's own scorer, and note what the answer came to; what that scorer
    said stands in the score's metadata. A sample without its probe in place is unscored.

    Args:
        own: the probed task's scorer.
        asked: digest of what the run asks, noted beside each outcome.
        part: which of the values counts where `own` gives several under names.
        probes: that the run tries on each item.
    """

    async def score(state: TaskState, target: Target) -> Score:
        noted = state.store.get(NOTED)
        if noted is None:
            unprobed = f"sample {state.sample_id} was asked by another solver than its task's"
            raise ValueError(f"{unprobed}: run bias_tasks/probe without --solver")
        if noted["refused"] is not None:
            return Score.unscored(reason=NOT_PLACED, explanation=noted["refused"])
        if "recorded" in noted:
            said: Score | None = Score.model_validate(noted["recorded"])
        else:
            for place, correct in enumerate(noted["marked"]):  # where a log is scored later
                if correct is not None:
                    state.choices.mark_choice(place, correct)
            said = await own(state, target)
        said = said or Score.unscored(reason="scoring_failed", explanation="it gave no score")
        value = share_of(said.value, part)
        if value is None:
            reason = said.reason or "scoring_failed"
            return Score.unscored(reason=reason, answer=said.answer, explanation=said.explanation)
        question = question_from(facts_in(state.metadata))
        labels = tuple(noted["labels"]) or LETTERS[: len(question.item.choices)]
        answer = content_of(question.item, question.asked, said.answer, labels) or None
        why = "the task's own scorer" if answer else "the task's own scorer read no answer"
        told: dict[str, Any] = {"reason": said.reason, "epoch": state.epoch}
        found = outcome_of(question, answer, value, why, probes=probes, **told)
        own_said = {"value": said.value, "answer": said.answer, "metadata": said.metadata}
        metadata = Scored(PROBING, found, asked).metadata()
        metadata |= {"prompt": noted["prompt"], "scored": own_said}
        return said.model_copy(update={"value": value, "metadata": metadata})

    return score


known_as_logged(probed_outcome)
