"""Scores the texts that a model writes: which of them are valid."""

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState

from bias_tasks.solvers.until_valid import REASONS


@scorer(metrics=[mean()])
def valid_texts() -> Scorer:
    """Return the share of the texts about an item that are valid; unscored if none was missing.

    The explanation has the reasons why texts are missing.
    """

    async def score(state: TaskState, target: Target) -> Score:
        reasons: dict[str, str | None] | None = state.store.get(REASONS)
        if reasons is None:
            return Score.unscored(reason="no_response", explanation="the solver was stopped")
        if not reasons:
            return Score.unscored(reason="nothing_to_write", explanation="no text was missing")
        missing = [f"{name}: {reason}" for name, reason in reasons.items() if reason]
        share = 1 - len(missing) / len(reasons)
        return Score(value=share, explanation="\n".join(missing) or None)

    return score
