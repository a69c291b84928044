"""How many training rows each format gets to level them out (FormatEval, section 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping


def finetune_shares(sys_by_format: Mapping[str, float], floor: float = 0.1) -> dict[str, float]:
    """The share of each format in the training rows: in inverse proportion to its Sys.

    Args:
        sys_by_format: `sys` of each format, from 0 to 1. The paper rounds their ratios to 2, 4 or
            5; here they are not rounded.
        floor: a Sys below it counts as this much. Without one, a format that the model can't do at
            all would take every row; with 0.1 it takes ten times those of a format done perfectly.

    Returns:
        Shares that sum to 1, in the order given.

    Raises:
        ValueError: there is no format, a Sys is not between 0 and 1 (nan: nothing was measured),
            or `floor` is not above 0 and at most 1.
    """
    if not sys_by_format:
        raise ValueError("no format: give the sys of at least one")
    if not 0 < floor <= 1:
        raise ValueError(f"floor is {floor}: it must be above 0 and at most 1")
    for name, value in sys_by_format.items():
        if not 0 <= value <= 1:
            raise ValueError(f"sys of {name!r} is {value}: it must be between 0 and 1")
    inverse = {name: 1 / max(value, floor) for name, value in sys_by_format.items()}
    total = sum(inverse.values())
    return {name: value / total for name, value in inverse.items()}


def counts(shares: Mapping[str, float], total: int) -> dict[str, int]:
    """Whole numbers in proportion to the shares that sum to `total`, by largest remainder.

    Args:
        shares: not negative, and not all 0; of equal remainders the first gets the row.
        total: rows in all, at least 0.

    Raises:
        ValueError: a share or `total` is not what it can be.
    """
    if total < 0:
        raise ValueError(f"total is {total}: it must be at least 0")
    whole = math.fsum(shares.values())
    if not (math.isfinite(whole) and whole > 0 and min(shares.values()) >= 0):
        raise ValueError("shares must be numbers of at least 0, and not all 0")
    exact = {name: share / whole * total for name, share in shares.items()}
    rows = {name: math.floor(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: rows[name] - exact[name])
    for name in by_remainder[: total - sum(rows.values())]:
        rows[name] += 1
    return rows
