"""Whether a question's answers stay what they were: PRC, NRC, ARC and SC (paper, section 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bias_tasks.binary_qa.items import NEGATIVE
from bias_tasks.binary_qa.metrics.table import MISSING, UNREAD, Table, Values
from bias_tasks.names import PaperProtocol

COMPARED: Mapping[str, tuple[str, ...]] = {
    "prc": ("synonym", "polite"),
    "nrc": ("contradictory", "false"),
    "arc": ("reversed",),
    "sc": ("repeat_2", "repeat_3"),
}
"""Variants whose answers are compared with the original's; all of them must agree with it."""


def consistency(table: Table, name: str, protocol: PaperProtocol) -> Values:
    """Whether all answers compared agree with the original's (equations 1, 3); see `agreement`."""
    return agreement(table, COMPARED[name], protocol)


def agreement(table: Table, variants: Sequence[str], protocol: PaperProtocol) -> Values:
    """Whether the answers under all `variants` agree with the original's of the same epoch.

    To agree is to be the same answer, under a negative reformulation the opposite one. An epoch
    counts only where all of its answers are there. An unread answer agrees with nothing; under the
    published protocol it is a third answer like the other two.
    """
    original = table.answer("original")
    known = original != MISSING
    agrees = np.ones(original.size, dtype=bool)
    for variant in variants:
        answer = table.answer(variant)
        known &= answer != MISSING
        agrees &= (answer != original) if variant in NEGATIVE else (answer == original)
        if protocol == "corrected":
            agrees &= (answer != UNREAD) & (original != UNREAD)
    return table.values(agrees, known)
