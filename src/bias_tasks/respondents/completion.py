"""One completion as an endpoint gives it: messages in; text, stop reason and token counts out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.persona import Respondent

CHARACTERS_PER_TOKEN = 4
NOTHING = KnownItems()
"""What a respondent knows that was told nothing."""


class Message(NamedTuple):
    """One message of a conversation: `role` is "system", "user" or "assistant"."""

    role: str
    text: str


class Completion(NamedTuple):
    """An answer with what an endpoint says about it."""

    text: str
    stop_reason: Literal["stop", "max_tokens"]
    input_tokens: int
    output_tokens: int


def complete(
    respondent: Respondent,
    messages: Iterable[Message],
    *,
    known: KnownItems = NOTHING,
    max_tokens: int | None = None,
    stop: Sequence[str] = (),
) -> Completion:
    """What a respondent answers to messages.

    Tokens are estimated at four characters each, so that no tokenizer is needed.

    Args:
        respondent: who answers.
        messages: the conversation; the respondent reads what is not its own.
        known: the items that the question may be about.
        max_tokens: cuts the answer.
        stop: the answer ends before the first of these texts.
    """
    messages = list(messages)
    text = respondent.respond(prompt_of(messages), known)
    for marker in stop:
        if marker:
            text = text.partition(marker)[0]
    room = len(text) if max_tokens is None else max_tokens * CHARACTERS_PER_TOKEN
    cut = len(text) > room
    text = text[:room]
    return Completion(
        text=text,
        stop_reason="max_tokens" if cut else "stop",
        input_tokens=sum(count_tokens(message.text) for message in messages),
        output_tokens=count_tokens(text),
    )


def prompt_of(messages: Iterable[Message]) -> str:
    """What a respondent reads of a conversation: all that is not its own."""
    return "\n\n".join(message.text for message in messages if message.role != "assistant")


def count_tokens(text: str) -> int:
    """Estimated tokens of a text, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
