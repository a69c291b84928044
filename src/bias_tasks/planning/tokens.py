"""How many tokens a text has, without a tokenizer: those of real models are downloads.

Each kind of piece is counted, and costs what it does on average in OpenAI's `o200k_base`, fitted to
the prompts of the tasks; docs/plan.md says how near that comes. Letters beyond Latin are counted by
script, on texts in ten languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Counter = Callable[[str], float]
"""Tokens of a text."""
MESSAGE = 5
"""Tokens that a chat template adds to a message."""
_SIMULATED = "simulated/"
_WORD = re.compile(r"[A-Za-z]+")
_PIECES: tuple[tuple[re.Pattern[str], float], ...] = (
    (_WORD, 0.905),
    (re.compile(r"[0-9]{1,3}"), 1.81),
    (re.compile(r"[!-/:-@\[-`{-~]"), 0.64),
    (re.compile(r"\n+"), 1.65),
    (re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"), 0.85),  # Chinese, Japanese, Korean
    (re.compile(r"[\u0400-\u052f]"), 0.31),  # Cyrillic
    (re.compile(r"[\u0080-\u03ff\u0530-\u2e7f\ua000-\uabff\ud7b0-\uf8ff\ufb00-\U0010ffff]"), 0.45),
)
_NAME, _IN_VOCABULARY = 0.264, 3
"""What each letter of a capitalised word costs behind so many: names are rarely a token."""


def estimated(text: str) -> float:
    """About how many tokens a text has."""
    found = sum(cost * len(pattern.findall(text)) for pattern, cost in _PIECES)
    names = (word for word in _WORD.findall(text) if word[0].isupper())
    return found + _NAME * sum(max(0, len(word) - _IN_VOCABULARY) for word in names)


def counter_of(model: str | None) -> tuple[Counter, float]:
    """How a model's tokens are counted, and how many a message has beside its text.

    A simulated model counts its own; of no other can it be known without a network.
    """
    if model is not None and model.startswith(_SIMULATED):
        from bias_tasks.simulated.draws import count_tokens

        return count_tokens, 0
    return estimated, MESSAGE
