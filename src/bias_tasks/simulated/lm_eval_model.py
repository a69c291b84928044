"""Simulated models as a model of the LM Evaluation Harness: `model="simulated"`.

Import this module to register the model; nothing else does.
"""

import math
from typing import Any

import lm_eval.models  # noqa: F401  # lm-eval finds its own models only while none is registered
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

from bias_tasks.simulated.draws import draw, truncate
from bias_tasks.simulated.persona import Persona, make_simulated_model

_ANSWER_PROBABILITY = 0.9
"""Probability of the answer that a persona gives."""


@register_model("simulated")  # type: ignore[untyped-decorator, unused-ignore]
class SimulatedLM(LM):  # type: ignore[misc, unused-ignore]
    """A simulated model.

    Likelihoods of answers are the same at each call and never unparsed: for `unsteady` only the
    first call of a prompt counts, and `abstention` and `oblique` have no effect.

    Args:
        persona: Name of the simulated model.
        batch_size: Ignored; lm-eval passes it.
        max_batch_size: Ignored; lm-eval passes it.
        device: Ignored; lm-eval passes it.
        **traits: Traits that replace those of the persona.

    Raises:
        ValueError: The persona or a trait is unknown, or a value is out of range.
    """

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
        self.simulated_model = make_simulated_model(persona, traits)

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """Return the answers to requests with a context and generation arguments."""
        answers = []
        for request in requests:
            context, arguments = request.args
            # Requests of our tasks have a question, those of other tasks do not.
            answer = self.simulated_model.respond(context, getattr(request, "question", None))
            until = arguments.get("until") or ()
            stop_sequences = [until] if isinstance(until, str) else until
            answers.append(truncate(answer, stop_sequences, arguments.get("max_gen_toks")))
        return answers

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Return the log-probability of each continuation, and whether it is the most likely one.

        The persona's answer has probability 0.9, the other one of Yes and No 0.1, and any other
        text a random probability below 0.1. Spaces around a continuation are ignored.

        Raises:
            NotImplementedError: The model is not a persona, but a model for a role.
        """
        return [self._compute_likelihood(request, *request.args) for request in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Raise a NotImplementedError: not supported."""
        raise NotImplementedError("a simulated model has no likelihoods of whole texts")

    def _compute_likelihood(
        self, request: Instance, context: str, continuation: str
    ) -> tuple[float, bool]:
        if not isinstance(self.simulated_model, Persona):
            raise NotImplementedError("only personas have likelihoods, models for roles do not")
        # A copy counts calls from 0, so that each prompt is at its first call.
        traits = self.simulated_model.model_dump() | {"abstention": 0.0, "oblique": False}
        answer = Persona(**traits).respond(context, getattr(request, "question", None))
        text = continuation.strip()
        if text == answer:
            return math.log(_ANSWER_PROBABILITY), True
        share = 1.0 if {answer, text} == {"Yes", "No"} else 1 - draw(0, context, text)
        return math.log((1 - _ANSWER_PROBABILITY) * share), False
