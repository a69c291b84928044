"""The served respondent's tokenizer, as vLLM's `/tokenize` offers one: nothing is downloaded.

A token is a word with the spaces before it (long ones in pieces), and its id is the number that its
UTF-8 bytes make, so that ids can be turned back into text without a vocabulary. Cutting a text
before a space that follows a word cuts between two tokens, which log-likelihoods rely on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

END = "<end>"
"""A marker that hosts may use as a stop text."""
_TOKEN = re.compile(r"\s{0,16}\S{1,32}|\s{1,16}")
_LARGEST = 256 ** (4 * 48 + 1)
"""Above every id: 48 characters of four bytes and the byte in front."""


def split(text: str) -> list[str]:
    """The tokens of a text; together they are the text."""
    return _TOKEN.findall(text)


def encode(text: str) -> list[int]:
    """The ids of a text's tokens."""
    # The byte in front keeps leading zero bytes.
    return [
        int.from_bytes(b"\x01" + token.encode("utf-8", "surrogatepass"), "big")
        for token in split(text)
    ]


def decode(ids: Iterable[object]) -> str:
    """The text of token ids.

    Raises:
        ValueError: one is no id that `encode` gives.
    """
    try:
        return b"".join(_bytes(token) for token in ids).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ValueError(_FOREIGN) from error


def _bytes(token: object) -> bytes:
    if not isinstance(token, int) or not 256 <= token < _LARGEST:
        raise ValueError(_FOREIGN)
    marked = token.to_bytes(-(-token.bit_length() // 8), "big")
    if marked[0] != 1:
        raise ValueError(_FOREIGN)
    return marked[1:]


_FOREIGN = "token ids must be those that /tokenize gives"
