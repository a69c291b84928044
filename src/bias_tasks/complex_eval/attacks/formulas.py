"""Whether a step of a solution still calculates what it did, however it is worded now."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

_LATEX = (
    (re.compile(r"\\(?:cdot|times|ast)(?![A-Za-z])|[×·∗⋅]"), " * "),
    (re.compile(r"\\div(?![A-Za-z])|÷"), " / "),
    (re.compile(r"\\(?:leq?|leqslant)(?![A-Za-z])|≤"), " <= "),
    (re.compile(r"\\(?:geq?|geqslant)(?![A-Za-z])|≥"), " >= "),
    (re.compile(r"\\(?:neq?)(?![A-Za-z])|≠"), " != "),
    (re.compile(r"\\(?:lt)(?![A-Za-z])|&lt;"), " < "),
    (re.compile(r"\\(?:gt)(?![A-Za-z])|&gt;"), " > "),
    (re.compile(r"\\(?:approx|equiv|sim)(?![A-Za-z])|[≈≡]"), " = "),
    (re.compile(r"\\sqrt(?![A-Za-z])|√|\bsquare root of\b"), " √ "),
    (re.compile(r"\\[dt]?frac\{([^{}]{1,80})\}\{([^{}]{1,80})\}"), r"(\1)/(\2)"),
    (re.compile(r"\\[dt]?frac\s?(\d)\s?(\d)"), r"\1/\2"),
    (re.compile(r"\\(?:left|right|displaystyle)(?![A-Za-z])|\\[,;!:() \[\]]|\$"), " "),
    (re.compile(r"\\[A-Za-z]{1,40}"), " "),  # any other command, whose letters are no variables
    (re.compile(r"−"), "-"),
    (re.compile(r"²"), "^2"),
    (re.compile(r"³"), "^3"),
    (re.compile(r"\*\*(?=\d)"), "^"),
)
_WORDS = (
    (re.compile(r"\b(?:plus)\b"), " + "),
    (re.compile(r"\b(?:minus)\b"), " - "),
    (re.compile(r"\b(?:times|multiplied by)\b"), " * "),
    (re.compile(r"\b(?:divided by)\b"), " / "),
    (re.compile(r"\b(?:equals|is equal to|equal to)\b"), " = "),
    (re.compile(r"\b(?:is )?(?:less than or equal to|at most)\b"), " <= "),
    (re.compile(r"\b(?:is )?(?:greater than or equal to|at least)\b"), " >= "),
    (re.compile(r"\b(?:is )?(?:less|smaller) than\b"), " < "),
    (re.compile(r"\b(?:is )?(?:greater|larger|more) than\b"), " > "),
    (re.compile(r"\bsquared\b"), "^2"),
    (re.compile(r"\bcubed\b"), "^3"),
)
_OPERAND = re.compile(
    r"(?P<op><=|>=|!=|[-+*/^=<>√])?\s{0,3}[({\[|]{0,3}\s{0,2}"
    r"(?:(?P<number>\d{1,40}(?:[.,]\d{1,40})?)|(?P<letter>(?<![a-z])[b-hj-z](?![a-z'’])))"
)
_LABEL = re.compile(r"(?<![A-Za-z\\])[A-Z]{1,4}(?![A-Za-z])")
_NO_LABEL = frozenset({"A", "I", "QED", "AM", "GM", "LHS", "RHS", "LCM", "GCD", "HCF", "WLOG"})


def other_calculation(before: str, after: str) -> str | None:
    """A number or variable of the step that something else is done with now.

    Only what both write is compared: `the sum of 3 and 5` may become `3 + 5`, and `3 - 5` may not.
    """
    old, new = _operations(before), _operations(after)
    for operand in sorted(new):
        if old.get(operand) and new[operand] - old[operand]:
            sign = min(new[operand] - old[operand])
            shown = "a variable" if operand == _VARIABLE else operand
            return f"another sign: {sign!r} before {shown}"
    return None


def other_label(before: str, after: str) -> str | None:
    """A point or an angle of the step in place of which another one is named."""
    old, new = _labels(before), _labels(after)
    return min(new - old, default=None) if old - new else None


_VARIABLE = "x"
"""Stands for every letter: a solution may be written in others."""


def _operations(text: str) -> dict[str, set[str]]:
    """The signs before each number, and before variables."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for mark in _OPERAND.finditer(_replaced(without_latex(text).casefold(), _WORDS)):
        if mark["op"]:
            found[_plain_number(mark["number"]) or _VARIABLE].add(mark["op"])
    return dict(found)


def without_latex(text: str) -> str:
    """The text with plain signs for those of LaTeX."""
    return _replaced(text, _LATEX)


def _replaced(text: str, patterns: Iterable[tuple[re.Pattern[str], str]]) -> str:
    for pattern, sign in patterns:
        text = pattern.sub(sign, text)
    return text


def _plain_number(number: str | None) -> str:
    return (number or "").replace(",", "").lstrip("0") or ("0" if number else "")


def _labels(text: str) -> set[str]:
    return set(_LABEL.findall(text)) - _NO_LABEL
