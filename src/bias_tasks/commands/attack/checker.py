"""What a model says of an attack that passed the mechanical checks: does it say what it said?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bias_tasks.commands.attack.json_replies import json_in
from bias_tasks.commands.attack.replies import Source
from bias_tasks.commands.attack.roles import Step, take
from bias_tasks.commands.model_calls.attempts import UnusableReplyError
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.prompts.attacks import check_request
from bias_tasks.data.files import parsed_json
from bias_tasks.reading.reasoning import without_reasoning

if TYPE_CHECKING:
    from inspect_ai.model import Model

_KEPT = ""
_LONGEST = 300
"""Characters of a reason that are told."""


async def checked(
    model: Model, replies: Source, item: JudgedItem, attacked: str
) -> tuple[str | None, Step]:
    """Why the checker rejects the attacked response, None where it does not; and what it said.

    An attack on which it gives no verdict in three replies is rejected: nobody vouches for it.
    """
    step = await take("checker", model, replies, check_request(item, attacked), _verdict)
    if step.text is None:
        return f"the checker gave no verdict: {step.refused}", step
    return (f"the checker rejected it: {step.text}" if step.text != _KEPT else None), step


def _verdict(reply: str) -> str:
    """The reason of a rejection, empty for an attack that is kept.

    Raises:
        UnusableReplyError: it is no object with a `kept` that is true or false, and a `reason`.
    """
    try:
        value = parsed_json(json_in(without_reasoning(reply)))
    except ValueError as error:
        raise UnusableReplyError(f"it is not valid JSON ({str(error)[:80]})") from error
    kept = value.get("kept") if isinstance(value, dict) else None
    reason = value.get("reason", "") if isinstance(value, dict) else None
    if not isinstance(kept, bool) or not isinstance(reason, str):
        raise UnusableReplyError('it is not {"kept": true or false, "reason": "..."}')
    return _KEPT if kept else " ".join(reason.split())[:_LONGEST] or "no reason given"
