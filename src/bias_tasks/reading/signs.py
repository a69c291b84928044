"""Signs: characters for private use that are written over values in a text before it is read.

A sign says which value it stands for, by its place, and how that was written; it is as long.
"""

KINDS = ("bare", "named", "half", "closed", "text", "told")
"""`2`; `option 2`; `2)`, and `2.` where a line begins; `(2)`; `Paris`; `2. Paris`."""
_FIRST, _A_KIND, _FILL = 0xE000, 256, "\uf8ff"


def place_of(sign: str) -> int:
    """The place of the value that a sign stands for, from 0; another where none was offered."""
    return (ord(sign[0]) - _FIRST) % _A_KIND - 1


def kind_of(sign: str) -> str:
    """How the value was written that a sign stands for; empty where there is no sign."""
    kind = (ord(sign[0]) - _FIRST) // _A_KIND if sign else -1
    return KINDS[kind] if 0 <= kind < len(KINDS) else ""


def sign_of(kind: str, place: int, length: int) -> str:
    """A sign for a value that is so many characters long."""
    place = place if -1 <= place < _A_KIND - 2 else -1
    return chr(_FIRST + _A_KIND * KINDS.index(kind) + place + 1) + _FILL * (length - 1)
