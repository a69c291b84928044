"""Asks the model again after its answer: the next rounds of a family's task, and of any task."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageUser
from inspect_ai.solver import Choice, Choices, Generate, Solver, TaskState, solver

from bias_tasks.instruction_boundary.settings import PARAMETERS
from bias_tasks.prompts.edits import render_reflection
from bias_tasks.solvers.generation import answer_text, without_tool_loop
from bias_tasks.solvers.inspect_api import (
    SolverError,
    answer_index,
    checks_arguments,
    parse_answers,
)
from bias_tasks.unicode_text import encodable


@solver
@checks_arguments(SolverError)
def follow_up(text: str, rounds: int = 1) -> Solver:
    """Send a message after the model's answer. The answer to it replaces the first one.

    Put it after the solver that calls the model. Earlier answers are kept in the sample's metadata,
    under `previous_answers`, and why each ended under `previous_stop_reasons`. If the sample has
    choices, the last answer marks those that it selects, as `multiple_choice` does.

    Args:
        text: The message.
        rounds: Number of times that it is sent, each time after another answer.

    Raises:
        SolverError: An argument is not valid. A sample is an error if it has no answer yet.
    """
    if rounds < 1:
        raise ValueError(f"rounds={rounds}: expected an integer of at least 1")
    return _send_after_answer("follow_up", text, rounds)


@solver
@checks_arguments(SolverError)
def reflect(rounds: int = 2) -> Solver:
    """Ask the model to reflect on its answer by five questions (multi-turn, appendix J).

    It is `follow_up` with these questions.

    Args:
        rounds: Total number of rounds, 2 to 10. The first is the answer that it follows.

    Raises:
        SolverError: As in `follow_up`.
    """
    PARAMETERS["rounds"].check(rounds)
    return _send_after_answer("reflect", render_reflection(), rounds - 1)


def _send_after_answer(name: str, text: str, rounds: int) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.output.empty:
            raise SolverError(
                f"{name}: sample {state.sample_id} has no answer yet: put {name} after a solver "
                "that calls the model, such as generate(); on the command line, use --solver "
                f"bias_tasks/with_setting -S name={name}"
            )
        for _ in range(rounds):
            begin_next_round(state, text, state.messages)
            state = await without_tool_loop(generate)(state)
        _mark_choices(state)
        return state

    return solve


def begin_next_round(state: TaskState, text: str, history: Sequence[ChatMessage]) -> None:
    """Keep the answer of a round in the sample's metadata, and add the prompt of the next one.

    Args:
        state: The sample, which the model has answered.
        text: The prompt of the next round.
        history: The messages before it.
    """
    state.metadata.setdefault("previous_answers", []).append(answer_text(state.output))
    state.metadata.setdefault("previous_stop_reasons", []).append(state.output.stop_reason)
    # Clients cannot send half of a surrogate pair.
    for message in history:
        if (sendable := encodable(message.text)) != message.text:
            message.text = sendable
    state.messages = [*history, ChatMessageUser(content=text)]


def find_displayed_choices(choices: Choices, text: str) -> Sequence[Choice]:
    """Return a sample's choices in the order in which a text displays them.

    A solver that shuffles the choices restores the conversation to the sample's own order.
    """
    own_order = sorted(choices, key=lambda choice: choice.original_position)
    return own_order if Choices(own_order).prompt("", "{choices}") in text else list(choices)


def _mark_choices(state: TaskState) -> None:
    """Mark the choices that the last answer selects, by the rules of `multiple_choice`."""
    prompts = "\n".join(message.text for message in state.messages if message.role == "user")
    letters = parse_answers(state, multiple_correct=len(state.target) > 1)
    selected = {answer_index(letter) for letter in letters}
    for index, choice in enumerate(find_displayed_choices(state.choices, prompts)):
        choice.correct = index in selected
