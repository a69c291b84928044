"""What a model replied to the request for an attack, a reference or a rubric, read strictly.

Replies are hostile: their size is bounded, and nothing is evaluated. Thoughts and what a model says
around the text it was asked for are left out; what else a longer reply means is not guessed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from bias_tasks.commands.attack.json_replies import json_in
from bias_tasks.commands.attack.replies import MOST_CHARACTERS
from bias_tasks.commands.attack.wrapping import unwrapped
from bias_tasks.commands.model_calls.attempts import UnusableReplyError
from bias_tasks.complex_eval.attacks.layout import Turn, dialogue_text, read_dialogue, steps_text
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.data.files import parsed_json
from bias_tasks.reading.reasoning import without_reasoning

_NUMBER = re.compile(r"Step \d{1,9}: ?")  # the steps are shown with their numbers


def read_text(reply: str, before: str = "") -> str:
    """The text that the reply consists of, without thoughts, a lead, notes and a fence around it.

    What the text that it rewrites, `before`, has of these itself is no wrapping.

    Raises:
        UnusableReplyError: it is empty, too long, or holds control characters.
    """
    return _checked(unwrapped(without_reasoning(_bounded(reply)), before))


def read_attacked(reply: str, item: JudgedItem, before: str) -> str:
    """The attacked response, written as the unattacked one is.

    Math: an object with the texts `steps`. Role playing: a list of {role, content}, or an object
    around it. The other families: the text itself.

    Raises:
        UnusableReplyError: the reply is not of that form.
    """
    if item.family in ("basic", "creative_writing"):
        return read_text(reply, before)
    value = _json(json_in(without_reasoning(_bounded(reply))))
    return steps_text(_steps(value)) if item.family == "math" else dialogue_text(_turns(value))


def _bounded(reply: str) -> str:
    if len(reply) > MOST_CHARACTERS:
        raise UnusableReplyError(f"it has more than {MOST_CHARACTERS:,} characters")
    return reply


def _checked(text: str) -> str:
    if not text:
        raise UnusableReplyError("it is empty")
    if any(unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t\r" for char in text):
        raise UnusableReplyError("it holds control characters")
    return text


def _json(text: str) -> Any:
    try:
        return parsed_json(text)
    except ValueError as error:
        raise UnusableReplyError(f"it is not valid JSON ({str(error)[:80]})") from error


def _steps(value: Any) -> list[str]:
    steps = value.get("steps") if isinstance(value, dict) else None
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise UnusableReplyError('it is not {"steps": [...]} with texts')
    return [_checked(_NUMBER.sub("", step, count=1).strip()) for step in steps]


def _turns(value: Any) -> list[Turn]:
    if isinstance(value, dict) and len(value) == 1:  # the paper asks for a JSON object
        (value,) = value.values()
    try:
        turns = read_dialogue(json.dumps(value))
    except (ValueError, RecursionError) as error:
        raise UnusableReplyError(str(error)[:200]) from error
    for turn in turns:
        _checked(turn.role + turn.content)
    return turns
