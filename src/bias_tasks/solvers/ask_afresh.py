"""Asking the same question again (Khrapunova 2025, section 2.3: self-consistency)."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.design.binary_qa import REPEATS


@solver
def ask_afresh() -> Solver:
    """Ask the model, and ask a repeat of a question again whatever is cached.

    A repeat's prompt is the original's. A cache would give it the original's answer, and every
    model would be perfectly consistent with itself.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        facts = state.metadata.get("facts") or {}
        if facts.get("variant") in REPEATS:
            return await generate(state, cache=False)
        return await generate(state)

    return solve
