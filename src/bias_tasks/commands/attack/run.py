"""Attacks many items at once, by rule or by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bias_tasks.commands.attack.checker import checked
from bias_tasks.commands.attack.one_attack import Outcome, attack_by_model, attack_by_rule
from bias_tasks.commands.attack.replies import Replies
from bias_tasks.commands.attack.roles import Role, Step, Writers
from bias_tasks.commands.model_calls.workers import work
from bias_tasks.complex_eval.items import JudgedItem

if TYPE_CHECKING:
    from inspect_ai.model import Model


@dataclass(frozen=True, slots=True)
class AttackedItem:
    """An item, and what became of each attack on it."""

    item: JudgedItem
    """With what was written for it, and the valid attacks in `attacked`."""
    written: Mapping[str, Step]
    """How its `reference` and `rubric` were written, where models did."""
    outcomes: Mapping[str, Outcome]
    """By name of the attack."""

    def provenance(self) -> dict[str, Any]:
        """How everything was made, as plain JSON values."""
        return {
            **{name: step.record() for name, step in self.written.items()},
            "attacks": {name: outcome.record() for name, outcome in self.outcomes.items()},
        }


def attack_items(
    items: Sequence[JudgedItem],
    names: Sequence[str],
    models: Mapping[Role, Model],
    replies: Replies,
    *,
    seed: int,
    connections: int,
) -> tuple[list[AttackedItem], list[str]]:
    """Attacks every item in every way.

    `models` are by role; without an `attacker`, rules attack, and `seed` is theirs. A
    `checker` is asked about every attack that passed the mechanical checks. So many items
    as there are `connections` are under way at once.

    Returns:
        The items that were attacked, in their order, and one message for each item during which
        a model failed. What it replied until then is kept.

    Raises:
        DataError: a reply can't be written.
    """
    writers = Writers(models, replies, items)
    made: dict[str, AttackedItem] = {}

    async def one(item: JudgedItem, name: str) -> Outcome:
        if "attacker" in models:
            made = await attack_by_model(models["attacker"], replies, item, name)
        else:
            made = attack_by_rule(item, name, seed)
        if "checker" not in models or made.text is None:
            return made
        why, step = await checked(models["checker"], replies, item, made.text)
        return made.after_check(why, step.record())

    async def attacked(bare: JudgedItem) -> None:
        item, written = await writers.complete(bare)
        outcomes = {name: await one(item, name) for name in names}
        made[item.id] = AttackedItem(_with_attacked(item, outcomes), written, outcomes)

    failures = work("attacking", items, connections, attacked)
    return [made[item.id] for item in items if item.id in made], failures


def _with_attacked(item: JudgedItem, outcomes: Mapping[str, Outcome]) -> JudgedItem:
    """The item with the valid attacks; those that it had already are replaced, or stay."""
    kept = {name: text for name, text in item.attacked.items() if name not in outcomes}
    valid = {name: made.text for name, made in outcomes.items() if made.text is not None}
    return replace(item, attacked={**kept, **valid})
