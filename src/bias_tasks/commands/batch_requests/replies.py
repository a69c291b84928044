"""Parses a model's reply to the request for one text, strictly.

Replies are hostile: their size is bounded, and nothing is evaluated. If a reply has more than the
text, it is refused with the reason and requested again, instead of guessing which part is meant.
"""

import json
import re

from bias_tasks.commands.batch_requests.runner import MAX_CHARACTERS, UnusableReplyError
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import format_dialogue, format_steps, read_dialogue
from bias_tasks.parsing.answer import parse_answer
from bias_tasks.parsing.json_values import find_objects

MAX_QUESTION_CHARACTERS = 2000
"""Characters of the longest question."""
_MAX_OBJECTION_CHARACTERS = 300
_NUMBER = re.compile(r"Step \d{1,9}: ?")  # the prompt shows steps with their numbers
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
_BACKSLASH = re.compile(
    r'(\\["\\/]|\\u[0-9A-Fa-f]{4}|\\[nt](?![a-z])|\\r(?=\\n)'
    r"|\\n(?!(?:eq?|u|eg|abla|ot|otin|mid|[gl]eq|i|earrow|ewline|olimits|parallel)(?![a-z])))|\\"
)
"""An escape of JSON, or any other backslash. LaTeX's `\\neq` and `\\times` are not escapes."""


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
        UnusableReplyError: The text is empty, too long, in several parts or lines, or has control
            characters.
    """
    if len(reply) > max_characters:
        raise UnusableReplyError(f"it has more than {max_characters:,} characters")
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
            raise UnusableReplyError("it has several lines")
        text = " ".join(text.split())
    if before and _SEPARATOR.search(text) and not _SEPARATOR.search(before):
        raise UnusableReplyError("it is in several parts; reply with the text alone")
    return _check_text(text)


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


def parse_objection(_: object, reply: str) -> str:
    """Return what a checker objects to a text.

    Args:
        _: Id of the request, which is not used.
        reply: The checker's reply.

    Returns:
        An empty text for Yes, the beginning of the reply for No.

    Raises:
        UnusableReplyError: The reply is neither Yes nor No.
    """
    label = parse_answer(reply, form="yes_no").label
    if label is None:
        raise UnusableReplyError("it does not say Yes or No")
    return "" if label == "Yes" else excerpt_reply(reply)[:_MAX_OBJECTION_CHARACTERS]


def parse_attacked(reply: str, item: JudgedItem, before: str) -> str:
    """Return the attacked response in the form of the unattacked one.

    For math, the reply is an object with the texts `steps`. For role playing, it is a list of
    {role, content}, or an object that contains one. Either is the only JSON in the reply, which may
    have words and a fence around it. For other families, the reply is the text.

    Args:
        reply: The reply.
        item: The item whose response is attacked.
        before: The unattacked response.

    Raises:
        UnusableReplyError: The reply does not have this form.
    """
    if item.family in ("basic", "creative_writing"):
        return parse_text(reply, before)
    if len(reply) > MAX_CHARACTERS:
        raise UnusableReplyError(f"it has more than {MAX_CHARACTERS:,} characters")
    if item.family == "math":
        reply = _BACKSLASH.sub(lambda mark: mark[1] or r"\\", reply)
    objects = find_objects(reply)
    if len(objects) != 1:
        problem = "no object or list of objects" if not objects else "several objects"
        raise UnusableReplyError(f"it is not valid JSON ({problem})")
    [value] = objects
    if item.family == "math":
        steps = value.get("steps") if isinstance(value, dict) else None
        if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
            raise UnusableReplyError('it is not {"steps": [...]} with texts')
        return format_steps(_check_text(_NUMBER.sub("", step, count=1).strip()) for step in steps)
    if isinstance(value, dict) and len(value) == 1:  # the paper's prompt requests an object
        (value,) = value.values()
    try:
        turns = read_dialogue(json.dumps(value))
    except (ValueError, RecursionError) as error:
        raise UnusableReplyError(str(error)[:200]) from error
    for turn in turns:
        _check_text(turn.role + turn.content)
    return format_dialogue(turns)


def _check_text(text: str) -> str:
    if not text.strip():
        raise UnusableReplyError("it is empty")
    if _CONTROL.search(text.replace("\r\n", "\n")):
        raise UnusableReplyError("it has control characters")
    return text
