"""Parses the attacked response in a model's reply, strictly."""

import json
import re

from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import format_dialogue, format_steps, read_dialogue
from bias_tasks.parsing.json_values import find_objects
from bias_tasks.parsing.written_text import (
    MAX_CHARACTERS,
    InvalidReplyError,
    check_text,
    parse_text,
)

_STEP_NUMBER = re.compile(r"Step \d{1,9}: ?")  # the prompt shows steps with their numbers
_BACKSLASH = re.compile(
    r'(\\["\\/]|\\u[0-9A-Fa-f]{4}|\\[nt](?![a-z])|\\r(?=\\n)'
    r"|\\n(?!(?:eq?|u|eg|abla|ot|otin|mid|[gl]eq|i|earrow|ewline|olimits|parallel)(?![a-z])))|\\"
)
"""An escape of JSON, or any other backslash. LaTeX's `\\neq` and `\\times` are not escapes."""


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
        InvalidReplyError: The reply does not have this form.
    """
    if item.family in ("basic", "creative_writing"):
        return parse_text(reply, before)
    if len(reply) > MAX_CHARACTERS:
        raise InvalidReplyError(f"it has more than {MAX_CHARACTERS:,} characters")
    if item.family == "math":
        reply = _BACKSLASH.sub(lambda mark: mark[1] or r"\\", reply)
    objects = find_objects(reply)
    if len(objects) != 1:
        problem = "no object or list of objects" if not objects else "several objects"
        raise InvalidReplyError(f"it is not valid JSON ({problem})")
    [value] = objects
    if item.family == "math":
        steps = value.get("steps") if isinstance(value, dict) else None
        if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
            raise InvalidReplyError('it is not {"steps": [...]} with texts')
        return format_steps(
            check_text(_STEP_NUMBER.sub("", step, count=1).strip()) for step in steps
        )
    if isinstance(value, dict) and len(value) == 1:  # the paper's prompt requests an object
        (value,) = value.values()
    try:
        turns = read_dialogue(json.dumps(value))
    except (ValueError, RecursionError) as error:
        raise InvalidReplyError(str(error)[:200]) from error
    for turn in turns:
        check_text(turn.role + turn.content)
    return format_dialogue(turns)
