"""The solver of `self_preference`: collects two models' answers and judges' comparisons of them."""

import logging
from dataclasses import replace
from functools import cache

from inspect_ai.model import Model, ModelOutput, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from bias_tasks.contract.planned_calls import CALLS_MADE, PLANNED_CALLS
from bias_tasks.judge_bias.items import Author
from bias_tasks.judge_bias.self_preference import (
    JUDGE,
    JURY_ROLE,
    ORDERS,
    OTHER_ROLE,
    AnswersToCompare,
    Comparisons,
    JudgeReply,
    name_jurors,
)
from bias_tasks.parsing.reasoning import without_reasoning
from bias_tasks.solvers.generation import answer_text, without_tool_loop
from bias_tasks.solvers.inspect_api import SolverError, checks_arguments, read_stop_reason
from bias_tasks.solvers.sample_state import running_sample

logger = logging.getLogger(__name__)


@solver
@checks_arguments(SolverError)
def compare_with_other() -> Solver:
    """Collect the answers of two models to a prompt, and comparisons of these answers.

    The evaluated model and the model role `other` answer the prompt, except for recorded answers.
    Then the evaluated model and each model of the role `jury` compare the answers in both orders,
    without the authors' names. The sample's output becomes the JSON of `Comparisons`.

    Raises:
        SolverError: A model role is not assigned.
        ValueError: The sample is not from the task `self_preference`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample = running_sample()
        source = None if sample is None else sample.question.source
        if not isinstance(source, AnswersToCompare):
            raise ValueError("compare_with_other supports only samples of the task self_preference")
        item = source.item
        state.metadata[CALLS_MADE] = 0
        # Roles are checked before the first model call.
        jurors = _find_models(JURY_ROLE)
        others = [] if item.other_answer is not None else _find_models(OTHER_ROLE)
        _warn_of_partial_jurors(jurors)

        async def find_own_answer() -> str:
            if item.own_answer is not None:
                return item.own_answer
            return _visible_text((await without_tool_loop(generate)(state)).output)

        async def find_other_answer() -> str:
            if item.other_answer is not None:
                return item.other_answer
            return _visible_text(await others[0].generate(item.prompt))

        async def compare(
            name: str, judge: Model, comparisons: Comparisons, first: Author
        ) -> JudgeReply:
            prompt = source.render(comparisons.own_answer, comparisons.other_answer, first)
            output = await judge.generate(prompt)
            truncated = read_stop_reason(output) == "truncated"
            return JudgeReply(name, first, answer_text(output), truncated)

        own_answer, other_answer = await collect(find_own_answer(), find_other_answer())
        comparisons = Comparisons(own_answer, other_answer)
        if comparisons.check_comparable() is None:
            names = (JUDGE, *name_jurors(len(jurors)))
            judges = zip(names, (get_model(), *jurors), strict=True)
            replies = await collect(
                *(
                    compare(name, judge, comparisons, first)
                    for name, judge in judges
                    for first in ORDERS
                )
            )
            comparisons = replace(comparisons, replies=tuple(replies))
        state.output = ModelOutput.from_content(str(state.model), comparisons.to_text())
        # Recorded answers and answers that can't be compared need fewer calls than planned.
        state.metadata[CALLS_MADE] = state.metadata.get(PLANNED_CALLS, 1)
        return state

    return solve


_ROLE_PURPOSES = {
    JURY_ROLE: "the judges that the evaluated model is compared with (comma-separated)",
    OTHER_ROLE: "the model whose answers are compared with those of the evaluated model",
}


def _find_models(role: str) -> list[Model]:
    """Return the models of a role; raises a SolverError if there are none."""
    assigned = model_roles().get(role, [])
    models = assigned if isinstance(assigned, list) else [assigned]
    if not models:
        purpose = _ROLE_PURPOSES[role]
        raise SolverError(f"self_preference needs --model-role {role}=MODEL: {purpose}")
    return models


def _warn_of_partial_jurors(jurors: list[Model]) -> None:
    """Warn of each juror that is one of the authors."""
    authors = [get_model()]
    if OTHER_ROLE in model_roles():
        authors += _find_models(OTHER_ROLE)
    known = [(str(author), author.model_args) for author in authors]
    for juror in jurors:
        if (str(juror), juror.model_args) in known:
            _warn_of_partial_juror(str(juror))


@cache  # One warning per juror and process: solvers run for every sample.
def _warn_of_partial_juror(juror: str) -> None:
    logger.warning(
        "self_preference: the juror %s is also an author of the answers and may prefer its own: "
        "assign other models to the role jury",
        juror,
    )


def _visible_text(output: ModelOutput) -> str:
    return without_reasoning(answer_text(output))
