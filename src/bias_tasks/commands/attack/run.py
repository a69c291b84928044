"""Attacks many items at once, by rule or by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bias_tasks.commands.attack.checker import checked
from bias_tasks.commands.attack.one_attack import Outcome, attack_by_model, attack_by_rule
from bias_tasks.commands.attack.replies import NotKeptError, Replies, Source
from bias_tasks.commands.attack.roles import Role, Step, Writers
from bias_tasks.commands.model_calls.model import ModelFailedError
from bias_tasks.commands.model_calls.workers import work
from bias_tasks.complex_eval.items import JudgedItem, attack_names

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
    earlier: Sequence[str] = (),
) -> tuple[list[AttackedItem], list[str]]:
    """Attacks every item in every way.

    `models` are by role; without an `attacker`, rules attack, and `seed` is theirs. A
    `checker` is asked about every attack that passed the mechanical checks. So many items
    as there are `connections` are under way at once.

    Attacks of `earlier` runs are made of the replies that are kept, and where one is not, not at
    all: nothing is asked for them.

    Returns:
        The items that were attacked, in their order, and one message for each item during which
        a model failed. What it replied until then is kept.

    Raises:
        DataError: a reply can't be written.
    """
    asking = _Maker(models, replies, items, seed)
    kept = _Maker(models, replies.kept, items, seed)
    made: dict[str, AttackedItem] = {}

    async def attacked(bare: JudgedItem) -> None:
        before = await _kept_of(kept, bare, earlier)
        try:
            item, written = await asking.written(bare)
            outcomes = {name: await asking.outcome(item, name) for name in names}
        except ModelFailedError:
            if before is not None:
                made[bare.id] = before
            raise
        if before is not None:
            outcomes = {**before.outcomes, **outcomes}
        made[bare.id] = _attacked(item, written, outcomes)

    failures = work("attacking", items, connections, attacked)
    return [made[item.id] for item in items if item.id in made], failures


class _Maker:
    """Makes attacks of what one source of replies gives."""

    def __init__(
        self,
        models: Mapping[Role, Model],
        replies: Source,
        items: Sequence[JudgedItem],
        seed: int,
    ) -> None:
        self._models, self._replies, self._seed = models, replies, seed
        self.written = Writers(models, replies, items).complete

    async def outcome(self, item: JudgedItem, name: str) -> Outcome:
        """What becomes of one attack."""
        if "attacker" in self._models:
            made = await attack_by_model(self._models["attacker"], self._replies, item, name)
        else:
            made = attack_by_rule(item, name, self._seed)
        if "checker" not in self._models or made.text is None:
            return made
        why, step = await checked(self._models["checker"], self._replies, item, made.text)
        return made.after_check(why, step.record())


async def _kept_of(kept: _Maker, bare: JudgedItem, names: Sequence[str]) -> AttackedItem | None:
    """The attacks on an item that earlier runs made; None where there are none."""
    outcomes: dict[str, Outcome] = {}
    for name in names:
        with suppress(NotKeptError):
            item, written = await kept.written(bare)
            outcomes[name] = await kept.outcome(item, name)
    return _attacked(item, written, outcomes) if outcomes else None


def _attacked(
    item: JudgedItem, written: Mapping[str, Step], outcomes: Mapping[str, Outcome]
) -> AttackedItem:
    """The item with the valid attacks; those that it had already are replaced, or stay."""
    known = attack_names(item.family)
    ordered = {name: outcomes[name] for name in known if name in outcomes}
    kept = {name: text for name, text in item.attacked.items() if name not in ordered}
    valid = {name: made.text for name, made in ordered.items() if made.text is not None}
    return AttackedItem(replace(item, attacked={**kept, **valid}), written, ordered)
