"""Missing choices: an option is left out (section 2.1, appendix A.3 step 2)."""

from __future__ import annotations

from inspect_ai.solver import Solver, solver

from bias_tasks.solvers._questions import setting_solver


@solver
def omit_option() -> Solver:
    """Leave out the option that covers the sparse label, and ask.

    Raises:
        ValueError: on another task's samples, whose target would no longer fit the options.
    """
    return setting_solver(
        "omit_option", "missing_choices", "another task's target names the options shown"
    )
