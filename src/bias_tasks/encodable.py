"""Text that every file, hash and request can hold: without halves of surrogate pairs.

A model's answer comes as JSON, whose escapes can hold half a pair (`\\ud800`). Python keeps it in a
string that no encoding takes: writing or sending it fails, long after the answer was paid for.
"""

from __future__ import annotations


def encodable(text: str) -> str:
    """The text with two halves of a pair joined, and a lone half as U+FFFD.

    A text that can be encoded, which is any but a damaged one, comes back as it is.
    """
    if is_encodable(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_encodable(text: str) -> bool:
    """Whether the text holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
