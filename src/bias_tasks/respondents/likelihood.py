"""Likelihoods of simulated respondents, as base models have them: its answer gets nearly all.

A likelihood is the same at each call and nothing is unread: of `unsteady` only a prompt's first
call counts, and `abstention`, `style` and `verbosity` play no part.
"""

from __future__ import annotations

import dataclasses
import math

from bias_tasks.respondents.draws import draw
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.persona import Persona, Respondent

SURE = 0.9
"""Probability of the answer that the respondent gives."""
_OTHERS = {"Yes": "No", "No": "Yes"}


def likeliest(respondent: Respondent, prompt: str, known: KnownItems) -> str:
    """The bare answer of a respondent, such as "Yes" or "2": the likeliest text after a prompt.

    Raises:
        NotImplementedError: the respondent is no persona.
    """
    if not isinstance(respondent, Persona):
        raise NotImplementedError("only personas have likelihoods: a judge or polisher has none")
    # The copy has answered nothing yet, so each prompt is at its first call.
    plain = dataclasses.replace(respondent, abstention=0.0, style="number", verbosity="terse")
    return plain.respond(prompt, known)


def log_probability(answer: str, prompt: str, continuation: str) -> float:
    """Natural logarithm of a continuation's probability; spaces around it don't count.

    Args:
        answer: the likeliest continuation, which has 0.9.
        prompt: what it continues.
        continuation: the text; beside Yes, No has 0.1 and the other way round, and any other
            text has a chance number below 0.1, the same at each call.
    """
    text = continuation.strip()
    if text == answer:
        return math.log(SURE)
    rest = 1 - SURE
    return math.log(rest if _OTHERS.get(answer) == text else rest * (1 - draw(0, prompt, text)))
