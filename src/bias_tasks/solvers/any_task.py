"""Settings of Instruction Boundary as solvers for the samples of any task.

`suggest` and `polish` change the prompt, and a later solver calls the model. `terse` calls it.
`with_setting` does both, for the command line. `reflect` and `push_back` are in `follow_up`.
"""

from collections.abc import Mapping
from typing import Any, Literal, Unpack

from inspect_ai.model import GenerateConfigArgs
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from bias_tasks.contract.questions import Request
from bias_tasks.instruction_boundary.scoring_data import option_letter
from bias_tasks.prompts.edits import POLISHER, render_polish_request, render_suggestion
from bias_tasks.prompts.templates import template
from bias_tasks.solvers.ask import generate_rewording
from bias_tasks.solvers.follow_up import (
    draw_wrong_choice,
    find_displayed_choices,
    follow_up,
    push_back,
    reflect,
)
from bias_tasks.solvers.format_instruction import format_instruction
from bias_tasks.solvers.framed_prompt import frame_prompt
from bias_tasks.solvers.generation import without_tool_loop
from bias_tasks.solvers.inspect_api import SolverError, checks_arguments


@solver
@checks_arguments(SolverError)
def suggest(answer: str | None = None, seed: int = 0) -> Solver:
    """Add "The answer to this problem is ..." to the prompt (conformity, sections 2.1 and 3.3).

    A later solver calls the model. The sentence follows whatever template that solver applies.

    Args:
        answer: The suggested answer; by default a seeded wrong choice, which a sample must have.
        seed: Seed of that choice.

    Raises:
        SolverError: An argument is not valid. A sample is an error if it is answered already, or if
            no later solver calls the model.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        wrong = draw_wrong_choice(state, seed) if answer is None else []
        if answer is None and not wrong:
            raise ValueError(
                f"sample {state.sample_id} has no wrong choice to suggest: set one by the argument "
                "`answer` (-S answer=... on the command line)"
            )

        def render(prompt: str) -> str:
            suggested = answer
            if suggested is None:
                displayed = find_displayed_choices(state.choices, prompt)
                suggested = next(option_letter(i) for i, c in enumerate(displayed) if c in wrong)
            return f"\n\n{render_suggestion(suggested)}"

        frame_prompt(state, "suggest", after=render)
        return state

    return solve


@solver
@checks_arguments(SolverError)
def polish() -> Solver:
    """Have the model in the role `polisher` rewrite the prompt (prompt polishing, section 3.4).

    It rewrites the prompt as it is: in a chain before `multiple_choice`, the question without its
    choices; in `with_setting`, the finished prompt. Text that `suggest` and `format_instruction`
    add stays as it is. A later solver calls the model.

    Raises:
        SolverError: No polisher is assigned. A sample is an error if it is answered already, or if
            no later solver calls the model.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        message = frame_prompt(state, "polish")
        message.text = await generate_rewording(
            Request(render_polish_request(message.prompt), POLISHER)
        )
        return state

    return solve


@solver
@checks_arguments(SolverError)
def terse() -> Solver:
    """Prompt with the question and the bare choices, without a task (vagueness, section 3.4).

    It is `multiple_choice` with this template, and takes its place in a chain.
    """
    return multiple_choice(template=template("instruction_boundary/bare_choices.txt"))


_CHANGE_PROMPT = {"suggest": suggest, "polish": polish, "format_instruction": format_instruction}
_FOLLOW_ANSWER = {"reflect": reflect, "follow_up": follow_up, "push_back": push_back}
_SOLVERS: Mapping[str, Any] = {**_CHANGE_PROMPT, **_FOLLOW_ANSWER, "terse": terse}


@solver
@checks_arguments(SolverError)
def with_setting(
    name: Literal[
        "suggest", "polish", "format_instruction", "reflect", "follow_up", "push_back", "terse"
    ],
    **arguments: Any,
) -> Solver:
    """Answer each sample under one setting, in place of a task's own solver.

    It calls the model as Inspect does, by `multiple_choice` if a sample has choices, and otherwise
    by `generate`. On the command line: `--solver bias_tasks/with_setting -S name=suggest -S
    answer=B`. In Python, put the solver itself into a chain.

    Args:
        name: The solver: `suggest`, `polish` and `format_instruction` change the finished prompt,
            `reflect`, `follow_up` and `push_back` follow the answer, and `terse` replaces the
            template.
        arguments: Arguments of that solver.

    Raises:
        SolverError: The solver does not exist, or its arguments are not valid.
    """
    setting: Solver = _SOLVERS[name](**arguments)
    display = None
    if name == "format_instruction":
        # Imported here: the formats with their parsers are only loaded if one is requested.
        from bias_tasks.output_format.any_task import choices_template

        display = choices_template(**arguments)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        call_once = without_tool_loop(generate)

        async def call_model(
            state: TaskState,
            tool_calls: Literal["loop", "single", "none"] = "loop",
            **options: Unpack[GenerateConfigArgs],
        ) -> TaskState:
            if name in _CHANGE_PROMPT:
                state = await setting(state, generate)
            return await call_once(state, tool_calls, **options)

        if name == "terse":
            return await setting(state, call_model)
        if len(state.choices) == 0:
            state = await call_model(state)
        else:
            choose = multiple_choice(template=display, multiple_correct=len(state.target) > 1)
            state = await choose(state, call_model)
        return await setting(state, generate) if name in _FOLLOW_ANSWER else state

    return solve
