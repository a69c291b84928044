"""Every setting in one task: each sample goes to the solver that its setting needs."""

from __future__ import annotations

from collections.abc import Mapping

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.solvers._questions import question_of, refuse_foreign
from bias_tasks.solvers.inspect_host import SolverError, refusing
from bias_tasks.solvers.polish import polish
from bias_tasks.solvers.reflect import reflect


@solver
@refusing(SolverError)
def by_variant() -> Solver:
    """Reflect or polish where the sample's setting says so; any other one's prompt says it all."""
    solvers: Mapping[str, Solver] = {"multi_turn": reflect(), "prompt_polishing": polish()}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is None:
            raise refuse_foreign("by_variant", "another task's samples have no variant")
        own = solvers.get(question.variant)
        return await (generate(state) if own is None else own(state, generate))

    return solve
