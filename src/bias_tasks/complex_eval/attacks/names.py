"""Which attacks an item knows, and which of its responses they change."""

from __future__ import annotations

from bias_tasks.complex_eval.items import (
    ATTACKS,
    BIASES,
    ORIGINAL,
    REJECTED,
    JudgedItem,
    JudgedKind,
)


def attack_names(family: JudgedKind) -> tuple[str, ...]:
    """What a family's responses are attacked toward (basic), or with (the others)."""
    return ATTACKS if family == "basic" else BIASES[family]


def attacked_response(item: JudgedItem) -> str:
    """The name of the response that is attacked."""
    return REJECTED if item.family == "basic" else ORIGINAL


def check_name(item: JudgedItem, name: str) -> None:
    """Refuses what the item's family is not attacked with.

    Raises:
        ValueError: the family has no attack of this name.
    """
    known = attack_names(item.family)
    if name not in known:
        raise ValueError(f"{item.family} has no attack {name!r}; it has {', '.join(known)}")
