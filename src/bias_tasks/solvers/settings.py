"""Settings that change the prompt alone: the solver puts it in place and asks."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.prompts.templates import template
from bias_tasks.solvers._questions import (
    check_given,
    question_of,
    refuse_foreign,
    setting_solver,
    under_setting,
)
from bias_tasks.solvers.inspect_host import SolverError, refusing


@solver
@refusing(SolverError)
def omit_option() -> Solver:
    """Missing choices (section 2.1, appendix A.3): leave out an option, and ask.

    The one left out covers the sparse label.

    Raises:
        ValueError: on another task's samples, whose target would no longer fit the options.
    """
    return setting_solver(
        "omit_option", "missing_choices", "another task's target names the options shown"
    )


@solver
@refusing(SolverError)
def distract(distractors: int | None = None) -> Solver:
    """Disturbing miscellany (section 3.3, table 6): many wrong options beside the right one.

    Args:
        distractors: wrong options, 1 to 9, where not the task's.

    Raises:
        SolverError: not so many can be shown.
        ValueError: on another task's samples, whose target would no longer fit the options.
    """
    if distractors is not None:
        SettingParams(distractors=distractors)
    why = "another task's target names the options shown"
    return setting_solver("distract", "disturbing_miscellany", why, distractors=distractors)


@solver
@refusing(SolverError)
def few_shot(examples: str | None = None, shots: int | None = None) -> Solver:
    """Few-shot learning (section 3.3, appendix F): put worked examples before the question.

    Args:
        examples: labels of the examples, where not the task's: `sparse`, `tense`, `balanced`, or
            one label of the sample's form.
        shots: examples a label, where not the task's.

    Raises:
        SolverError: a parameter's value is unknown.
        ValueError: on another task's samples, whose worked examples it doesn't have.
    """
    check_given("examples", examples)
    check_given("shots", shots)
    why = "it has no worked examples of another task"
    return setting_solver("few_shot", "few_shot", why, examples=examples, shots=shots)


@solver
@refusing(SolverError)
def terse() -> Solver:
    """Vagueness (section 3.4): ask with the question and the bare options alone, no task.

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
