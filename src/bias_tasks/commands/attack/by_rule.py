"""Attacks that need no model."""

from __future__ import annotations

from bias_tasks.commands.attack.outcome import Outcome
from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.attacks.request import AttackError
from bias_tasks.complex_eval.items import JudgedItem


def attack_by_rule(item: JudgedItem, name: str, seed: int) -> Outcome:
    """The attack that a rule makes, checked as a model's is.

    Args:
        item: with the auxiliary information that the attack looks at.
        name: what to attack toward (`ATTACKS`) or with (`BIASES`).
        seed: decides where phrases go, and which.
    """
    try:
        text = attack(item, name, seed=seed)
    except AttackError as error:
        return Outcome("rule", None, rejected=str(error))
    reason = check_attack(item, name, text)
    return Outcome("rule", text if reason is None else None, rejected=reason)
