"""Disturbing miscellany: wrong options beside the right one (section 3.3, table 6)."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.solvers._questions import ask_under, question_of, refuse_foreign


@solver
def distract(distractors: int | None = None) -> Solver:
    """Show the right option among so many wrong ones, and ask.

    Args:
        distractors: wrong options, 1 to 9, where not the task's.

    Raises:
        ValueError: on another task's samples, whose target would no longer fit the options.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is None:
            raise refuse_foreign("distract", "another task's target names the options shown")
        return await ask_under(
            state, generate, question, "disturbing_miscellany", distractors=distractors
        )

    return solve
