"""Calls the evaluated model, and reads its output, whose tool call is not an answer."""

from typing import Literal, Unpack

from inspect_ai.model import GenerateConfigArgs, ModelOutput
from inspect_ai.solver import Generate, TaskState

from bias_tasks.solvers.inspect_api import read_stop_reason
from bias_tasks.unicode_text import encodable


def without_tool_loop(generate: Generate) -> Generate:
    """Return a function that calls the model once if the sample has no tools.

    Inspect answers the call of a tool that does not exist with an error, and calls the model again,
    as long as it calls tools.

    Args:
        generate: Inspect's function, with which a sample that has tools is answered.
    """

    async def generate_once(
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **options: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        if state.tools:
            return await generate(state, tool_calls, **options)
        state = await generate(state, "none", **options)
        if state.messages[-1].role == "assistant" and state.messages[-1].tool_calls:
            # Servers reject a conversation that continues without the tool's result.
            state.messages[-1] = state.messages[-1].model_copy(update={"tool_calls": None})
        return state

    return generate_once


def answer_text(output: ModelOutput) -> str:
    """Return the text of an output in a form that can be stored; empty if it calls a tool."""
    if output.choices and read_stop_reason(output) == "tool_call":
        return ""
    return encodable(output.completion)
