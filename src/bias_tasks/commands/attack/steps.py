"""One request to a role, and the record of what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from bias_tasks.commands.attack.replies import Replies
from bias_tasks.commands.model_calls.attempts import attempts
from bias_tasks.complex_eval.prompts.attacks import again_request

if TYPE_CHECKING:
    from inspect_ai.model import Model

Role = Literal["attacker", "reference_writer", "rubric_writer"]
ROLES: tuple[Role, ...] = ("attacker", "reference_writer", "rubric_writer")

_SHOWN_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Step:
    """What a role was asked for, and what it replied."""

    role: Role
    model: str
    prompt: str
    """The first attempt's; the later ones show the last reply and why it was refused."""
    replies: tuple[dict[str, str | None], ...]
    """Each with `output` and `refused`, the reason or None."""
    text: str | None
    """What was read; None where every reply was refused."""

    @property
    def refused(self) -> str:
        """Why the last reply was refused."""
        return str(self.replies[-1]["refused"])

    def record(self) -> dict[str, Any]:
        """The step as plain JSON values, for the provenance."""
        return {
            "role": self.role,
            "model": self.model,
            "prompt": self.prompt,
            "replies": list(self.replies),
        }


async def take(
    role: Role, model: Model, replies: Replies, request: str, read: Callable[[str], str]
) -> Step:
    """Asks a role, up to three times.

    `read` says what a reply holds, and raises UnusableReplyError where that can't be used.

    Raises:
        ModelFailedError: the model failed.
        DataError: a reply can't be written.
    """
    text, made = await attempts(
        request,
        lambda prompt, attempt: replies.ask(model, prompt, attempt),
        read,
        lambda reply, reason: again_request(request, reply[:_SHOWN_CHARACTERS], reason),
    )
    kept = tuple({"output": attempt.reply, "refused": attempt.refused} for attempt in made)
    return Step(role=role, model=str(model), prompt=request, replies=kept, text=text)
