"""Outputs of lm-eval of a run made one: a results file, and its samples beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bias_tasks.data.replacing import replacing
from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.harness.figures import STDERR, Figures, OutcomeScore
from bias_tasks.merging.merged_record import merged_record
from bias_tasks.merging.pieces import Piece
from bias_tasks.merging.pool import Asked, NotMergedError, Pooled
from bias_tasks.names import content_hash
from bias_tasks.record import FIGURES, RECORD, figure_options, version_of
from bias_tasks.results.answers import samples_file
from bias_tasks.shards import PLACE
from bias_tasks.statistics.estimate import Estimate, written

_OUTCOME = "outcome"


def samples_in(piece: Piece) -> Iterator[Asked]:
    """What stands beside a results file, as far as it goes: a full disk cuts it off in a line.

    Raises:
        NotMergedError: the run kept no samples, or a line is none.
    """
    path = samples_file(piece.path, piece.task)
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines):
                try:
                    yield _asked(json.loads(line), f"{piece.path}{number}")
                except (ValueError, KeyError, TypeError) as error:
                    if not line.endswith(b"\n"):
                        return
                    raise NotMergedError(
                        f"{path}: line {number + 1} is no sample of lm-eval. Leave its log out, or "
                        "run it again"
                    ) from error
    except FileNotFoundError:
        raise NotMergedError(
            f"{path}: there are no samples beside the results; run lm-eval with --log_samples"
        ) from None


def _asked(row: Any, mark: str) -> Asked:
    doc = row["doc"]
    place = doc.get(PLACE, row["doc_id"])  # several processes' lines take turns
    return Asked(doc["id"], row[_OUTCOME]["epoch"], place, True, mark, row)


def write_merged(pieces: Sequence[Piece], pool: Pooled, folder: Path) -> Path:
    """Write the results file of a run, its figures worked out anew, and its samples.

    Raises:
        DataError: they can't be written.
    """
    task, last = pieces[0].task, pieces[-1]
    results = json.loads(last.path.read_text(encoding="utf-8"))
    record = merged_record(pieces, pool)
    rows = [_row(each, number) for number, each in enumerate(pool.answers)]
    card: dict[str, Estimate] = {}
    values = _values(results["results"][task], rows, record, card)
    record[FIGURES] = written(card)
    config = results["configs"][task]
    config["metadata"] = {**config["metadata"], RECORD: record}
    made = results | {
        "results": {task: values},
        "configs": {task: config},
        "versions": {task: version_of(record)},
        "n-shot": {task: results.get("n-shot", {}).get(task, 0)},
        "higher_is_better": {task: results.get("higher_is_better", {}).get(task, {})},
        "n-samples": {task: {"original": len(rows), "effective": len(rows)}},
        "group_subtasks": {task: []},
    }
    made.pop("groups", None)
    when = f"{content_hash(pieces[0].run)}_{last.path.stem.removeprefix('results_')}"
    path = folder / last.path.parent.name / f"results_{when}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    # Both are whole before either takes its place: figures never stand beside other answers.
    with replacing(samples_file(path, task)) as samples, replacing(path) as figures:
        for row in rows:
            samples.write(json.dumps(row, ensure_ascii=False).encode("utf-8") + b"\n")
        samples.flush()
        figures.write(json.dumps(made, indent=2, ensure_ascii=False).encode("utf-8"))
    for before in path.parent.glob(f"results_{content_hash(pieces[0].run)}_*.json"):
        if before != path:  # merged when other logs were there
            before.unlink()
            samples_file(before, task).unlink(missing_ok=True)
    return path


def _row(asked: Asked, number: int) -> dict[str, Any]:
    row: dict[str, Any] = asked.what
    doc = {name: value for name, value in row["doc"].items() if name != PLACE}
    outcome = {**row[_OUTCOME], "epoch": asked.epoch}
    return {**row, "doc_id": number, "doc": doc, _OUTCOME: outcome}


def _values(
    before: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    record: Mapping[str, Any],
    card: dict[str, Estimate],
) -> dict[str, Any]:
    """The metrics of the whole run under the names that its parts have; fills the scorecard."""
    family = load_family(record["family"])
    options = figure_options(family.tasks[record["task"]], record)
    outcomes = [Outcome.from_dict(row[_OUTCOME]) for row in rows]
    card |= family.scorecard(outcomes, options)
    figures = Figures(lambda _: card)
    scores = [OutcomeScore(each.score or 0.0, each) for each in outcomes]
    values: dict[str, Any] = {}
    for name, value in before.items():
        metric, _, _ = name.rpartition(",")
        if not metric or not isinstance(value, int | float):
            values[name] = value
        elif metric == _OUTCOME:
            values[name] = len(rows)
        elif metric.endswith(STDERR) and metric.removesuffix(STDERR) == _OUTCOME:
            values[name] = value
        else:
            values[name] = figures(metric, scores)
    if "sample_len" in values:
        values["sample_len"] = len(rows)
    return values
