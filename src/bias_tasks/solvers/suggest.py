"""Conformity: the prompt names an answer (Instruction Boundary, sections 2.1 and 3.3)."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.prompts.seeded import seeded
from bias_tasks.prompts.templates import fill, template
from bias_tasks.solvers._questions import (
    ask_foreign,
    check_given,
    editing,
    question_of,
    under_setting,
)
from bias_tasks.solvers.inspect_host import SolverError, refusing


@solver
@refusing(SolverError)
def suggest(label: str | None = None, answer: str | None = None, seed: int = 0) -> Solver:
    """Suggest an answer in the prompt and ask.

    On another task's samples the sentence "The answer to this problem is ..." ends the prompt.

    Args:
        label: what to suggest on our own samples, where not the task's `suggest`: `sparse`,
            `tense`, `rotate`, `wrong` or a label.
        answer: what to suggest on another task's samples; by default a seeded wrong choice.
        seed: seed of that choice.

    Raises:
        SolverError: the label is unknown.
    """
    check_given("label", label, declared="suggest")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is not None:
            under_setting(state, question, "conformity", suggest=label)
            return await generate(state)
        text = fill(
            template("instruction_boundary/choice/suggestion.txt"),
            answer=answer if answer is not None else _wrong_choice(state, seed),
        )

        async def append(prompt: str) -> str:
            return f"{prompt}\n\n{text}"

        return await ask_foreign(state, editing(generate, append))

    return solve


def _wrong_choice(state: TaskState, seed: int) -> str:
    letters = [chr(ord("A") + place) for place in range(len(state.choices))]
    wrong = [letter for letter in letters if letter not in list(state.target)]
    if not wrong:
        raise ValueError(
            f"sample {state.sample_id} has no wrong choice to suggest: give one with -S answer=..."
        )
    return seeded(seed, str(state.sample_id), "suggest").choice(wrong)
