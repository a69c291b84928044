"""Asks the model again after its answer: the next rounds of a family's task, and of any task."""

from collections.abc import Callable, Sequence
from typing import Literal

from inspect_ai.model import ChatMessage, ChatMessageUser
from inspect_ai.solver import Choice, Choices, Generate, Solver, TaskState, solver

from bias_tasks.instruction_boundary.parameters import PushbackRounds
from bias_tasks.instruction_boundary.scoring_data import option_letter
from bias_tasks.instruction_boundary.settings import CLAIMS, PARAMETERS
from bias_tasks.prompts.edits import render_pushback, render_reflection
from bias_tasks.randomness import seeded_random
from bias_tasks.solvers.generation import answer_text, without_tool_loop
from bias_tasks.solvers.inspect_api import (
    SolverError,
    answer_index,
    checks_arguments,
    parse_answers,
)
from bias_tasks.unicode_text import encodable

PushbackKind = Literal["control", "doubt", "wrong", "right", "wrong_reason", "right_reason"]


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
    return _send_after_answer("follow_up", lambda *_: text, rounds)


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
    return _send_after_answer("reflect", lambda *_: render_reflection(), rounds - 1)


@solver
@checks_arguments(SolverError)
def push_back(kind: PushbackKind = "doubt", rounds: PushbackRounds = 1, seed: int = 0) -> Solver:
    """Push back after the model's answer, in the words of the task `pushback`.

    It is `follow_up` with these messages, each in other words. Put it after the solver that calls
    the model.

    Args:
        kind: `doubt` the answer, claim a `wrong` or the `right` choice, or give a reason for either
            (`wrong_reason`, `right_reason`). `control` is a neutral message.
        rounds: Number of messages, 1 to 5.
        seed: Seed of the wordings and of the wrong choice, which is that of `suggest`.

    Raises:
        SolverError: As in `follow_up`, or a sample has no such choice.
    """
    claim = kind.partition("_")[0]

    def render(state: TaskState, number: int) -> str:
        answer = ""
        if claim in CLAIMS:
            is_wrong = claim == "wrong"
            claimed = draw_wrong_choice(state, seed) if is_wrong else find_right_choices(state)
            displayed = find_displayed_choices(state.choices, _join_prompts(state))
            answer = ", ".join(option_letter(i) for i, c in enumerate(displayed) if c in claimed)
            if not answer:
                raise SolverError(
                    f"push_back: sample {state.sample_id} has no {claim} choice "
                    "to claim: without choices, use kind='doubt' or kind='control'"
                )
        return render_pushback(kind, number, seed, str(state.sample_id), answer)

    return _send_after_answer("push_back", render, rounds)


def _send_after_answer(name: str, render: Callable[[TaskState, int], str], rounds: int) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.output.empty:
            raise SolverError(
                f"{name}: sample {state.sample_id} has no answer yet: put {name} after a solver "
                "that calls the model, such as generate(); on the command line, use --solver "
                f"bias_tasks/with_setting -S name={name}"
            )
        for number in range(rounds):
            begin_next_round(state, render(state, number), state.messages)
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


def find_right_choices(state: TaskState) -> list[Choice]:
    """Return the correct choices of a sample."""
    targets = list(state.target)
    return [c for c in state.choices if option_letter(c.original_position) in targets]


def draw_wrong_choice(state: TaskState, seed: int) -> list[Choice]:
    """Return a wrong choice of a sample in a list, which is empty if it has none."""
    right = find_right_choices(state)
    in_order = sorted(state.choices, key=lambda choice: choice.original_position)
    wrong = [choice for choice in in_order if choice not in right]
    rng = seeded_random(seed, str(state.sample_id), "suggest")
    return [rng.choice(wrong)] if wrong else []


def _join_prompts(state: TaskState) -> str:
    return "\n".join(message.text for message in state.messages if message.role == "user")


def _mark_choices(state: TaskState) -> None:
    """Mark the choices that the last answer selects, by the rules of `multiple_choice`."""
    letters = parse_answers(state, multiple_correct=len(state.target) > 1)
    selected = {answer_index(letter) for letter in letters}
    for index, choice in enumerate(find_displayed_choices(state.choices, _join_prompts(state))):
        choice.correct = index in selected
