"""Parses a model's reply to the request for one text, strictly.

Replies are hostile: their size is bounded, and nothing is evaluated. If a reply has more than the
text, it is refused with the reason and requested again, instead of guessing which part is meant.
"""

import re

from bias_tasks.parsing.answer import parse_answer

MAX_CHARACTERS = 200_000
"""Characters of the longest reply."""
MAX_QUESTION_CHARACTERS = 2000
"""Characters of the longest question."""
_MAX_OBJECTION_CHARACTERS = 300
_FENCE = "```"
_LABEL = re.compile(
    r"(?:(?:(?:reworded|yes/no) )?(?:question|text)|translation):"
    r"|[^\n]{1,120}:[*_ ]{0,3}\n(?=\s*\n|```)",
    re.IGNORECASE,
)
"""The last line of a request, or a line above a text that is set off by a blank line or a fence."""
_SEPARATOR = re.compile(r"^(?:```|-{3,}\s*$)", re.MULTILINE)
"""What separates a text from remarks on it: a fence, or a rule."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class InvalidReplyError(ValueError):
    """A reply is not what was requested; the message says why."""


def parse_text(
    reply: str,
    before: str = "",
    *,
    max_characters: int = MAX_CHARACTERS,
    one_line: bool = False,
) -> str:
    """Return the text that a reply consists of.

    A label above it and one fence or pair of quotation marks around it are removed, unless the text
    before has them too.

    Args:
        reply: The reply.
        before: The text that the reply rewrites. A reply with a fence or rule that this text does
            not have is refused, because remarks may follow it.
        max_characters: Characters of the longest text.
        one_line: Whether the text is one line, with single blanks.

    Raises:
        InvalidReplyError: The text is empty, too long, in several parts or lines, or has control
            characters.
    """
    if len(reply) > max_characters:
        raise InvalidReplyError(f"it has more than {max_characters:,} characters")
    text, original = reply.strip(), before.lstrip()
    label = _LABEL.match(text)
    if label is not None and not _LABEL.match(original):
        text = text[label.end() :].strip()
    text = _without_fence(text, original)
    for opening, closing in ('""', "“”"):
        inner = text[1:-1]
        is_quoted = text[:1] == opening and text[-1:] == closing
        if is_quoted and not original.startswith(opening) and not {opening, closing} & {*inner}:
            text = inner.strip()
    if one_line:
        if len(text.splitlines()) > 1:
            raise InvalidReplyError("it has several lines")
        text = " ".join(text.split())
    if before and _SEPARATOR.search(text) and not _SEPARATOR.search(before):
        raise InvalidReplyError("it is in several parts; reply with the text alone")
    return check_text(text)


def _without_fence(text: str, original: str) -> str:
    first, _, inner = text.partition("\n")
    is_fenced = first.startswith(_FENCE) and text.endswith(_FENCE)
    if not is_fenced or original.startswith(_FENCE):
        return text
    inner = inner.removesuffix(_FENCE)
    return inner.strip() if inner.count(_FENCE) % 2 == 0 else text


def excerpt_reply(reply: str) -> str:
    """Return the beginning of a reply on one line, in a form that can be stored."""
    start = reply[:MAX_QUESTION_CHARACTERS]
    return " ".join("".join(c if c.isprintable() else " " for c in start).split())


def parse_objection(reply: str) -> str:
    """Return what a checker objects to a text.

    Args:
        reply: The checker's reply.

    Returns:
        An empty text for Yes, the beginning of the reply for No.

    Raises:
        InvalidReplyError: The reply is neither Yes nor No.
    """
    label = parse_answer(reply, form="yes_no").label
    if label is None:
        raise InvalidReplyError("it does not say Yes or No")
    return "" if label == "Yes" else excerpt_reply(reply)[:_MAX_OBJECTION_CHARACTERS]


def check_text(text: str) -> str:
    """Return a text of a reply.

    Raises:
        InvalidReplyError: It is empty, or has control characters.
    """
    if not text.strip():
        raise InvalidReplyError("it is empty")
    if _CONTROL.search(text.replace("\r\n", "\n")):
        raise InvalidReplyError("it has control characters")
    return text
