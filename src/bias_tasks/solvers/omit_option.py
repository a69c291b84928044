"""Missing choices: an option is left out (section 2.1, appendix A.3 step 2)."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.solvers._questions import ask_under, question_of, refuse_foreign


@solver
def omit_option() -> Solver:
    """Leave out the option that covers the sparse label, and ask.

    Raises:
        ValueError: on another task's samples, whose target would no longer fit the options.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is None:
            raise refuse_foreign("omit_option", "another task's target names the options shown")
        return await ask_under(state, generate, question, "missing_choices")

    return solve
