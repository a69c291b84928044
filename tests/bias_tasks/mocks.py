"""A mock model with set answers, usable offline."""

from collections.abc import Callable, Sequence

from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model


def output(text: str) -> ModelOutput:
    """An output that reports its usage: without it the host's mock downloads a tokenizer."""
    result = ModelOutput.from_content("mockllm", text)
    result.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return result


def mock(answers: Sequence[str] | Callable[[str], str], name: str = "model") -> Model:
    """A model that gives `answers` in order, or the answer that a function gives to the prompt."""
    if callable(answers):

        def reply(messages, tools, tool_choice, config):
            return output(answers(messages[-1].text))

        return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)
    outputs = [output(answer) for answer in answers]
    return get_model(f"mockllm/{name}", custom_outputs=outputs, memoize=False)
