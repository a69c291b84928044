"""Attacks on judges that need no model, and what every attack must have kept (ComplexEval).

An attack rewrites one response so that it looks better beside the auxiliary information, and no
better without it. The attackers here are rules: they exist so that everything runs offline and so
that what they did is known. `check_attack` holds their outputs and a model's to the same limits.
"""

from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.attacks.errors import AttackError
from bias_tasks.complex_eval.attacks.layout import (
    Turn,
    dialogue_text,
    profiles_text,
    read_dialogue,
    read_profiles,
    read_steps,
    steps_text,
)
from bias_tasks.complex_eval.attacks.names import attack_names, attacked_response

__all__ = [
    "AttackError",
    "Turn",
    "attack",
    "attack_names",
    "attacked_response",
    "check_attack",
    "dialogue_text",
    "profiles_text",
    "read_dialogue",
    "read_profiles",
    "read_steps",
    "steps_text",
]
