"""Every setting in one task: each sample goes to the solver of its own variant."""

from __future__ import annotations

from collections.abc import Mapping

from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from bias_tasks.solvers._questions import question_of, refuse_foreign
from bias_tasks.solvers.distract import distract
from bias_tasks.solvers.few_shot import few_shot
from bias_tasks.solvers.omit_option import omit_option
from bias_tasks.solvers.polish import polish
from bias_tasks.solvers.reflect import reflect
from bias_tasks.solvers.suggest import suggest
from bias_tasks.solvers.terse import terse


@solver
def by_variant() -> Solver:
    """Put each sample under the setting that it is about."""
    solvers: Mapping[str, Solver] = {
        "vanilla": generate(),
        "multi_turn": reflect(),
        "conformity": suggest(),
        "disturbing_miscellany": distract(),
        "few_shot": few_shot(),
        "missing_choices": omit_option(),
        "vagueness": terse(),
        "prompt_polishing": polish(),
    }

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is None:
            raise refuse_foreign("by_variant", "another task's samples have no variant")
        return await solvers[question.variant](state, generate)

    return solve
