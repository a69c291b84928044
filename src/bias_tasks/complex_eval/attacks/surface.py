"""Surface features of a text: its heading, its bullets, and terms that others could stand for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from bias_tasks.complex_eval.attacks.phrases import pairs

_FENCE = "```"
_HEADING = re.compile(r"\s{0,20}((?:#{1,6} +|\*\*)\w[^\n*#]{1,80}?(?:\*\*)?:?)[ \t]{0,8}(?:\n|\Z)")
_MARKER = re.compile(r"^([ \t]{0,8})([-*•])(?= )", re.M)
_VOWELS = frozenset("aeiou")


def heading(text: str) -> str | None:
    """The heading that the text begins with, as it is written, unless it holds a number."""
    found = _HEADING.match(text)
    return None if found is None or any(map(str.isdigit, found[1])) else found[1]


def bullet(text: str) -> str | None:
    """The bullet that most list items of the text have, if it has any."""
    marks = Counter(mark[2] for mark in _MARKER.finditer(text))
    return marks.most_common(1)[0][0] if marks else None


def with_bullet(text: str, mark: str) -> str:
    """The text with all its bullets alike."""
    return _outside_code(text, lambda part: _MARKER.sub(rf"\g<1>{mark}", part))


def aligned_terms(text: str, reference: str) -> list[tuple[re.Match[str], str]]:
    """Where the text has a term for which the reference has another, and that one.

    Each term once, at its first place; `a` or `an` before it must fit the other one too.
    """
    theirs, found = reference.casefold(), []
    for one, two in pairs("terms"):
        for ours, other in ((one, two), (two, one)):
            mark = re.search(rf"\b{ours}\b", text)
            wanted = re.search(rf"\b{other}\b", theirs) and not re.search(rf"\b{ours}\b", theirs)
            if mark is not None and wanted and _fits(text[: mark.start()], ours, other):
                found.append((mark, other))
    return found


def _fits(before: str, ours: str, other: str) -> bool:
    article = before[-4:].casefold().split()[-1:] in (["a"], ["an"])
    in_code = before.count(_FENCE) % 2 == 1
    return not in_code and not (article and (ours[0] in _VOWELS) != (other[0] in _VOWELS))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts = text.split(_FENCE)
    return _FENCE.join(part if i % 2 else change(part) for i, part in enumerate(parts))
