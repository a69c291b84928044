"""The simulated respondents as a model provider of Inspect: `--model simulated/<persona>`."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from bias_tasks.respondents.completion import Message, complete, count_tokens
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.solvers.inspect_host import RespondentError
from bias_tasks.solvers.sample_state import sample_state

MAX_CONNECTIONS = 100


class SimulatedAPI(ModelAPI):
    """A simulated respondent behind Inspect's model interface.

    `-M name=value` sets a parameter of the persona, e.g. `--model simulated/conformist -M adopt=1`.

    Args:
        model_name: name of the persona (see `personas`).
        base_url: not used.
        api_key: not used; none is needed.
        config: generation config; `max_tokens` and `stop_seqs` are honoured.
        **model_args: parameters of the persona.

    Raises:
        RespondentError: unknown persona or parameter, or a value out of its range.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the host's own signature
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        try:
            self.respondent = make_respondent(model_name, model_args)
        except ValueError as error:
            raise RespondentError(f"simulated/{model_name}: {error}") from error

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """The persona's answer, with estimated token usage."""
        sample = sample_state()
        completion = complete(
            self.respondent,
            (Message(message.role, message.text) for message in input),
            known=KnownItems(() if sample is None else sample.question.known),
            max_tokens=config.max_tokens,
            stop=config.stop_seqs or (),
        )
        return ModelOutput(
            model=self.model_name,
            choices=[
                ChatCompletionChoice(
                    message=ChatMessageAssistant(
                        content=completion.text, model=self.model_name, source="generate"
                    ),
                    stop_reason=completion.stop_reason,
                )
            ],
            usage=ModelUsage(
                input_tokens=completion.input_tokens,
                output_tokens=completion.output_tokens,
                total_tokens=completion.input_tokens + completion.output_tokens,
            ),
        )

    async def count_text_tokens(self, text: str) -> int:
        """The same estimate as in the usage; the host's own would download a tokenizer."""
        return count_tokens(text)

    def max_connections(self) -> int:
        """Many: an answer takes no waiting."""
        return MAX_CONNECTIONS
