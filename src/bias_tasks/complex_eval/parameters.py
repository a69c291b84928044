"""What each task of ComplexEval has judged; its parameters stand in `tasks.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.parameters import declared

PARAMETERS = declared(__package__).parameters
JUDGED: Mapping[str, JudgedKind] = {
    "complexeval_basic": "basic",
    "complexeval_math": "math",
    "complexeval_role_playing": "role_playing",
    "complexeval_writing": "creative_writing",
}
"""What each task has judged; the attention limit has dialogues of its own."""
ATTENTION = "complexeval_attention_limit"
