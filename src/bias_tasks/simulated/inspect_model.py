"""Simulated models as a model provider of Inspect: `--model simulated/<persona>`."""

from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from bias_tasks.parsing.json_values import parse_literal
from bias_tasks.simulated.draws import count_tokens, truncate
from bias_tasks.solvers.inspect_api import SimulatedModelError
from bias_tasks.solvers.sample_state import running_sample


class SimulatedAPI(ModelAPI):
    """A simulated model behind Inspect's model interface.

    `-M name=value` sets a trait, for example `--model simulated/conformist -M adopt=1`.

    Raises:
        SimulatedModelError: A persona or a trait is unknown, or a value is out of range.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own signature
        **model_args: Any,
    ) -> None:
        # Imported here: Inspect imports this module whichever model it runs.
        from bias_tasks.simulated.persona import make_simulated_model

        super().__init__(model_name, base_url, api_key, [], config)
        try:
            self.simulated_model = make_simulated_model(model_name, model_args)
        except ValueError as error:
            raise SimulatedModelError(f"simulated/{model_name}: {error}") from error

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Return the answer to the running sample's question, with estimated token usage.

        With tools, an answer that is a JSON object is the arguments of a call of the first tool.
        """
        sample = running_sample()
        prompt = "\n\n".join(message.text for message in input if message.role != "assistant")
        answer = self.simulated_model.respond(prompt, None if sample is None else sample.question)
        stopped = truncate(answer, config.stop_seqs or (), None)
        completion = truncate(stopped, (), config.max_tokens)
        output = ModelOutput.from_content(
            self.model_name, completion, "stop" if completion == stopped else "max_tokens"
        )
        arguments = parse_literal(completion, python=False) if tools else None
        if isinstance(arguments, dict):
            output = ModelOutput.for_tool_call(self.model_name, tools[0].name, arguments)
        n_input = sum(count_tokens(message.text) for message in input)
        n_output = count_tokens(completion)
        output.usage = ModelUsage(
            input_tokens=n_input, output_tokens=n_output, total_tokens=n_input + n_output
        )
        return output

    async def count_text_tokens(self, text: str) -> int:
        """Return the same estimate as in the usage; Inspect's would download a tokenizer."""
        return count_tokens(text)

    def max_connections(self) -> int:
        """Return a high limit, since an answer takes no time."""
        return 100


simulated = modelapi(name="simulated")(SimulatedAPI)
"""The entry in Inspect's registry of model providers."""
