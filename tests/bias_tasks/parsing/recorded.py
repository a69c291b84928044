"""Recorded answers of real models, and how the parser does on them.

`recorded.jsonl` holds answers from public repositories, `recorded_own_prompts.jsonl` answers of two
Qwen2.5-Coder models to the package's own prompts. Each row names its source, model and licence,
what the answer says (`gold`) and why that is certain (`rule`).
"""

import json
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from bias_tasks.parsing import ParsedAnswer, parse_answer

LABELS = ("True", "False", "Unknown")
_FOLDER = Path(__file__).parent


@cache
def rows(name: str = "recorded") -> list[dict[str, Any]]:
    """The rows of one file."""
    lines = (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def all_rows() -> list[dict[str, Any]]:
    """The rows of both files."""
    return [*rows(), *rows("recorded_own_prompts")]


def declared(row: dict[str, Any]) -> dict[str, Any]:
    """What the prompt asked for, as arguments of `parse_answer`."""
    form = row["form"]
    if form == "choice":
        return {"options": row.get("choices") or row["n"], "option_labels": row["symbols"]}
    if form == "judging":
        return {"allowed_labels": LABELS[: row.get("shown", 3)]}
    if form in ("score", "criteria"):
        return {"scale": row.get("scale", (1, 10)), "criteria": row.get("criteria", ())}
    return {}


def parsed(row: dict[str, Any], text: str | None = None, *, truncated: bool = False) -> Any:
    """The value of a row's answer, or of a part of it; None if unparsed."""
    answer = parse_answer(
        row["text"] if text is None else text,
        form=row["form"],
        truncated=truncated,
        **declared(row),
    )
    return value_of(answer, row["form"])


def value_of(answer: ParsedAnswer, form: str) -> Any:
    """The value in the terms of `gold`."""
    if answer.unparsed:
        return None
    return list(answer.options) if form == "choice" else answer.value


def gold_of(row: dict[str, Any]) -> Any:
    """What the answer says; `[]` if it denies all options, None if it says nothing."""
    gold = [] if row["gold"] == "none" else row["gold"]
    return sorted(gold) if isinstance(gold, list) else gold


def verdict(value: Any, gold: Any) -> str:
    """Whether an answer is parsed right."""
    if value == gold:
        return "right"
    return "unparsed" if value is None else "wrong"


def counts_by_source(answers: list[dict[str, Any]]) -> dict[tuple[str, str], Counter[str]]:
    """Right, unparsed and wrong answers by form and source."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in answers:
        counts[row["form"], row["source"]][verdict(parsed(row), gold_of(row))] += 1
    return counts
