"""Vagueness: bare options, no task, no guidance (section 3.4)."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from bias_tasks.prompts.templates import template
from bias_tasks.solvers._questions import question_of, refuse_foreign, under_setting


@solver
def terse() -> Solver:
    """Ask with the question and the bare options alone.

    Works on another task's samples where they have choices.

    Raises:
        ValueError: on another task's samples without choices.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is not None:
            under_setting(state, question, "vagueness")
            return await generate(state)
        if len(state.choices) == 0:
            raise refuse_foreign("terse", "this sample has no choices to state barely")
        bare = multiple_choice(template=template("instruction_boundary/bare_choices.txt"))
        return await bare(state, generate)

    return solve
