"""The simulated models as a model provider of Inspect: `--model simulated/<persona>`."""

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

from bias_tasks.simulated.draws import shortened, tokens
from bias_tasks.solvers.inspect_host import RespondentError
from bias_tasks.solvers.sample_state import sample_state


class SimulatedAPI(ModelAPI):
    """A simulated model behind Inspect's model interface.

    `-M name=value` sets a trait of the persona, e.g. `--model simulated/conformist -M adopt=1`. A
    RespondentError for an unknown persona or trait, or a value out of its range."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the host's own signature
        **model_args: Any,
    ) -> None:
        # Imported here: the host imports this module whichever model it runs.
        from bias_tasks.simulated.persona import make_respondent

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
        """The persona's answer to the running sample's question, with estimated token usage."""
        sample = sample_state()
        asked = "\n\n".join(each.text for each in input if each.role != "assistant")
        said = self.respondent.respond(asked, None if sample is None else sample.question)
        whole = shortened(said, config.stop_seqs or (), None)
        said = shortened(whole, (), config.max_tokens)
        output = ModelOutput.from_content(
            self.model_name, said, "stop" if said == whole else "max_tokens"
        )
        read, written = sum(tokens(each.text) for each in input), tokens(said)
        output.usage = ModelUsage(
            input_tokens=read, output_tokens=written, total_tokens=read + written
        )
        return output

    async def count_text_tokens(self, text: str) -> int:
        """The same estimate as in the usage; the host's own would download a tokenizer."""
        return tokens(text)

    def max_connections(self) -> int:
        """Many: an answer takes no waiting."""
        return 100


simulated = modelapi(name="simulated")(SimulatedAPI)
"""What Inspect finds the simulated models by."""
