"""The answers of a run in the output folder of lm-eval."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bias_tasks.design.output_format import question_from_dict
from bias_tasks.mitigation.answers import Answer, Answers, UnusableRunError
from bias_tasks.results import Run
from bias_tasks.scoring.output_format import format_shares, read_format

_RECORD = "bias_tasks"
"""The name under which a task of ours writes down what it asked."""


def read_harness_answers(path: Path, runs: Sequence[Run]) -> Answers:
    """The answers of all format tasks of a results file, read again from its samples files.

    Raises:
        UnusableRunError: there is no format task among the runs, or a samples file is missing or
            can't be read.
    """
    configs = json.loads(path.read_text(encoding="utf-8"))["configs"]
    tasks = [run.task for run in runs if run.task.startswith("format_")]
    if not tasks:
        raise UnusableRunError(f"{path}: has no format task")
    records = [configs[task]["metadata"][_RECORD] for task in tasks]
    return Answers(
        path=path,
        host=runs[0].host,
        task=", ".join(tasks),
        model=runs[0].model,
        answers=tuple(answer for task in tasks for answer in _answers(_samples_of(path, task))),
        unscored=0,
        repeat=records[0]["repeat"],
        provenance=tuple(source for record in records for source in record["provenance"]),
    )


def _samples_of(path: Path, task: str) -> Path:
    """The samples file that belongs to a results file: its name has the same time in it."""
    return path.with_name(f"samples_{task}_{path.stem.removeprefix('results_')}.jsonl")


def _answers(path: Path) -> Iterator[Answer]:
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield _answer(json.loads(line))
    except FileNotFoundError:
        raise UnusableRunError(
            f"{path}: there are no samples beside the results; run lm-eval with --log_samples"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise UnusableRunError(f"{path}: cannot be read as samples ({error!r})") from error


def _answer(row: dict[str, Any]) -> Answer:
    question = question_from_dict(json.loads(row["doc"]["question"]))
    reading = read_format(question, row["filtered_resps"][0])
    return Answer(question, format_shares(question, reading))
