"""One attack, by a rule or by a model, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from bias_tasks.commands.attack.reading import read_attacked, read_text
from bias_tasks.commands.attack.replies import Source
from bias_tasks.commands.attack.roles import take
from bias_tasks.commands.model_calls.attempts import UnusableReplyError
from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.attacks.request import AttackError
from bias_tasks.complex_eval.items import JudgedItem, attacked_response
from bias_tasks.complex_eval.prompts.attacks import (
    MissingAuxiliaryError,
    attack_request,
    extraction_request,
)

if TYPE_CHECKING:
    from inspect_ai.model import Model


@dataclass(frozen=True, slots=True)
class Outcome:
    """An attacked response, or why there is none."""

    by: Literal["rule", "model"]
    text: str | None
    """The attacked response, None where it was rejected."""
    rejected: str | None = None
    """Why it was rejected."""
    steps: tuple[dict[str, Any], ...] = ()
    """What a model was asked, and what it replied."""

    def after_check(self, rejected: str | None, step: dict[str, Any]) -> Outcome:
        """The outcome once a checker was asked: what it said is one more step."""
        text = self.text if rejected is None else None
        return replace(self, text=text, rejected=rejected, steps=(*self.steps, step))

    def record(self) -> dict[str, Any]:
        """How the attack was made, as plain JSON values, for the provenance."""
        return {"by": self.by, "rejected": self.rejected, "steps": list(self.steps)}


def attack_by_rule(item: JudgedItem, name: str, seed: int) -> Outcome:
    """The attack that a rule makes, checked as a model's is.

    Item, name and seed are as `attack` takes them.
    """
    try:
        text = attack(item, name, seed=seed)
    except AttackError as error:
        return Outcome("rule", None, rejected=str(error))
    reason = check_attack(item, name, text)
    return Outcome("rule", text if reason is None else None, rejected=reason)


async def attack_by_model(model: Model, replies: Source, item: JudgedItem, name: str) -> Outcome:
    """The attack that a model makes: extraction, then camouflage (appendix A.3).

    Where three replies are refused it is rejected.

    Item and name are as `attack` takes them; `replies` holds what was asked before.
    """
    steps: list[dict[str, Any]] = []
    features = None
    try:
        extraction = extraction_request(item, name)
        if extraction is not None:
            step = await take("attacker", model, replies, extraction, read_text)
            steps.append(step.record())
            if step.text is None:
                return _rejected(f"extraction: {step.refused}", steps)
            features = step.text
        request = attack_request(item, name, features)
    except MissingAuxiliaryError as error:
        return _rejected(str(error), steps)

    def read(reply: str) -> str:
        return _valid(reply, item, name)

    step = await take("attacker", model, replies, request, read)
    steps.append(step.record())
    if step.text is None:
        return _rejected(step.refused, steps)
    return Outcome("model", step.text, steps=tuple(steps))


def _valid(reply: str, item: JudgedItem, name: str) -> str:
    text = read_attacked(reply, item, item.responses[attacked_response(item)])
    reason = check_attack(item, name, text)
    if reason is not None:
        raise UnusableReplyError(reason)
    return text


def _rejected(reason: str, steps: list[dict[str, Any]]) -> Outcome:
    return Outcome("model", None, rejected=reason, steps=tuple(steps))
