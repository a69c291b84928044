"""Models whose answers are drawn by a hash of the prompt, in both frameworks.

Each answer is that of one of several simulated models. Some answers are then cut off, replaced by
a text without an answer, or wrapped in other words, so that parsing has something to do.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, get_model, modelapi
from lm_eval.api.instance import Instance

from benchmarks.unchanged_runs.entries import digest
from bias_tasks.simulated.lm_eval_model import SimulatedLM

PERSONAS = ("perfect", "conformist", "cautious", "guess", "format_blind", "swayed_judge", "halo")
"""The simulated models that answer by default."""
_EDITS: list[Callable[[str], str]] = [
    lambda answer: "",
    lambda answer: answer[: len(answer) // 2],
    lambda answer: "That depends on what you mean.",
    lambda answer: f"Let me think about it.\n\n{answer}",
    lambda answer: f"<think>\nA or B, yes or no?\n</think>\n{answer}",
    lambda answer: f"**{answer.rpartition(' ')[2]}**",
    *[str] * 14,  # most answers stay as they are
]


class Script:
    """Draws who answers a prompt, and what happens to the answer.

    The draw depends on the prompt and on the number of earlier calls with the same prompt, but not
    on calls with other prompts.
    """

    def __init__(self, personas: Sequence[str]) -> None:
        self._personas = personas
        self._calls = Counter[str]()

    def draw(self, prompt: str) -> tuple[str, Callable[[str], str]]:
        """Return the name of a simulated model, and a function of its answer."""
        self._calls[prompt] += 1
        number = int(digest([prompt, self._calls[prompt]]), 16)
        persona = self._personas[number // len(_EDITS) % len(self._personas)]
        return persona, _EDITS[number % len(_EDITS)]


@modelapi(name="scripted")
class ScriptedAPI(ModelAPI):
    """A scripted model of Inspect; the argument `personas` names the simulated models."""

    def __init__(self, model_name: str, *args: Any, personas: Sequence[str], **named: Any) -> None:
        super().__init__(model_name, *args, **named)
        self._script = Script(personas)
        self._models = {name: get_model(f"simulated/{name}", memoize=False) for name in personas}

    async def generate(
        self, input: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        """Return the edited answer of a simulated model. A cut answer counts as truncated."""
        persona, edit = self._script.draw("\n".join(f"{m.role}: {m.text}" for m in input))
        # The model's own `generate` would log another call.
        output: Any = await self._models[persona].api.generate(input, tools, tool_choice, config)
        output.completion = edit(output.completion)
        if edit is _EDITS[1]:
            output.choices[0].stop_reason = "max_tokens"
        return output

    async def count_text_tokens(self, text: str) -> int:
        """Return an estimate; Inspect's would download a tokenizer."""
        return len(text) // 4


class ScriptedLM(SimulatedLM):
    """A scripted model of lm-eval. It keeps the arguments of all requests in `requests`."""

    def __init__(self, personas: Sequence[str]) -> None:
        super().__init__()
        self._script = Script(personas)
        self._models = {persona: SimulatedLM(persona) for persona in personas}
        self.requests: list[tuple[Any, ...]] = []

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """Return the edited answers of simulated models."""
        self.requests += [request.args for request in requests]
        draws = [self._script.draw(request.args[0]) for request in requests]
        return [
            edit(self._models[persona].generate_until([request])[0])
            for request, (persona, edit) in zip(requests, draws, strict=True)
        ]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Return log-probabilities between -1 and 0, a hash of the texts."""
        self.requests += [request.args for request in requests]
        return [(-int(digest(request.args), 16) / 2.0**64, False) for request in requests]
