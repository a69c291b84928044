"""Rewords a yes/no question whose shape is known."""

from __future__ import annotations

from bias_tasks.items.binary_qa import REFORMULATIONS, Reformulation, Reformulations


def reformulate(question: str, kind: Reformulation) -> str | None:
    """`question` reworded, or None where its shape is not known for certain."""
    return None


def reformulate_all(question: str) -> Reformulations:
    """All four rewordings of `question`; None where the grammar has none."""
    return Reformulations(**{kind: reformulate(question, kind) for kind in REFORMULATIONS})
