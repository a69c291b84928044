"""How much may be added where the length must stay within 10 %."""

from __future__ import annotations

from collections.abc import Iterable

from bias_tasks.complex_eval.attacks.check import LENGTH_SHARE
from bias_tasks.complex_eval.attacks.errors import AttackError


def fitting(additions: Iterable[str], length: int, strength: float) -> list[str]:
    """The additions, in turn, for which there is room.

    Args:
        additions: as they are inserted, white space included.
        length: of the response, in characters.
        strength: share of the allowed growth that is used, over 0 to 1; the first addition that
            fits the allowance as a whole is used at any strength.

    Raises:
        AttackError: not even one fits.
    """
    allowed = int(LENGTH_SHARE * length)
    left = int(strength * allowed)
    chosen: list[str] = []
    for addition in additions:
        if len(addition) <= left or (not chosen and len(addition) <= allowed):
            chosen.append(addition)
            left -= len(addition)
    if not chosen:
        raise AttackError(f"a response of {length} characters may grow by {allowed}: no room")
    return chosen
