"""Scores graders: whether they report what an answer states, and whether two of them agree."""

from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from bias_tasks.instruction_boundary.grader_cases import GraderCase, load_grader_cases
from bias_tasks.scorers.outcome import GRADER
from bias_tasks.solvers.until_valid import ask_until_valid

SECOND_GRADER = "second_grader"
"""Role of the grader with which the first one is compared."""


@metric
def agreement_interval() -> Metric:
    """Compute `ci_low` and `ci_high`, the 95 % interval (Wilson) of a share of the cases."""

    def compute(scores: list[SampleScore]) -> Value:
        # Imported here: it loads numpy and scipy, which building a task does not need.
        from bias_tasks.statistics.rate_intervals import wilson

        share = sum(score.score.as_float() for score in scores) / len(scores)
        return dict(zip(("ci_low", "ci_high"), wilson(share, len(scores)), strict=True))

    return compute


@scorer(metrics={"*": [mean(), agreement_interval()]})
def grader_agreement() -> Scorer:
    """Ask the graders about an answer, and compare their verdicts.

    The values are `agreement` (1 if the grader reports what the answer states) and, with a second
    grader, `agreement_second` and `between_graders` (1 if both report the same). A grader without a
    verdict in three attempts agrees with nothing.
    """
    cases = {case.data.item: case for case in load_grader_cases()}

    async def score(state: TaskState, target: Target) -> Score:
        case = cases[str(state.sample_id)]
        # Without a model in the role, the evaluated model is the grader that is tested.
        is_other = GRADER in model_roles()
        grader = get_model(role=GRADER, required=True) if is_other else get_model()
        verdict = await _ask(grader, case)
        values = {"agreement": float(verdict == target.text)}
        explanation = f"{case.answer.text!r} states {target.text}; the grader: {verdict}"
        if SECOND_GRADER in model_roles():
            second = await _ask(get_model(role=SECOND_GRADER, required=True), case)
            values["agreement_second"] = float(second == target.text)
            values["between_graders"] = float(verdict is not None and verdict == second)
            explanation += f"; the second grader: {second}"
        return Score(value=dict(values), answer=verdict, explanation=explanation)

    return score


async def _ask(model: Model, case: GraderCase) -> str | None:
    """Return the verdict of a grader; None if it gives none."""
    return (await ask_until_valid(model, case.prompt, case.read_verdict)).value
