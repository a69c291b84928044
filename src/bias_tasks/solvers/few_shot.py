"""Few-shot learning: worked examples with chosen labels (section 3.3, appendix F)."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.solvers._questions import ask_under, question_of, refuse_foreign


@solver
def few_shot(examples: str | None = None, shots: int | None = None) -> Solver:
    """Put worked examples before the question and ask.

    Args:
        examples: labels of the examples, where not the task's: `sparse`, `tense` or `balanced`.
        shots: examples a label, where not the task's.

    Raises:
        ValueError: on another task's samples, whose worked examples it doesn't have.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is None:
            raise refuse_foreign("few_shot", "it has no worked examples of another task")
        return await ask_under(
            state, generate, question, "few_shot", examples=examples, shots=shots
        )

    return solve
