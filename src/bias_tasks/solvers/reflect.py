"""Multi-turn reflection: the model sees its own answer and is asked to reconsider (appendix J)."""

from __future__ import annotations

from typing import Literal, Unpack

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, GenerateConfigArgs
from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.instruction_boundary.prompts.ask import ask_again
from bias_tasks.prompts.templates import template
from bias_tasks.solvers._encodable import with_encodable_answers
from bias_tasks.solvers._questions import ask_foreign, check_given, question_of, under_setting
from bias_tasks.solvers.inspect_host import SolverError, refusing


@solver
@refusing(SolverError)
def reflect(rounds: int | None = None) -> Solver:
    """Ask, then show the model its answer and the paper's five questions, and ask again.

    Our own samples use the paper's prompts: each round is one message that holds the question
    and the last answer. On another task's samples the conversation goes on. The answers before
    the last are kept in the sample's metadata, under `previous_answers`.

    Args:
        rounds: rounds in all, 2 to 10; by default the task's, or 2.

    Raises:
        SolverError: not so many rounds can be asked.
    """
    check_given("rounds", rounds)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        generate = with_encodable_answers(generate)
        question = question_of(state)
        if question is None:
            return await ask_foreign(state, _reflecting(generate, rounds or 2))
        asked = under_setting(state, question, "multi_turn", rounds=rounds)
        if asked is None:
            return await generate(state)
        return await _reflect(state, generate, asked)

    return solve


async def _reflect(state: TaskState, generate: Generate, question: SettingQuestion) -> TaskState:
    system = [m for m in state.messages if isinstance(m, ChatMessageSystem)]
    state = await generate(state)
    for _ in range(question.params.rounds - 1):
        previous = _keep_answer(state)
        again = ChatMessageUser(content=ask_again(question.item, question.params, previous))
        messages: list[ChatMessage] = [*system, again]
        state.messages = messages
        state = await generate(state)
    return state


def _reflecting(generate: Generate, rounds: int) -> Generate:
    """A `generate()` that reflects: for other tasks' solvers, which read the last answer."""

    async def generate_and_reflect(
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **options: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        state = await generate(state, tool_calls, **options)
        for _ in range(rounds - 1):
            _keep_answer(state)
            question = template("instruction_boundary/reflection.txt")
            state.messages.append(ChatMessageUser(content=question))
            state = await generate(state, tool_calls, **options)
        return state

    return generate_and_reflect


def _keep_answer(state: TaskState) -> str:
    answer = state.output.completion
    state.metadata.setdefault("previous_answers", []).append(answer)
    return answer
