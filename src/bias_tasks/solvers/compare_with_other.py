"""Has a model and another one answer, and both the model and a jury compare the answers."""

import logging
from dataclasses import replace
from functools import cache

from inspect_ai.model import Model, ModelOutput, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from bias_tasks.judging.self_preference import (
    JUDGE,
    JURY_ROLE,
    ORDERS,
    OTHER_ROLE,
    AnswersToCompare,
    Author,
    Comparisons,
    JudgeReply,
    juries,
)
from bias_tasks.names import encodable
from bias_tasks.parsing.reasoning import without_reasoning
from bias_tasks.solvers.inspect_host import SolverError, refusing
from bias_tasks.solvers.sample_state import sample_state

logger = logging.getLogger(__name__)


@solver
@refusing(SolverError)
def compare_with_other() -> Solver:
    """Answer the prompt, have the role `other` answer it, and have the model and each of the role
    `jury` compare both answers in both orders, not told whose either is. What they say becomes the
    sample's output. Answers that are recorded are not asked for."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample = sample_state()
        asked = None if sample is None else sample.question.source
        if not isinstance(asked, AnswersToCompare):
            raise ValueError("compare_with_other works on the samples of self_preference alone")
        # Refused before anything is asked.
        jurors = _bound(JURY_ROLE)
        others = [] if asked.item.other is not None else _bound(OTHER_ROLE)
        authors = [get_model(), *(_bound(OTHER_ROLE) if OTHER_ROLE in model_roles() else ())]
        known = [(str(each), each.model_args) for each in authors]
        for juror in jurors:
            if (str(juror), juror.model_args) in known:
                _tell_partial(str(juror))

        async def own() -> str:
            if asked.item.own is not None:
                return asked.item.own
            return _text((await generate(state)).output)

        async def other() -> str:
            if asked.item.other is not None:
                return asked.item.other
            return _text(await others[0].generate(asked.item.prompt))

        async def judged(name: str, judge: Model, first: Author) -> JudgeReply:
            output = await judge.generate(asked.comparison(found.own, found.other, first))
            cut = output.stop_reason in ("max_tokens", "model_length")
            return JudgeReply(name, first, encodable(output.completion), cut)

        answer, others_answer = await collect(own(), other())
        found = Comparisons(answer, others_answer)
        if found.incomparable is None:
            names = (JUDGE, *juries(len(jurors)))
            judges = list(zip(names, (get_model(), *jurors), strict=True))
            said = await collect(*(judged(*each, first) for each in judges for first in ORDERS))
            found = replace(found, said=tuple(said))
        state.output = ModelOutput.from_content(str(state.model), found.to_text())
        return state

    return solve


_USES = {
    JURY_ROLE: "other judges, whose taste the model's own is set against (several by commas)",
    OTHER_ROLE: "the model whose answers the evaluated one's are compared with",
}


def _bound(role: str) -> list[Model]:
    """The models of a role; a SolverError where there are none."""
    found = model_roles().get(role, [])
    models = found if isinstance(found, list) else [found]
    if not models:
        raise SolverError(f"self_preference needs --model-role {role}=MODEL: {_USES[role]}")
    return models


@cache
def _tell_partial(juror: str) -> None:
    """Warn, once, of a juror that is one of the authors."""
    logger.warning(
        "self_preference: the juror %s is an author of the answers, too: a jury that may prefer "
        "its own is no measure",
        juror,
    )


def _text(output: ModelOutput) -> str:
    return without_reasoning(encodable(output.completion))
