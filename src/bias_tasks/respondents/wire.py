"""Request and response bodies of the chat, completions, messages and tokenizer endpoints.

Each endpoint is a function from a request's JSON to the response's; the shapes are those of the
OpenAI and Anthropic interfaces and of vLLM's tokenizer, as far as their clients need them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from bias_tasks.respondents import tokens
from bias_tasks.respondents.completion import Completion, Message, complete, count_tokens
from bias_tasks.respondents.echo import echoed
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.persona import Respondent

Json = dict[str, Any]


class BadRequestError(ValueError):
    """The request asks for something that the endpoint does not do."""


def chat_completions(respondent: Respondent, known: KnownItems, body: Json) -> Json:
    """POST /v1/chat/completions.

    Raises:
        BadRequestError: the body is not a request for one plain answer.
    """
    _refuse_unsupported(body)
    done = _complete(respondent, known, body, _messages(body))
    message = {"role": "assistant", "content": done.text}
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(done)}
    return _openai_body("chat.completion", body, [choice], [done])


def completions(respondent: Respondent, known: KnownItems, body: Json) -> Json:
    """POST /v1/completions, with one prompt or a list of prompts, as texts or as token ids.

    With `echo` and `logprobs` nothing is answered: the prompts come back with the log-probability
    of their last word.

    Raises:
        BadRequestError: the body is not a request for one plain answer a prompt.
    """
    echo = bool(body.get("echo") and body.get("logprobs"))
    _refuse_unsupported({} if echo else body)
    prompts = _prompts(body.get("prompt"))
    if echo:
        return _echo(respondent, known, body, prompts)
    done = [_complete(respondent, known, body, [Message("user", text)]) for text in prompts]
    choices = [
        {"index": index, "text": each.text, "finish_reason": _finish_reason(each)}
        for index, each in enumerate(done)
    ]
    return _openai_body("text_completion", body, choices, done)


def messages(respondent: Respondent, known: KnownItems, body: Json) -> Json:
    """POST /v1/messages.

    Raises:
        BadRequestError: the body is not a request for one plain answer.
    """
    _refuse_unsupported(body)
    asked = [Message("system", _text(body.get("system") or "")), *_messages(body)]
    done = _complete(respondent, known, body, asked, stop="stop_sequences")
    return {
        "id": "msg_simulated",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [{"type": "text", "text": done.text}],
        "stop_reason": "end_turn" if done.stop_reason == "stop" else "max_tokens",
        "stop_sequence": None,
        "usage": {"input_tokens": done.input_tokens, "output_tokens": done.output_tokens},
    }


def models(name: str) -> Json:
    """GET /v1/models: the one respondent served."""
    model = {"id": name, "object": "model", "created": 0, "owned_by": "bias-tasks"}
    return {"object": "list", "data": [model]}


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
    return {"prompt": _decoded(ids, "")}


def error(kind: str, message: str) -> Json:
    """An error body that both clients understand."""
    return {"type": "error", "error": {"type": kind, "code": kind, "message": message}}


def _complete(
    respondent: Respondent,
    known: KnownItems,
    body: Json,
    asked: Iterable[Message],
    stop: str = "stop",
) -> Completion:
    """The answer to messages; `stop` is what the body calls the texts that end it."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if limit is not None and (not isinstance(limit, int) or limit < 1):
        raise BadRequestError("max_tokens must be a whole number above 0")
    given = body.get(stop)
    texts = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return complete(
        respondent,
        asked,
        known=known,
        max_tokens=limit,
        stop=[text for text in texts if isinstance(text, str)],
    )


def _echo(respondent: Respondent, known: KnownItems, body: Json, prompts: Sequence[str]) -> Json:
    generated = body.get("max_tokens", 1)
    if generated not in (0, 1):
        raise BadRequestError("with echo, max_tokens must be 0 or 1")
    try:
        echoes = [echoed(respondent, prompt, generated, known) for prompt in prompts]
    except NotImplementedError as error:
        raise BadRequestError(str(error)) from error
    choices = [
        {"index": index, "finish_reason": "length", **each} for index, each in enumerate(echoes)
    ]
    done = [Completion("", "max_tokens", count_tokens(prompt), generated) for prompt in prompts]
    return _openai_body("text_completion", body, choices, done)


def _prompts(given: object) -> list[str]:
    """Prompts as texts: one text or list of token ids, or a list of either."""
    if not isinstance(given, list) or (given and isinstance(given[0], int)):
        given = [given]
    return [_prompt(each) for each in given]


def _prompt(given: object) -> str:
    if isinstance(given, str):
        return given
    if not isinstance(given, list):
        raise BadRequestError("prompt must be a text, token ids, or a list of either")
    return _decoded(given, "prompt: ")


def _decoded(ids: list[object], where: str) -> str:
    try:
        return tokens.decode(ids)
    except ValueError as error:
        raise BadRequestError(f"{where}{error}") from error


def _openai_body(kind: str, body: Json, choices: list[Json], done: Sequence[Completion]) -> Json:
    prompt_tokens = sum(each.input_tokens for each in done)
    completion_tokens = sum(each.output_tokens for each in done)
    return {
        "id": "simulated",
        "object": kind,
        "created": int(time.time()),
        "model": body.get("model"),
        "choices": choices,
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }


def _finish_reason(done: Completion) -> str:
    return "stop" if done.stop_reason == "stop" else "length"


def _refuse_unsupported(body: Json) -> None:
    if body.get("stream"):
        raise BadRequestError("stream is not supported: ask without it")
    if body.get("n") not in (None, 1):
        raise BadRequestError("n is not supported: each answer is the same anyway")
    if body.get("logprobs") or body.get("echo"):
        raise BadRequestError("logprobs and echo are for /v1/completions, and only together")


def _messages(body: Json) -> list[Message]:
    rows = body.get("messages")
    if not isinstance(rows, list) or not rows:
        raise BadRequestError("messages must be a list of messages")
    if not all(isinstance(row, dict) and isinstance(row.get("role"), str) for row in rows):
        raise BadRequestError("each message needs a role and a content")
    return [Message(row["role"], _text(row.get("content"))) for row in rows]


def _text(content: object) -> str:
    """A message's content as text; parts that are no text are refused."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadRequestError("a content must be a text or a list of parts")
    parts = [part.get("text") if isinstance(part, dict) else None for part in content]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) < len(parts):
        raise BadRequestError("only text parts are supported")
    return "".join(texts)
