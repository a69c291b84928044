"""Reading as the published instrument reads, quirks included."""

from __future__ import annotations


def contains_symbol(text: str, symbol: str) -> bool:
    """Whether an option's letter or number occurs anywhere in the upper-cased answer."""
    return symbol.upper() in text.upper()
