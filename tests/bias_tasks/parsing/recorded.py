"""Recorded answers of models with what they say, and the outcomes of parsing them.

`recorded.jsonl` holds answers from public repositories, `recorded_own_prompts.jsonl` answers of two
Qwen2.5-Coder models to the package's own prompts. Each row names its source, model and licence,
what the answer says (`gold`) and why that is certain (`rule`). `written_sets.jsonl` holds 340
answers that name several options or deny all, which recorded answers hardly do. People who had not
seen the parser wrote them.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bias_tasks.parsing import ParsedAnswer, parse_answer

LABELS = ("True", "False", "Unknown")
FILES = ("recorded", "recorded_own_prompts", "written_sets")
"""The files next to this module."""
WRITTEN = "written sets and denials"
"""Source of the rows that name none."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedAnswer:
    """An answer, the declaration of what its prompt asked for, and the value that it gives.

    Answers are compared by identity: their arguments have no hash.
    """

    id: str
    source: str
    text: str
    arguments: dict[str, Any]
    """Keyword arguments of `parse_answer`, with `form`."""
    says: Any
    """Positions of options (`[]` if all are denied), a label, a number, scores by criterion, or
    None if the answer says nothing."""

    @property
    def form(self) -> str:
        """The requested form."""
        return str(self.arguments["form"])

    def parse(self, text: str | None = None, *, truncated: bool = False) -> Any:
        """Return the value that `parse_answer` finds in the answer, or in a part of it."""
        text = self.text if text is None else text
        parsed = parse_answer(text, truncated=truncated, **self.arguments)
        return value_of(parsed, self.form)


@cache
def read_answers(path: Path) -> tuple[RecordedAnswer, ...]:
    """Read a file of recorded answers, JSON Lines."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return tuple(
        RecordedAnswer(
            id=str(row.get("id", f"{path.stem}-{row.get('n', number)}")),
            source=row.get("source", WRITTEN),
            text=row["text"],
            arguments=parser_arguments(row),
            says=_comparable(row["gold"] if "gold" in row else row["says"]),
        )
        for number, row in enumerate(rows)
    )


def recorded_answers(*names: str) -> list[RecordedAnswer]:
    """Return the answers of files next to this module, of the recorded ones by default."""
    paths = [Path(__file__).with_name(f"{name}.jsonl") for name in names or FILES[:2]]
    return [answer for path in paths for answer in read_answers(path)]


def parser_arguments(row: dict[str, Any]) -> dict[str, Any]:
    """Return what the prompt of a row asked for, as keyword arguments of `parse_answer`."""
    form, declared = row.get("form", "choice"), row.get("options", {})
    if isinstance(declared, list):
        declared = {"options_texts": declared}
    row = row | declared
    arguments: dict[str, Any] = {"form": form}
    if form == "choice":
        labels = row.get("labels") or row.get("symbols")
        arguments["options"] = row.get("options_texts") or row.get("choices") or row["n"]
        arguments["option_labels"] = labels or ("letters" if row["letters"] else "numbers")
    elif form == "judging":
        arguments["allowed_labels"] = LABELS[: row.get("shown", 3)]
    elif form in ("score", "criteria"):
        arguments["scale"] = tuple(row.get("scale", (1, 10)))
        arguments["criteria"] = row.get("criteria", ())
    return arguments


def value_of(parsed: ParsedAnswer, form: str) -> Any:
    """Return the value in the terms of `RecordedAnswer.says`; None if unparsed."""
    if parsed.unparsed:
        return None
    return list(parsed.options) if form == "choice" else parsed.value


def outcome(value: Any, says: Any) -> str:
    """Return `right`, `unparsed`, `wrong`, `invented` or `silent`.

    An invented value belongs to an answer that says nothing; `silent` is such an answer without a
    value.
    """
    if says is None:
        return "silent" if value is None else "invented"
    if value is None:
        return "unparsed"
    return "right" if value == says else "wrong"


def count_outcomes(answers: Iterable[RecordedAnswer], values: Iterable[Any]) -> Counter[str]:
    """Count the outcomes of answers for the values that a parser finds in them."""
    pairs = zip(answers, values, strict=True)
    return Counter(outcome(value, answer.says) for answer, value in pairs)


def precision(counts: Counter[str]) -> float:
    """Return the share of parsed answers that are parsed right, nan if none is parsed."""
    return _share(counts["right"], counts["right"] + counts["wrong"] + counts["invented"])


def recall(counts: Counter[str]) -> float:
    """Return the share of answers that say something and are parsed right, nan if none does."""
    return _share(counts["right"], counts["right"] + counts["wrong"] + counts["unparsed"])


def _share(count: int, total: int) -> float:
    return count / total if total else float("nan")


def _comparable(says: Any) -> Any:
    """Return what an answer says in the terms of parsed values."""
    says = [] if says == "none" else says
    return sorted(says) if isinstance(says, list) else says
