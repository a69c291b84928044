"""Entries of a record: short lines from which a difference between two runs can be named."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from bias_tasks import outcomes_df, results_df

Case = dict[str, Any]
"""One run, as in `cases.yaml`."""
Entries = dict[str, Any]
"""What a record holds of one run, by subject."""
_DIGITS = 12
_MAX_COUNTED = 12
"""Values with more distinct ones than this have a digest only."""
_LOG_COLUMNS = ["task", "model", "framework", "run_id", "created", "log"]
_RUN_COLUMNS = ["family", "protocol", "data", "task_args", "digest"]


def describe_results(logs: Path) -> Entries:
    """Return what the package reads from the log of one run: metrics, and answers by column."""
    metrics = results_df(logs).drop(columns=_LOG_COLUMNS)
    entries = {"run": _read_rows(metrics[_RUN_COLUMNS])[0]}
    for row in _read_rows(metrics.drop(columns=_RUN_COLUMNS)):
        entries[f"computed {row.pop('metric')}"] = row
    answers = outcomes_df(logs).drop(columns=_LOG_COLUMNS)
    rows = _read_rows(answers)
    return entries | {f"answers {c}": fingerprint(row[c] for row in rows) for c in answers}


def fingerprint(values: Iterable[object]) -> Entries:
    """Return the number of values, a digest of them in order, and counts if few are distinct."""
    listed = [tidy(value) for value in values]
    counts = Counter(json.dumps(value, ensure_ascii=False)[:60] for value in listed)
    entry = {"n": len(listed), "digest": digest(listed)}
    return entry | ({"counts": dict(counts)} if len(counts) <= _MAX_COUNTED else {})


def digest(value: object) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a value's JSON."""
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def tidy(value: Any) -> Any:
    """Return the same JSON values with rounded numbers, and None for nan and infinities."""
    if isinstance(value, dict):
        return {str(name): tidy(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(part) for part in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None
    return value


def _read_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a data frame, with None for missing values."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [tidy(row) for row in rows]
