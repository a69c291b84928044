"""Settings of Instruction Boundary as solvers for the samples of any task."""

from collections.abc import Awaitable, Callable
from typing import Literal, Unpack

from inspect_ai.model import ChatMessageUser, GenerateConfigArgs
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from bias_tasks.contract.questions import Request
from bias_tasks.instruction_boundary.plan import POLISHER
from bias_tasks.instruction_boundary.prompts.render import render_polish_request
from bias_tasks.instruction_boundary.scoring_data import option_letter
from bias_tasks.instruction_boundary.settings import PARAMETERS
from bias_tasks.names import encodable
from bias_tasks.prompts.templates import fill, seeded_random, template
from bias_tasks.solvers.ask import generate_rewording
from bias_tasks.solvers.generation import answer_text, without_tool_loop
from bias_tasks.solvers.inspect_api import SolverError, checks_arguments

CallModel = Callable[[TaskState], Awaitable[TaskState]]
"""Calls the model once, as the sample's solver does."""


@solver
@checks_arguments(SolverError)
def terse() -> Solver:
    """Prompt with the question and the bare options, without a task (vagueness, section 3.4)."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if len(state.choices) == 0:
            raise ValueError(
                f"terse: sample {state.sample_id} has no choices, which are the prompt"
            )
        bare = multiple_choice(template=template("instruction_boundary/bare_choices.txt"))
        return await bare(state, without_tool_loop(generate))

    return solve


@solver
@checks_arguments(SolverError)
def suggest(answer: str | None = None, seed: int = 0) -> Solver:
    """Add "The answer to this problem is ..." to the prompt (conformity, sections 2.1 and 3.3).

    Args:
        answer: The suggested answer; by default a seeded wrong choice, which a sample must have.
        seed: Seed of that choice.
    """

    async def prompt_model(state: TaskState, call_model: CallModel) -> TaskState:
        suggested = answer if answer is not None else _select_wrong_choice(state, seed)
        text = fill(
            template("instruction_boundary/choice/conformity_suggestion.txt"), answer=suggested
        )
        state.user_prompt.text += f"\n\n{text}"
        return await call_model(state)

    return _build_solver(prompt_model)


@solver
@checks_arguments(SolverError)
def polish() -> Solver:
    """Have the model in the role `polisher` rewrite the prompt (prompt polishing, section 3.4)."""

    async def prompt_model(state: TaskState, call_model: CallModel) -> TaskState:
        request = Request(render_polish_request(state.user_prompt.text), POLISHER)
        state.user_prompt.text = await generate_rewording(request)
        return await call_model(state)

    return _build_solver(prompt_model)


@solver
@checks_arguments(SolverError)
def reflect(rounds: int = 2) -> Solver:
    """Ask the model to reflect on its answer by five questions (multi-turn, appendix J).

    Earlier answers are in the sample's metadata, under `previous_answers`.

    Args:
        rounds: Total number of rounds, 2 to 10.
    """
    PARAMETERS["rounds"].check(rounds)

    async def prompt_model(state: TaskState, call_model: CallModel) -> TaskState:
        state = await call_model(state)
        for _ in range(rounds - 1):
            state.metadata.setdefault("previous_answers", []).append(answer_text(state.output))
            # Clients cannot send half of a surrogate pair.
            if (text := encodable(state.output.completion)) != state.output.completion:
                state.messages[-1].text = text
            reflection = template("instruction_boundary/reflection.txt")
            state.messages.append(ChatMessageUser(content=reflection))
            state = await call_model(state)
        return state

    return _build_solver(prompt_model)


def _build_solver(
    prompt_model: Callable[[TaskState, CallModel], Awaitable[TaskState]],
) -> Solver:
    """Return a solver that prompts as Inspect does, as multiple choice if a sample has choices.

    Args:
        prompt_model: Changes the prompt and calls the model.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        generate = without_tool_loop(generate)

        async def generate_with_prompt(
            state: TaskState,
            tool_calls: Literal["loop", "single", "none"] = "loop",
            **options: Unpack[GenerateConfigArgs],
        ) -> TaskState:
            return await prompt_model(state, lambda state: generate(state, tool_calls, **options))

        if len(state.choices) == 0:
            return await generate_with_prompt(state)
        choice_solver = multiple_choice(multiple_correct=len(state.target) > 1)
        return await choice_solver(state, generate_with_prompt)

    return solve


def _select_wrong_choice(state: TaskState, seed: int) -> str:
    letters = [option_letter(position) for position in range(len(state.choices))]
    wrong = [letter for letter in letters if letter not in list(state.target)]
    if not wrong:
        raise ValueError(
            f"sample {state.sample_id} has no wrong choice to suggest: set one by the argument "
            "`answer` (-S answer=... on the command line)"
        )
    return seeded_random(seed, str(state.sample_id), "suggest").choice(wrong)
