"""Generates hostile answers: what a model, or whoever feeds it, could make a reader choke on.

`hostile_answers(n, seed)` yields `(kind, text)`; the same seed gives the same answers. Most are
small; every hundredth is 100 KB, and `huge_answers()` gives one of 10 MB per kind.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

SMALL, LARGE, HUGE = 400, 100_000, 10_000_000

_FRAGMENTS = (
    "Final Answer: ",
    "the answer is ",
    "answer is answer is ",
    "option 2",
    "(B)",
    "2",
    "3, ",
    "not ",
    "does not support ",
    "cannot be proven or ",
    "unknown ",
    "true ",
    "none of the above",
    "if ",
    "whether ",
    "\n1. ",
    "\n## ",
    "```",
    "\\boxed{",
    "{",
    "}",
    '"answer": ',
    "\n\n",
    ". ",
    "?",
    "\x00",
    "\u200b",
    "\u202e",
    "\ud800",
    "２",
    "٣",
    "é",
)


def _repeat(unit: str) -> Callable[[random.Random, int], str]:
    return lambda _rng, size: (unit * (size // len(unit) + 1))[:size]


def _killer(prefix: str, unit: str, suffix: str) -> Callable[[random.Random, int], str]:
    """A long run that a backtracking pattern would try in every division, then fail on."""

    def make(_rng: random.Random, size: int) -> str:
        run = max(size - len(prefix) - len(suffix), 0)
        return prefix + (unit * (run // len(unit) + 1))[:run] + suffix

    return make


def _fragments(rng: random.Random, size: int) -> str:
    parts = rng.choices(_FRAGMENTS, k=max(1, min(size, LARGE) // 8))
    text = "".join(parts)
    return (text * (size // len(text) + 1))[:size]


def _code_points(rng: random.Random, size: int) -> str:
    """Any code points, surrogates and unassigned ones included."""
    text = "".join(chr(rng.randrange(0x110000)) for _ in range(min(size, 20_000)))
    return (text * (size // len(text) + 1))[:size]


def _control(rng: random.Random, size: int) -> str:
    text = "".join(chr(rng.choice((*range(32), 127, *range(128, 160)))) for _ in range(300))
    return (text * (size // 300 + 1))[:size]


def _yaml_bomb(_rng: random.Random, size: int) -> str:
    lines = ["a: &a [2,2,2,2,2,2,2,2,2]"]
    names = "abcdefghijklmnopqrstuvwxyz"
    lines += [
        f"{names[i]}: &{names[i]} [{','.join([f'*{names[i - 1]}'] * 9)}]" for i in range(1, 20)
    ]
    return ("answer: *t\n" + "\n".join(lines) + "\n") * max(1, size // 1000)


def _json_nest(_rng: random.Random, size: int) -> str:
    depth = size // 12
    return '{"answer": ' * depth + "2" + "}" * (depth if depth % 2 else depth // 2)


def _xml_nest(_rng: random.Random, size: int) -> str:
    return "<answer>" * (size // 8)


def _escaped(rng: random.Random, size: int) -> str:
    return json.dumps(_fragments(rng, size // 2))


def _joiners(rng: random.Random, size: int) -> str:
    """Real statements torn apart by invisible characters."""
    invisible = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202a\u202e\u2066\u2069\ufe0f"
    words = "Final Answer: 2. The answer is option 3. "
    text = "".join(char + rng.choice(invisible) * rng.randrange(3) for char in words * 10)
    return (text * (size // len(text) + 1))[:size]


KINDS: dict[str, Callable[[random.Random, int], str]] = {
    "fragments": _fragments,
    "code points": _code_points,
    "control characters": _control,
    "yaml alias bomb": _yaml_bomb,
    "nested json": _json_nest,
    "nested tags": _xml_nest,
    "escaped": _escaped,
    "invisible characters": _joiners,
    "nul": _repeat("\x00"),
    "blanks": _repeat(" "),
    "newlines": _repeat("\n"),
    "blank lines": _repeat(" \n\t\r"),
    "surrogates": _repeat("\ud800\udfff"),
    "right to left": _repeat("\u202e2 \u202d"),
    "combining marks": _repeat("2\u0301\u0302\u0303"),
    "ligatures": _repeat("\ufdfa\ufb03"),
    "long digits": _repeat("1234567890"),
    "same digit": _repeat("2"),
    "digit list": _repeat("1, "),
    "digits and blanks": _repeat("1 "),
    "digit lines": _repeat("2\n"),
    "numbered list": _repeat("1. a\n"),
    "dotted": _repeat("1."),
    "opening brackets": _repeat("("),
    "bracket pairs": _repeat("()[]{}"),
    "closing brackets": _repeat("2)"),
    "quotes": _repeat("\"'"),
    "back slashes": _repeat("\\"),
    "boxes": _repeat("\\boxed{"),
    "text boxes": _repeat("\\text{"),
    "fences": _repeat("```"),
    "half fence": _killer("```json\n", '{"answer":', ""),
    "stars": _repeat("*"),
    "headings": _repeat("# Final Answer\n"),
    "answer is answer is": _repeat("answer is "),
    "answers": _repeat("answer"),
    "final answers": _repeat("Final Answer: "),
    "final answers read": _repeat("Final Answer: 2. "),
    "statements": _repeat("The answer is 1. The answer is 2. "),
    "options": _repeat("option 2 "),
    "option 2 or": _repeat("option 2 or "),
    "is correct": _repeat("2 is correct "),
    "and": _killer("1", " and 2", " are"),
    "the first and the first": _repeat("first and the "),
    "keywords": _repeat("true "),
    "denied keywords": _repeat("not true "),
    "both lists": _repeat("true false "),
    "nor": _repeat("nor supports "),
    "uncertain keywords": _repeat("unclear whether it supports, "),
    "none of": _repeat("none of "),
    "questions": _repeat("Is it true? "),
    "new questions": _repeat("\nQuestion: x\nAnswer: 2"),
    "prompt echo": _repeat("1. Proven\n2. disproved\n3. Unknown\n"),
    "clear evidence": _repeat("1. There is clear Evidence "),
    "killer a": _killer("", "a", "!"),
    "killer blanks": _killer("Final Answer:", " ", "!"),
    "killer quotes": _killer("answer", '"', "!"),
    "killer parentheses": _killer("the answer (", "a", ""),
    "killer to": _killer("answer to ", "to ", ""),
    "killer words": _killer("the evidence contradicts that ", "that ", "false"),
    "killer clause": _killer("not ", "a, ", "true"),
    "killer minus": _killer("answer: ", "-", "2"),
    "killer lines": _killer("Final Answer:\n", "1. a\n3. b\n", ""),
    "no end": _killer("The statement is", " very", ""),
}


def hostile_answers(n: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """`n` hostile answers with their kinds, in turn; every hundredth holds 100 KB."""
    rng = random.Random(seed)
    kinds = list(KINDS.items())
    for index in range(n):
        kind, make = kinds[index % len(kinds)]
        size = LARGE if index % 100 == 99 else rng.randrange(1, SMALL)
        yield kind, _disguised(rng, make(rng, size))


def sized_answers(size: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """One hostile answer of every kind, of about `size` characters."""
    rng = random.Random(seed)
    for kind, make in KINDS.items():
        yield kind, make(rng, size)[:size]


def _disguised(rng: random.Random, text: str) -> str:
    """The text, now and then in other clothes."""
    choice = rng.randrange(8)
    if choice == 0:
        return f"```\n{text}"
    if choice == 1:
        return f"The answer is {text}"
    if choice == 2:
        return f"{text}\n## Final Answer\n{text[:50]}"
    if choice == 3:
        return text.swapcase()[: len(text)]
    return text
