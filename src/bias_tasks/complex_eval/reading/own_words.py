"""Which part of an answer is the judge's own, where the rest is a prompt.

A base model goes on behind its answer with another prompt, or with another turn of a conversation;
a small one repeats the prompt before its answer, or instead of it. Prompts are known by what
stands in all of them word for word, and by the marked blocks (`prompts.judge`).
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache

from bias_tasks.complex_eval.prompts.judge import set_lines

_TAG = r"(?:request|background|reference|rubric|response)-[0-9a-f]{4,16}>"
_TURN = (
    r"<\|(?:im_start|im_end|endoftext|end_of_text|eot_id|start_header_id|user|end)\|>|</s>"
    r"|\[/?INST\]|<(?:start|end)_of_turn>|^(?:Human|User|### (?:Instruction|Human|User)):"
)


def own_parts(text: str) -> list[tuple[int, int]]:
    """Where the judge's own words stand, in the order in which an answer is looked for there.

    What stands before the first words of a prompt comes first: what follows is no answer of this
    prompt's. What stands behind the last ones is own, too, unless it is within a block or behind
    the mark of another's turn. A text without a prompt is own as a whole.
    """
    first = _marks().search(text)
    if first is None:
        return [(0, len(text))]
    [last] = deque(_marks().finditer(text, first.start()), maxlen=1)
    parts = []
    if first.lastgroup != "closed" and any(map(str.isalnum, text[: first.start()])):
        parts.append((0, first.start()))
    if last.lastgroup in ("closed", "line"):
        parts.append((last.end(), len(text)))
    return parts


@cache
def _marks() -> re.Pattern[str]:
    lines = "|".join(re.escape(line) for line in set_lines())
    return re.compile(
        rf"(?P<opened>^<{_TAG}$)|(?P<closed>^</{_TAG}$)|(?P<line>{lines})|(?P<turn>{_TURN})",
        re.MULTILINE,
    )
