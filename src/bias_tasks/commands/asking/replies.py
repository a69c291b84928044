"""What a model replied to the request for one text, read strictly.

Replies are hostile: their size is bounded, and nothing is evaluated. What a longer reply means by
which part is not guessed: it is refused, and asked for again with the reason.
"""

import json
import re

from bias_tasks.commands.asking.ask import MOST_CHARACTERS, UnusableReplyError
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import dialogue_text, read_dialogue, steps_text
from bias_tasks.parsing.answer import parse_answer
from bias_tasks.parsing.json_values import find_objects

MOST_OF_A_QUESTION = 2000
"""Characters: no question is longer."""
_MOST_OF_AN_OBJECTION = 300
_NUMBER = re.compile(r"Step \d{1,9}: ?")  # the steps are shown with their numbers
_FENCE = "```"
_LABEL = re.compile(
    r"(?:(?:(?:reworded|yes/no) )?(?:question|text)|translation):"
    r"|[^\n]{1,120}:[*_ ]{0,3}\n(?=\s*\n|```)",
    re.IGNORECASE,
)
"""The last line of a request, or a line above a text with a blank line or a fence below it."""
_BESIDE = re.compile(r"^(?:```|-{3,}\s*$)", re.MULTILINE)
"""What stands between a text and what is said of it: a fence, or a rule."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BACKSLASH = re.compile(
    r'(\\["\\/]|\\u[0-9A-Fa-f]{4}|\\[nt](?![a-z])|\\r(?=\\n)'
    r"|\\n(?!(?:eq?|u|eg|abla|ot|otin|mid|[gl]eq|i|earrow|ewline|olimits|parallel)(?![a-z])))|\\"
)
"""An escape of JSON, or any other backslash; `\\n` is none before `eq`, nor `\\t` before `imes`."""


def read_text(
    reply: str, before: str = "", *, most: int = MOST_CHARACTERS, one_line: bool = False
) -> str:
    """The text of at most `most` characters that the reply consists of, without a label above it
    and one fence or quotation marks around it; in `one_line` blanks are single.

    What the text `before`, which it rewrites, has of these itself stays; and it is refused where it
    holds a fence or a rule that this has not, since remarks may stand beside it. An
    UnusableReplyError where it is empty, too long, in several parts or lines, or holds control
    characters."""
    if len(reply) > most:
        raise UnusableReplyError(f"it has more than {most:,} characters")
    text, own = reply.strip(), before.lstrip()
    label = _LABEL.match(text)
    if label is not None and not _LABEL.match(own):
        text = text[label.end() :].strip()
    first, _, inner = text.partition("\n")
    if first.startswith(_FENCE) and text.endswith(_FENCE) and not own.startswith(_FENCE):
        inner = inner.removesuffix(_FENCE)
        text = inner.strip() if inner.count(_FENCE) % 2 == 0 else text
    for opening, closing in ('""', "“”"):
        inside = text[1:-1]
        around = text[:1] == opening and text[-1:] == closing and not own.startswith(opening)
        if around and not {opening, closing} & {*inside}:
            text = inside.strip()
    if one_line:
        if len(text.splitlines()) > 1:
            raise UnusableReplyError("it has several lines")
        text = " ".join(text.split())
    if before and _BESIDE.search(text) and not _BESIDE.search(before):
        raise UnusableReplyError("it is in several parts; reply with the text alone")
    return _checked(text)


def shown(reply: str) -> str:
    """The beginning of a reply on one line, fit to be stored."""
    start = reply[:MOST_OF_A_QUESTION]
    return " ".join("".join(c if c.isprintable() else " " for c in start).split())


def objection(_: object, reply: str) -> str:
    """What a checker objects: empty where it says Yes, the reply's beginning where it says No; an
    UnusableReplyError where it says neither."""
    label = parse_answer(reply, form="yes_no").label
    if label is None:
        raise UnusableReplyError("it does not say Yes or No")
    return "" if label == "Yes" else shown(reply)[:_MOST_OF_AN_OBJECTION]


def read_attacked(reply: str, item: JudgedItem, before: str) -> str:
    """The attacked response, written as the unattacked one is; an UnusableReplyError where the
    reply is not of its form.

    Math: an object with the texts `steps`. Role playing: a list of {role, content}, or an object
    around it. Both are the only JSON in a reply, which may have words and a fence around it. The
    other families: the text itself.
    """
    if item.family in ("basic", "creative_writing"):
        return read_text(reply, before)
    if len(reply) > MOST_CHARACTERS:
        raise UnusableReplyError(f"it has more than {MOST_CHARACTERS:,} characters")
    if item.family == "math":
        reply = _BACKSLASH.sub(lambda mark: mark[1] or r"\\", reply)
    found = find_objects(reply)
    if len(found) != 1:
        what = "no object or list of objects" if not found else "several objects"
        raise UnusableReplyError(f"it is not valid JSON ({what})")
    [value] = found
    if item.family == "math":
        steps = value.get("steps") if isinstance(value, dict) else None
        if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
            raise UnusableReplyError('it is not {"steps": [...]} with texts')
        return steps_text(_checked(_NUMBER.sub("", step, count=1).strip()) for step in steps)
    if isinstance(value, dict) and len(value) == 1:  # the paper asks for a JSON object
        (value,) = value.values()
    try:
        turns = read_dialogue(json.dumps(value))
    except (ValueError, RecursionError) as error:
        raise UnusableReplyError(str(error)[:200]) from error
    for turn in turns:
        _checked(turn.role + turn.content)
    return dialogue_text(turns)


def _checked(text: str) -> str:
    if not text.strip():
        raise UnusableReplyError("it is empty")
    if _CONTROL.search(text.replace("\r\n", "\n")):
        raise UnusableReplyError("it holds control characters")
    return text
