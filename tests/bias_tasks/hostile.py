"""Generates hostile answers: what a model, or whoever feeds it, could make a reader choke on.

`hostile_answers(n, seed)` yields `(kind, text)`; the same seed gives the same answers. Most are
small; every hundredth is 100 KB.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import pairwise

SMALL, LARGE = 400, 100_000

_FRAGMENTS = (
    *("Final Answer: ", "the answer is ", "answer is answer is ", "option 2", "(B)", "2", "3, "),
    *("not ", "does not support ", "cannot be proven or ", "unknown ", "true ", "if ", "whether "),
    *("none of the above", "\n1. ", "\n## ", "```", "\\boxed{", "{", "}", '"answer": ', "\n\n"),
    *(". ", "?", "\x00", "\u200b", "\u202e", "\ud800", "２", "٣", "é"),
)
_UNITS = (
    *("\x00", " ", "\n", " \n\t\r", "\ud800\udfff", "\u202e2 \u202d", "2\u0301\u0302\u0303"),
    *("\ufdfa\ufb03", "1234567890", "2", "1, ", "1 ", "2\n", "1. a\n", "1.", "(", "()[]{}", "2)"),
    *("\"'", "\\", "\\boxed{", "\\text{", "```", "*", "# Final Answer\n", "answer is ", "answer"),
    *("Final Answer: ", "Final Answer: 2. ", "The answer is 1. The answer is 2. ", "option 2 "),
    *("option 2 or ", "2 is correct ", "first and the ", "true ", "not true ", "true false "),
    *("nor supports ", "unclear whether it supports, ", "none of ", "Is it true? "),
    *("\nQuestion: x\nAnswer: 2", "1. Proven\n2. disproved\n3. Unknown\n"),
    "1. There is clear Evidence ",
)
"""Repeated to the size that is wanted."""
_KILLERS = (
    *(("```json\n", '{"answer":', ""), ("1", " and 2", " are"), ("", "a", "!")),
    *(("Final Answer:", " ", "!"), ("answer", '"', "!"), ("the answer (", "a", "")),
    *(("answer to ", "to ", ""), ("the evidence contradicts that ", "that ", "false")),
    *(("not ", "a, ", "true"), ("answer: ", "-", "2"), ("Final Answer:\n", "1. a\n3. b\n", "")),
    ("The statement is", " very", ""),
)
"""Prefix, unit and suffix of runs that a backtracking pattern would divide in every way."""


def _run(prefix: str, unit: str, suffix: str) -> Callable[[random.Random, int], str]:
    def make(_rng: random.Random, size: int) -> str:
        return prefix + _filled(unit, max(size - len(prefix) - len(suffix), 0)) + suffix

    return make


def _filled(text: str, size: int) -> str:
    """The text again and again, to the size."""
    return (text * (size // len(text) + 1))[:size]


def _fragments(rng: random.Random, size: int) -> str:
    parts = rng.choices(_FRAGMENTS, k=max(1, min(size, LARGE) // 8))
    return _filled("".join(parts), size)


def _code_points(rng: random.Random, size: int) -> str:
    text = "".join(chr(rng.randrange(0x110000)) for _ in range(min(size, 20_000)))
    return _filled(text, size)


def _yaml_bomb(_rng: random.Random, size: int) -> str:
    nine = "[" + ",".join(["{}"] * 9) + "]"
    lines = ["answer: *t", "a: &a " + nine.replace("{}", "2")]
    for before, name in pairwise("abcdefghijklmnopqrst"):
        lines.append(f"{name}: &{name} " + nine.replace("{}", f"*{before}"))
    return ("\n".join(lines) + "\n") * max(1, size // 1000)


def _json_nest(_rng: random.Random, size: int) -> str:
    depth = size // 12
    return '{"answer": ' * depth + "2" + "}" * (depth if depth % 2 else depth // 2)


def _escaped(rng: random.Random, size: int) -> str:
    return json.dumps(_fragments(rng, size // 2))


def _joiners(rng: random.Random, size: int) -> str:
    invisible = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202a\u202e\u2066\u2069\ufe0f"
    words = "Final Answer: 2. The answer is option 3. "
    text = "".join(char + rng.choice(invisible) * rng.randrange(3) for char in words * 10)
    return _filled(text, size)


KINDS: dict[str, Callable[[random.Random, int], str]] = {
    "fragments": _fragments,
    "code points": _code_points,
    "yaml alias bomb": _yaml_bomb,
    "nested json": _json_nest,
    "nested tags": _run("", "<answer>", ""),
    "escaped": _escaped,
    "invisible characters": _joiners,
    **{repr(unit): _run("", unit, "") for unit in _UNITS},
    **{repr(killer): _run(*killer) for killer in _KILLERS},
}


def hostile_answers(n: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """`n` hostile answers with their kinds, in turn; every hundredth holds 100 KB."""
    rng = random.Random(seed)
    kinds = list(KINDS.items())
    for index in range(n):
        kind, make = kinds[index % len(kinds)]
        size = LARGE if index % 100 == 99 else rng.randrange(1, SMALL)
        yield kind, _disguised(rng, make(rng, size))


def _disguised(rng: random.Random, text: str) -> str:
    """The text, now and then in other clothes."""
    clothes = (
        *(f"```\n{text}", f"The answer is {text}", f"{text}\n## Final Answer\n{text[:50]}"),
        *(text.swapcase()[: len(text)], text, text, text, text),
    )
    return rng.choice(clothes)
