"""The items of the core set as the tests see them: their texts, labels, limits and attacks."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

Row = dict[str, Any]
FOLDER = files("bias_tasks.data") / "core_items"
LABELS: dict[str, Callable[[Row], str]] = {
    "choice": lambda row: ("none", "single", "multiple")[min(len(row["answer"]), 2)],
    "judging": lambda row: row["answer"],
    "binary": lambda row: row["answer"],
    "math": lambda row: "right" if row["label"] < 0 else "wrong",
}
"""The label that no surface cue may predict, by part."""
JUDGED = ("translation", "ethics")
"""Domains whose items ask the same question of different texts."""
_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five"),
    *("six", "seven", "eight", "nine", "ten"),
)
_NUMBER = rf"(\d+|{'|'.join(_NUMBER_WORDS)})"
_AT_MOST = r"(?:at most|no more than|up to|maximum of|within|under)"
_UNITS = r"(words?|sentences?|bullet points?|bullets?)"
_LIMITS = (
    (rf"{_AT_MOST} {_NUMBER} {_UNITS}", lambda m: (m[2], 0, _number(m[1]))),
    (
        rf"{_NUMBER}(?: to |-|–| and ){_NUMBER} {_UNITS}",
        lambda m: (m[3], _number(m[1]), _number(m[2])),
    ),
    (
        rf"\b(?:in|exactly) {_NUMBER} (sentences?|bullet points?|bullets?)",
        lambda m: (m[2], _number(m[1]), _number(m[1])),
    ),
)
_ABBREVIATIONS = re.compile(r"\b(Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|a\.m|p\.m|Prof|Inc|Ltd|approx)\.")


def read_rows(part: str) -> list[Row]:
    """Return the rows of a part as the file has them."""
    text = (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def question_text(row: Row) -> str:
    """Return what an item asks, without its passage; a text that is to be judged is part of it."""
    if row.get("domain") in JUDGED:
        return str(row["context"])
    texts = (row.get(name) for name in ("question", "input", "problem", "query"))
    return " ".join([next(text for text in texts if text), *row.get("options", ())])


def prompted_text(row: Row) -> str:
    """Return all of an item that a model sees."""
    return " ".join([row.get("context", ""), question_text(row), *row.get("steps", ())])


def passage(row: Row) -> str:
    """Return what groups the items that share a passage: the passage, or the item's id."""
    return str(row.get("context") or row["id"])


def count_words(text: str) -> int:
    """Return the number of words of a text."""
    return len(text.split())


def find_limits(text: str) -> list[tuple[str, int, int]]:
    """Return the limits of length that a request or rubric states: unit, least and most."""
    return [
        (unit.split()[0].rstrip("s"), low, high)
        for pattern, build in _LIMITS
        for match in re.finditer(pattern, text, re.I)
        for unit, low, high in [build(match)]
    ]


def find_violations(text: str, limits: list[tuple[str, int, int]]) -> list[str]:
    """Return the limits that a text exceeds."""
    plain = _ABBREVIATIONS.sub(r"\1", text).strip()
    sentences = re.split(r"(?<=[.!?])[\"')\]]*\s+|\n+", plain)
    counts = {
        "word": count_words(text),
        "sentence": sum(re.search(r"\w", sentence) is not None for sentence in sentences),
        "bullet": len(re.findall(r"(?m)^\s*(?:[-*•]|\d+[.)])\s", text)),
    }
    return [
        f"{counts[unit]} {unit}s, and {low} to {high} are allowed"
        for unit, low, high in limits
        if not low <= counts[unit] <= high
    ]


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBER_WORDS.index(text.lower())
