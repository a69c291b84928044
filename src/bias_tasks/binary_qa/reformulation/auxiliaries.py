"""Verbs that open yes/no questions."""

from __future__ import annotations

from bias_tasks.binary_qa.reformulation.lexicon import lexicon

BE = frozenset({"is", "are", "was", "were"})
DO = frozenset({"do", "does", "did"})
HAVE = frozenset({"has", "have", "had"})
SINGULAR = frozenset({"is", "was", "does", "has"})
PLURAL = frozenset({"are", "were", "do"})
FINITE = BE | {"am", "does", "did", "has"}
"""Forms that no other verb stands before (modals aside)."""


def is_auxiliary(word: str) -> bool:
    """Whether a lower-case word can open a yes/no question."""
    return word in BE | DO | HAVE or word in lexicon().modals
