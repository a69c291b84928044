"""The simulated respondents as a model of the LM Evaluation Harness: `model="simulated"`.

Importing this module registers the model; nothing else does. The harness's network models reach
the same respondents through `bias-tasks serve`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import lm_eval.models  # noqa: F401  # the harness looks for its own only while none is registered
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

from bias_tasks.respondents.completion import Message, complete, prompt_of
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.likelihood import likeliest, log_probability
from bias_tasks.respondents.personas import make_respondent


@register_model("simulated")  # type: ignore[untyped-decorator, unused-ignore]
class SimulatedLM(LM):  # type: ignore[misc, unused-ignore]
    """A simulated respondent; it generates text, and personas have likelihoods of answers.

    Args:
        persona: name of the persona (see `personas`).
        batch_size: not used, as are `max_batch_size` and `device`; the harness passes them.
        max_batch_size: not used.
        device: not used.
        **parameters: parameters of the persona.

    Raises:
        ValueError: unknown persona or parameter, or a value out of its range.
    """

    tokenizer_name = "simulated"

    def __init__(
        self,
        persona: str = "steadfast",
        batch_size: int | str | None = None,
        max_batch_size: int | None = None,
        device: str | None = None,
        **parameters: Any,
    ) -> None:
        super().__init__()
        self.respondent = make_respondent(persona, parameters)

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """The answers to requests of (context, generation arguments)."""
        return [self._generate(_known(request), *request.args) for request in requests]

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        """The messages as JSON, from which `generate_until` takes them again."""
        return json.dumps(chat_history, ensure_ascii=False)

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """(Log-probability, whether it is the likeliest) of requests of (context, continuation).

        Raises:
            NotImplementedError: the respondent is no persona.
        """
        return [self._likelihood(_known(request), *request.args) for request in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Not supported.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("a simulated respondent has no likelihoods of whole texts")

    def _likelihood(self, known: KnownItems, context: str, continuation: str) -> tuple[float, bool]:
        prompt = prompt_of(_messages(context))
        answer = likeliest(self.respondent, prompt, known)
        return log_probability(answer, prompt, continuation), continuation.strip() == answer

    def _generate(self, known: KnownItems, context: str, arguments: dict[str, Any]) -> str:
        until: str | Sequence[str] = arguments.get("until") or ()
        return complete(
            self.respondent,
            _messages(context),
            known=known,
            max_tokens=arguments.get("max_gen_toks"),
            stop=[until] if isinstance(until, str) else until,
        ).text


def _known(request: Instance) -> KnownItems:
    """The items that come with a request of ours; nothing with one of another task."""
    return KnownItems(getattr(request, "known", ()))


def _messages(context: str) -> list[Message]:
    """The messages of a chat in JSON, or a plain context as one message."""
    if not context.startswith('[{"role":'):
        return [Message("user", context)]
    return [Message(row["role"], row["content"]) for row in json.loads(context)]
