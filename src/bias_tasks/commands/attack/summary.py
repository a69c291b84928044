"""How many attacks are valid, and why the others were rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.commands.attack.run import AttackedItem
from bias_tasks.complex_eval.attacks.check import kind_of


def results(
    made: Sequence[AttackedItem], names: Sequence[str], failures: Sequence[str]
) -> dict[str, Any]:
    """What the manifest says of a run, as plain JSON values.

    Returns:
        items, failed (items during which a model failed), and for each attack: valid, rejected,
        rejection_rate (rejected over both; None without any), reasons, each with the number of its
        rejections, and lacking (items in the file that are not attacked so: run it again with that
        attack). A number in a reason is written N.
    """
    return {
        "items": len(made),
        "failed": len(failures),
        "attacks": {name: _of_attack(made, name) for name in names},
    }


def _of_attack(made: Sequence[AttackedItem], name: str) -> dict[str, Any]:
    outcomes = [one.outcomes[name] for one in made if name in one.outcomes]
    told = (outcome.rejected for outcome in outcomes)
    reasons = Counter(kind_of(reason) for reason in told if reason is not None)
    rejected = reasons.total()
    return {
        "valid": len(outcomes) - rejected,
        "rejected": rejected,
        "rejection_rate": rejected / len(outcomes) if outcomes else None,
        "reasons": dict(reasons.most_common()),
        "lacking": len(made) - len(outcomes),
    }


def show(attacks: Mapping[str, Mapping[str, Any]]) -> None:
    """Prints a table of the attacks and their rejections."""
    from rich.console import Console
    from rich.table import Table

    table = Table("attack", "valid", "rejected", "why")
    for name, counts in attacks.items():
        why = "\n".join(f"{n} x {reason}" for reason, n in counts["reasons"].items())
        if counts["lacking"]:
            why += f"\n{counts['lacking']} not made yet: run it again with --attacks {name}"
        table.add_row(name, str(counts["valid"]), str(counts["rejected"]), why)
    Console().print(table)
