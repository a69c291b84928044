"""What stands in a store: a row an answer, and the runs in the file's own metadata.

The columns are those of a table of answers, and beside them what figures and comparisons take. The
rows of a run stand together, in row groups of its own. The runs are written last, at the foot of
the file, which a file that was cut short does not have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from bias_tasks.record import check_record
from bias_tasks.results.run import FigureValue, Run, Samples, Stored, Usage

LAYOUT = 2
"""Moves when what stands in a store changes so that older versions could not read it."""
KEY = b"bias_tasks"
"""Of the file's metadata that holds the runs."""
OUTCOME_COLUMNS: Mapping[str, type] = {
    **dict.fromkeys(("task", "model", "log", "item", "cluster", "variant"), str),
    "epoch": int,
    **dict.fromkeys(("gold", "answer"), str),
    "score": float,
    "right": bool,
    **dict.fromkeys(("why", "reason", "prompt"), str),
}
"""The columns of a table of answers, and the type of the values that are not missing."""
OWN_COLUMNS: Mapping[str, type] = {
    "run": int,
    "own": str,
    "facts": str,
    "span_start": int,
    "span_end": int,
}
"""Beside those of a table of answers: the run's place among those of the file, what figures take
beside an answer and the question's facts, both as JSON, and where in the text the answer stands."""


def told_of_runs(runs: Sequence[tuple[Run, Stored]]) -> bytes:
    """The runs as they stand in the file's metadata, with the places of their row groups."""
    told = {"layout": LAYOUT, "runs": [_told(run, stored) for run, stored in runs]}
    return json.dumps(told, default=str).encode("ascii")


def layout_of(told: Any) -> int:
    """The layout that a file's metadata name.

    Raises:
        ValueError: they are not as this or any other version writes them.
    """
    layout = told.get("layout") if isinstance(told, Mapping) else None
    if not isinstance(layout, int):
        raise ValueError("its metadata are not those that `bias-tasks export parquet` writes")
    return layout


def runs_told(told: Mapping[str, Any], path: Path) -> list[Run]:
    """The runs that a store's metadata tell of.

    Raises:
        ValueError, KeyError, TypeError: they are not as `told_of_runs` writes them.
    """
    return [_run(each, path) for each in told["runs"]]


def _told(run: Run, stored: Stored) -> dict[str, Any]:
    plain = {name: getattr(run, name) for name in _PLAIN}
    return plain | {
        "path": str(run.path),
        "record": dict(run.record),
        "metrics": [asdict(figure) for figure in run.metrics],
        "samples": asdict(run.samples),
        "usage": {model: asdict(used) for model, used in run.usage.items()},
        "row_groups": [stored.first, stored.last],
        "rows": stored.rows,
        "unscored": stored.unscored,
    }


def _run(told: Mapping[str, Any], path: Path) -> Run:
    check_record(told["record"])
    first, last = told["row_groups"]
    run = Run(
        **{name: told[name] for name in _PLAIN},
        record=told["record"],
        path=Path(told["path"]),
        metrics=tuple(FigureValue(**each) for each in told["metrics"]),
        samples=Samples(**told["samples"]),
        usage={model: Usage(**used) for model, used in told["usage"].items()},
        stored=Stored(path, first, last, told["rows"], told["unscored"]),
    )
    _ = run.spec  # refuses what no family here has
    return run


_MADE = ("record", "path", "metrics", "samples", "usage", "stored")
_PLAIN = tuple(field.name for field in fields(Run) if field.name not in _MADE)
"""The run's values that are plain JSON as they are."""
