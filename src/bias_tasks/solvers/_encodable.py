"""Answers that are sent on to a model, or kept: without halves of surrogate pairs."""

from __future__ import annotations

from typing import Any, Literal, Unpack

from inspect_ai.model import ChatMessageAssistant, GenerateConfigArgs
from inspect_ai.solver import Generate, TaskState

from bias_tasks.names import encodable


def with_encodable_answers(generate: Generate) -> Generate:
    """A `generate()` whose answer can be sent: half of a pair fails every client's request."""

    async def generate_encodable(
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **options: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        state = await generate(state, tool_calls, **options)
        answers = [choice.message for choice in state.output.choices]
        answers += [each for each in state.messages if isinstance(each, ChatMessageAssistant)]
        for answer in answers:
            answer.content = _encodable(answer.content)
        state.output.completion = encodable(state.output.completion)
        return state

    return generate_encodable


def _encodable(content: Any) -> Any:
    """The content of a message: a text, or a list of parts of which some have one."""
    if isinstance(content, str):
        return encodable(content)
    for part in content:
        for name in ("text", "reasoning"):
            if isinstance(getattr(part, name, None), str):
                setattr(part, name, encodable(getattr(part, name)))
    return content
