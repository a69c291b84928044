"""The simulated models as a model of the LM Evaluation Harness: `model="simulated"`.

Importing this module registers the model; nothing else does.
"""

import math
from typing import Any

import lm_eval.models  # noqa: F401  # the harness looks for its own only while none is registered
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

from bias_tasks.simulated.draws import draw, shortened
from bias_tasks.simulated.persona import Persona, make_respondent

_SURE = 0.9
"""Probability of the answer that a persona gives."""


@register_model("simulated")  # type: ignore[untyped-decorator, unused-ignore]
class SimulatedLM(LM):  # type: ignore[misc, unused-ignore]
    """A simulated model: the name of a persona and its traits.

    Likelihoods of answers, which personas have, are the same at each call and never unread: of
    `unsteady` only a prompt's first call counts, and `abstention` and `oblique` play no part.
    `batch_size`, `max_batch_size` and `device`, which the harness passes, do nothing. A ValueError
    for an unknown persona or trait, or a value out of its range."""

    tokenizer_name = "simulated"

    def __init__(
        self,
        persona: str = "steadfast",
        batch_size: int | str | None = None,
        max_batch_size: int | None = None,
        device: str | None = None,
        **traits: Any,
    ) -> None:
        super().__init__()
        self.respondent = make_respondent(persona, traits)

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """The answers to requests of (context, generation arguments)."""
        found = []
        for request in requests:
            context, arguments = request.args
            # A request of ours brings its question; one of another task has none.
            said = self.respondent.respond(context, getattr(request, "question", None))
            until = arguments.get("until") or ()
            markers = [until] if isinstance(until, str) else until
            found.append(shortened(said, markers, arguments.get("max_gen_toks")))
        return found

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """(Log-probability, whether it is the likeliest) of requests of (context, continuation).

        Spaces around a continuation don't count. The answer has 0.9, the other of Yes and No 0.1,
        and any other text a chance number below 0.1. A NotImplementedError for who is no persona.
        """
        return [self._likelihood(request, *request.args) for request in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Not supported: a NotImplementedError."""
        raise NotImplementedError("a simulated model has no likelihoods of whole texts")

    def _likelihood(self, request: Instance, context: str, continuation: str) -> tuple[float, bool]:
        if not isinstance(self.respondent, Persona):
            raise NotImplementedError("only personas have likelihoods: a judge has none")
        plain = {"abstention": 0.0, "oblique": False}
        # A copy has answered nothing yet, so each prompt is at its first call.
        fresh = Persona(**self.respondent.model_dump() | plain)
        answer = fresh.respond(context, getattr(request, "question", None))
        text = continuation.strip()
        if text == answer:
            return math.log(_SURE), True
        share = 1.0 if {answer, text} == {"Yes", "No"} else 1 - draw(0, context, text)
        return math.log((1 - _SURE) * share), False
