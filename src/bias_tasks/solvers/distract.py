"""Disturbing miscellany: wrong options beside the right one (section 3.3, table 6)."""

from __future__ import annotations

from inspect_ai.solver import Solver, solver

from bias_tasks.solvers._questions import setting_solver


@solver
def distract(distractors: int | None = None) -> Solver:
    """Show the right option among so many wrong ones, and ask.

    Args:
        distractors: wrong options, 1 to 9, where not the task's.

    Raises:
        ValueError: on another task's samples, whose target would no longer fit the options.
    """
    why = "another task's target names the options shown"
    return setting_solver("distract", "disturbing_miscellany", why, distractors=distractors)
