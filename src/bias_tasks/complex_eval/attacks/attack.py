"""`attack`: the attacked response of an item, made by rule.

An attack rewrites one response so that it looks better beside the auxiliary information, and no
better without it. The attackers here are rules: they exist so that everything runs offline and so
that what they did is known. `check_attack` holds their outputs and a model's to the same limits.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from bias_tasks.complex_eval.attacks.basic import attack_basic
from bias_tasks.complex_eval.attacks.creative_writing import attack_creative_writing
from bias_tasks.complex_eval.attacks.math import attack_math
from bias_tasks.complex_eval.attacks.request import Request
from bias_tasks.complex_eval.attacks.role_playing import attack_role_playing
from bias_tasks.complex_eval.items import JudgedItem, JudgedKind, attacked_response, check_name
from bias_tasks.names import content_hash


def attack(item: JudgedItem, name: str, *, strength: float = 1.0, seed: int = 0) -> str:
    """The item's rejected (basic) or original response, attacked.

    What a rule can do of the paper's attacks (appendix A.3) so that it reads as an editor's work:
    headings, transitions, terms, register and gestures of the reference (`reference`, `format`),
    its methods, or sentences of its own (`solution_fixation`), traits of a profile
    (`stereotype_amplification`), remarks, asides and pauses that say nothing (`rubric`,
    `criteria_loophole`), and words that claim one criterion (`rubric`, `criteria_entanglement`).

    Args:
        item: with the auxiliary information that the attack looks at.
        name: what to attack toward (`ATTACKS`) or with (`BIASES`).
        strength: share of the allowed changes that is used, over 0 to 1; at least one change.
        seed: decides where phrases go, and which.

    Raises:
        AttackError: the item has no such auxiliary information, or the response no room.
        ValueError: the family has no attack of this name, or the strength is out of range.
    """
    check_name(item, name)
    if not 0 < strength <= 1:
        raise ValueError(f"strength must be over 0 and at most 1, not {strength}")
    request = Request(
        item=item,
        name=name,
        response=item.responses[attacked_response(item)],
        strength=strength,
        rng=random.Random(content_hash(seed, item.id, name)),
    )
    return _ATTACKERS[item.family](request)


_ATTACKERS: Mapping[JudgedKind, Callable[[Request], str]] = {
    "basic": attack_basic,
    "math": attack_math,
    "role_playing": attack_role_playing,
    "creative_writing": attack_creative_writing,
}
