"""How patterns of phrases are put together."""

from __future__ import annotations


def one_of(words: str) -> str:
    """A pattern for one of several words or patterns; `_` stands for a blank within one."""
    return f"(?:{'|'.join(word.replace('_', ' ') for word in words.split())})"
