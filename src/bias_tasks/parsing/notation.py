"""Notation that answers of every kind share: code fences, bullet points and labels.

The patterns apply to a text as the model wrote it and in plain spelling (`spelling`). All take time
linear in the length of the text.
"""

import re
import string
import unicodedata

FENCE = re.compile(r"(?m)^[ \t]{0,20}(?:```|~~~)[\w+-]{0,20}[ \t]*$")
"""A line that opens or closes a code block, with the name of its language."""
BULLET_MARK = r"(?:[-*+‐‑‒–—−][ \t]|[•‣◦·∙▪▫●○■□⁃➢➤►▶])"
"""Characters that have other uses, such as hyphens, need a blank after them."""
BULLET = re.compile(rf"{BULLET_MARK}\s*+(?P<element>\S.*)")
"""A bullet point with its element."""
LIST_LABEL = re.compile(
    r"\(?(?P<label>[0-9]{1,9}|[A-Za-z])(?P<mark>[.)])\s|[0-9]\ufe0f?\u20e3|[①-⑳]"
)
"""The number or letter before an element of a list: `1.`, `(2)`, `b)`, `③`."""


def unfence(text: str) -> str:
    """Return the content of the code block that the whole text is, or the text itself."""
    before, *blocks = FENCE.split(text.strip(), maxsplit=3)
    return blocks[0].strip() if not before and len(blocks) == 2 and not blocks[1] else text


def is_list_line(line: str) -> bool:
    """Return whether a line is an element of a list: a bullet point, numbered or lettered.

    A letter needs a bracket: before a period it may be an initial (`A. Smith`).

    Args:
        line: A line without blanks around it.
    """
    if BULLET.fullmatch(line):
        return True
    label = LIST_LABEL.match(line)
    return label is not None and not ((label["label"] or "").isalpha() and label["mark"] == ".")


def strip_label(text: str) -> str:
    """Return a label without marks around it: `B` for `（B）` or `**B**.`, `2` for `[2]`.

    Marks are punctuation of any script, blanks, and control and invisible characters.
    """
    start = next((i for i, char in enumerate(text) if not _is_mark(char)), len(text))
    end = next((i for i in range(len(text), start, -1) if not _is_mark(text[i - 1])), start)
    return text[start:end]


def _is_mark(char: str) -> bool:
    return char in string.punctuation or unicodedata.category(char)[0] in "PZC"
