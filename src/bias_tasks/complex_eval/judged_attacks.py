"""The attacked responses of a run: those of its data, or made by rule, and which are left out.

Attacks by rule are crude. The paper's data are attacked by rule only where that is asked for, and
whoever sees a figure of such attacks is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.check import check_attack, kind_of
from bias_tasks.complex_eval.attacks.request import AttackError
from bias_tasks.complex_eval.data.load import PAPER
from bias_tasks.complex_eval.items import JudgedItem, JudgedKind
from bias_tasks.data.errors import DataError
from bias_tasks.names import PaperProtocol

_RULE = "rule"


@dataclass(frozen=True, slots=True)
class AttackedResponses:
    """Valid attacked responses, and an account of the others."""

    texts: Mapping[tuple[str, str], str]
    """By item id and name of the attack."""
    provenance: Mapping[str, Any]
    """Plain JSON values: source `attacks`, `made` (`dataset` or `by rule`), `by` (how many valid
    ones whoever made them), and for each attack how many are `valid` and why how many were
    `left_out`; N stands for any number there."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said of figures in which attacks by rule stand."""
        made = self.provenance["by"].get(_RULE, 0)
        if not made:
            return ()
        return (
            f"{made} of {len(self.texts)} attacked responses are made by rule, which is crude: "
            "no figure of them is one of the paper's",
        )


def check_attackable(
    family: JudgedKind, data: str, attacks: str | None, names: Sequence[str]
) -> None:
    """Refuses to attack the paper's data by rule where nobody asked for that.

    `attacks` is the task's parameter, and `names` the attacks that the run compares.

    Raises:
        DataError: with what to do instead.
    """
    if data != PAPER or attacks == _RULE or not names:
        return
    without = ", or attack=none for the pairs as they are" if family == "basic" else ""
    raise DataError(
        f"data='paper' brings no attacked responses: make them by `bias-tasks attack {family} "
        f"--attacker MODEL --out attacked.jsonl` and give data=attacked.jsonl, or take crude ones "
        f"made by rule with attacks=rule{without}"
    )


def attacked_responses(
    items: Sequence[JudgedItem],
    names: Sequence[str],
    seed: int,
    protocol: PaperProtocol = "corrected",
) -> AttackedResponses:
    """The attacked response of each item under each name, as far as it is valid.

    Where any item brings attacked responses, only what the items bring is used; where none does,
    they are made by rule. Corrected, `check_attack` decides either way; published, as the paper
    did not check what its attacker made, every attack counts.

    `names` say what to attack toward, or with; `seed` is that of the attacks by rule.
    """
    by_rule = not any(item.attacked for item in items)
    texts: dict[tuple[str, str], str] = {}
    left_out: dict[str, Counter[str]] = {name: Counter() for name in names}
    for item in items:
        for name in names:
            text, why = _attacked(item, name, seed, by_rule)
            if text is not None and protocol == "corrected":
                why = check_attack(item, name, text) or ""
            if text is None or why:
                left_out[name][kind_of(why)] += 1
            else:
                texts[item.id, name] = text
    valid = Counter(name for _, name in texts)
    account = {
        name: {"valid": valid[name], "left_out": dict(reasons)}
        for name, reasons in left_out.items()
    }
    made = "by rule" if by_rule else "dataset"
    by = Counter(
        _maker(item, name, by_rule) for item in items for name in names if (item.id, name) in texts
    )
    found = {"source": "attacks", "made": made, "by": dict(sorted(by.items())), **account}
    return AttackedResponses(texts, found)


def _maker(item: JudgedItem, name: str, by_rule: bool) -> str:
    return _RULE if by_rule else item.attackers.get(name, "not said")


def _attacked(item: JudgedItem, name: str, seed: int, by_rule: bool) -> tuple[str | None, str]:
    """The attacked response, or None and why there is none."""
    if not by_rule:
        text = item.attacked.get(name)
        return text, "" if text is not None else "the dataset has no such attack of the item"
    try:
        return attack(item, name, seed=seed), ""
    except AttackError as error:
        return None, str(error)
