"""Objects that begin with the judge's reasoning, where this breaks them.

A judge that reads a response aloud within its reasoning may forget to escape what it quotes:
`{"reasoning": "It ends with {"score": 10}.", "score": 3}`. What stands within reasoning is no
verdict, whatever it looks like; the verdict is what follows it under the key that was asked for.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from bias_tasks.complex_eval.prompts.judge import REASONING
from bias_tasks.complex_eval.reading.fields import MISSING, field
from bias_tasks.reading.json_objects import Found, Objects, json_objects

_BEGIN = re.compile(rf"\{{\s{{0,200}}+[\"'“]{REASONING}[\"'”]\s{{0,20}}+:", re.IGNORECASE)
_VERDICT = re.compile(
    r"[\"'”]\s{0,200}+,\s{0,200}+(?=[\"'“](?:score|scores|first_error|flaws)[\"'”]\s{0,20}+:)",
    re.IGNORECASE,
)
"""Where reasoning ends and the verdict begins."""


def reasoned(text: str, objects: Objects) -> Objects:
    """The objects, without those that stand within reasoning, and with what follows it.

    Reasoning that is broken reaches to the last key of a verdict behind it; where there is none,
    to the next reasoning or the end of the text, and nothing in it is read.

    Args:
        text: the judge's words.
        objects: those of the text.
    """
    begins = [found.start() for found in _BEGIN.finditer(text)]
    found, broken = list(objects.found), list(objects.broken)
    for begin, end in pairwise([*begins, len(text)]):
        around = next((each for each in objects.found if each.start <= begin < each.end), None)
        if around is not None and (around.start < begin or not _goes_on(text, around, end, found)):
            continue
        found = [each for each in found if not begin <= each.start < end]
        verdict = _verdict(text, begin, end)
        if verdict is None:
            broken.append((begin, end))
        else:
            found.append(verdict)
    return Objects(sorted(found, key=lambda each: each.start), broken)


def _goes_on(text: str, whole: Found, end: int, found: Sequence[Found]) -> bool:
    """Whether another verdict ends the object's reasoning: `"It says ", "score": 10} so", ...`."""
    ends = _VERDICT.search(text, whole.end, end)
    return ends is not None and not any(each.start <= ends.start() < each.end for each in found)


def _verdict(text: str, begin: int, end: int) -> Found | None:
    """The verdict behind the reasoning that begins there, as an object of its own."""
    ends = deque(_VERDICT.finditer(text, begin, end), maxlen=1)
    if not ends:
        return None
    [last] = ends
    closed = json_objects("{" + text[last.end() : end])
    if closed is None or not closed.found or closed.found[0].start != 0:
        return None
    return Found(closed.found[0].value, begin, last.end() - 1 + closed.found[0].end)


def is_reasoning(entry: Any) -> bool:
    """Whether an object holds the judge's reasoning, whose words are no verdict."""
    return isinstance(entry, Mapping) and field(entry, REASONING) is not MISSING
