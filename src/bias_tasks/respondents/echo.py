"""A prompt given back with the likelihood of its last token, as log-likelihood requests have it."""

from __future__ import annotations

import math
from typing import Any

from bias_tasks.respondents import tokens
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.likelihood import SURE, likeliest, log_probability
from bias_tasks.respondents.persona import Respondent


def echoed(respondent: Respondent, text: str, generated: int, known: KnownItems) -> dict[str, Any]:
    """The text and the log-probabilities of its tokens, as a completion with `echo` carries them.

    The last token is taken for the answer to all that stands before it, so a continuation of one
    word gets its likelihood. The tokens before it are the prompt's and count as certain, as does
    the token that is generated after it.

    Args:
        respondent: who answers.
        text: a prompt and a continuation of one word.
        generated: 1 to add a generated token, which clients leave out, or 0.
        known: the items that the prompt may ask about.

    Raises:
        NotImplementedError: the respondent has no likelihoods.
    """
    shown = tokens.split(text)
    chances = [0.0] * len(shown)
    top = [{token: 0.0} for token in shown]
    if len(shown) > 1:
        prompt, last = "".join(shown[:-1]), shown[-1]
        answer = likeliest(respondent, prompt, known)
        chances[-1] = log_probability(answer, prompt, last)
        top[-1] = {f" {answer}": math.log(SURE), last: chances[-1]}
    shown += [tokens.END] * generated
    return {
        "text": "".join(shown),
        "logprobs": {
            "tokens": shown,
            "token_logprobs": [*chances, *[0.0] * generated],
            "top_logprobs": [*top, *[{tokens.END: 0.0}] * generated],
        },
    }
