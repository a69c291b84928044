"""Request and response bodies of the tokenizer's endpoints, in vLLM's shapes."""

from __future__ import annotations

from bias_tasks.respondents import tokens
from bias_tasks.respondents.wire import BadRequestError, Json


def tokenizer_info() -> Json:
    """GET /tokenizer_info."""
    return {"eos_token": tokens.END, "bos_token": tokens.END, "tokenizer_class": "simulated"}


def tokenize(body: Json) -> Json:
    """POST /tokenize.

    Raises:
        BadRequestError: there is no text to tokenize.
    """
    prompt = body.get("prompt")
    if not isinstance(prompt, str):
        raise BadRequestError("prompt must be a text")
    ids = tokens.encode(prompt)
    return {"tokens": ids, "count": len(ids)}


def detokenize(body: Json) -> Json:
    """POST /detokenize.

    Raises:
        BadRequestError: there are no token ids, or foreign ones.
    """
    ids = body.get("tokens")
    if not isinstance(ids, list):
        raise BadRequestError("tokens must be a list of token ids")
    try:
        return {"prompt": tokens.decode(ids)}
    except ValueError as error:
        raise BadRequestError(str(error)) from error
