"""Settings of Instruction Boundary as solvers that work on any task's samples."""

from collections.abc import Awaitable, Callable
from typing import Literal, Unpack

from inspect_ai.model import ChatMessageUser, GenerateConfigArgs
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from bias_tasks.contract.family import Request
from bias_tasks.instruction_boundary.plan import POLISHER
from bias_tasks.instruction_boundary.prompts.ask import polish_request
from bias_tasks.instruction_boundary.settings import PARAMETERS
from bias_tasks.names import encodable
from bias_tasks.prompts.templates import fill, seeded, template
from bias_tasks.solvers.ask import reworded
from bias_tasks.solvers.inspect_host import SolverError, refusing

Once = Callable[[TaskState], Awaitable[TaskState]]
"""Asks the model once, as the solver of a sample has it."""


@solver
@refusing(SolverError)
def terse() -> Solver:
    """Vagueness (section 3.4): ask with the question and the bare options alone, no task."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if len(state.choices) == 0:
            raise ValueError(f"terse: sample {state.sample_id} has no choices to state barely")
        bare = multiple_choice(template=template("instruction_boundary/bare_choices.txt"))
        return await bare(state, generate)

    return solve


@solver
@refusing(SolverError)
def suggest(answer: str | None = None, seed: int = 0) -> Solver:
    """Conformity (sections 2.1 and 3.3): "The answer to this problem is ..." ends the prompt.

    Args:
        answer: what to suggest; by default a seeded wrong choice, which a sample must have.
        seed: seed of that choice.
    """

    async def ask(state: TaskState, once: Once) -> TaskState:
        said = answer if answer is not None else _wrong_choice(state, seed)
        text = fill(template("instruction_boundary/choice/suggestion.txt"), answer=said)
        state.user_prompt.text += f"\n\n{text}"
        return await once(state)

    return _asking(ask)


@solver
@refusing(SolverError)
def polish() -> Solver:
    """Prompt polishing (section 3.4): the model in the role `polisher` rewrites the prompt."""

    async def ask(state: TaskState, once: Once) -> TaskState:
        request = Request(polish_request(state.user_prompt.text), POLISHER)
        state.user_prompt.text = await reworded(request)
        return await once(state)

    return _asking(ask)


@solver
@refusing(SolverError)
def reflect(rounds: int = 2) -> Solver:
    """Multi-turn (appendix J): ask, put five questions about its answer to the model, ask again;
    earlier answers are kept in the sample's metadata, under `previous_answers`.

    Args:
        rounds: rounds in all, 2 to 10.
    """
    PARAMETERS["rounds"].check(rounds)

    async def ask(state: TaskState, once: Once) -> TaskState:
        state = await once(state)
        for _ in range(rounds - 1):
            answer = encodable(state.output.completion)
            state.metadata.setdefault("previous_answers", []).append(answer)
            if state.output.completion != answer:  # half of a surrogate pair fails every client
                state.messages[-1].text = answer
            again = template("instruction_boundary/reflection.txt")
            state.messages.append(ChatMessageUser(content=again))
            state = await once(state)
        return state

    return _asking(ask)


def _asking(ask: Callable[[TaskState, Once], Awaitable[TaskState]]) -> Solver:
    """Asks a sample as Inspect would, as multiple choice where it has choices, by `ask`."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async def asking(
            state: TaskState,
            tool_calls: Literal["loop", "single", "none"] = "loop",
            **options: Unpack[GenerateConfigArgs],
        ) -> TaskState:
            return await ask(state, lambda state: generate(state, tool_calls, **options))

        if len(state.choices) == 0:
            return await asking(state)
        return await multiple_choice(multiple_correct=len(state.target) > 1)(state, asking)

    return solve


def _wrong_choice(state: TaskState, seed: int) -> str:
    letters = [chr(ord("A") + place) for place in range(len(state.choices))]
    wrong = [letter for letter in letters if letter not in list(state.target)]
    if not wrong:
        lacks = f"sample {state.sample_id} has no wrong choice to suggest"
        raise ValueError(f"{lacks}: give one with -S answer=...")
    return seeded(seed, str(state.sample_id), "suggest").choice(wrong)
