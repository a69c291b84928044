"""Few-shot learning: worked examples with chosen labels (section 3.3, appendix F)."""

from __future__ import annotations

from inspect_ai.solver import Solver, solver

from bias_tasks.solvers._questions import setting_solver


@solver
def few_shot(examples: str | None = None, shots: int | None = None) -> Solver:
    """Put worked examples before the question and ask.

    Args:
        examples: labels of the examples, where not the task's: `sparse`, `tense` or `balanced`.
        shots: examples a label, where not the task's.

    Raises:
        ValueError: on another task's samples, whose worked examples it doesn't have.
    """
    why = "it has no worked examples of another task"
    return setting_solver("few_shot", "few_shot", why, examples=examples, shots=shots)
