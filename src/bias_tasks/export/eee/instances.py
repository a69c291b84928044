"""A run's answers as instance rows, one an answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from bias_tasks.export.eee import SCHEMA_VERSION
from bias_tasks.export.eee.identity import Identity
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.frames import outcome_rows
from bias_tasks.results.run import Run

_TOLD = ("item", "cluster", "variant", "epoch", "why", "reason")


def instances_of(found: RunAnswers, run: Run, identity: Identity) -> Iterator[dict[str, Any]]:
    """A row an answer, which belongs to the run's headline figure.

    The schema wants a number and a truth value of each. An answer without a score, such as one in
    which no judgement could be read, has 0 there and says so under `error`; where there is no right
    or wrong, `is_correct` is false and `metadata` says so under `right`.

    Args:
        found: the answers with the models' texts.
        run: the run with all of its figures.
        identity: its names.

    Raises:
        UnusableRunError: a value is none that a run of ours logs.
    """
    headline = run.headline
    result = {} if headline is None else {"evaluation_result_id": headline.name}
    for answered, row in zip(found.answers, outcome_rows(found), strict=True):
        yield {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": identity.evaluation,
            "model_id": identity.model,
            "evaluation_name": run.record["task"],
            **result,
            **_instance(row, answered.text),
        }


def _instance(row: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    reference = [row["gold"]] if row["gold"] else []
    none = None if row["score"] is not None else f"no score: {row['why']}"
    return {
        "sample_id": f"{row['item']}/{row['variant']}",
        "sample_hash": hashlib.sha256("".join([row["prompt"], *reference]).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": row["prompt"], "reference": reference},
        "output": {"raw": [] if text is None else [text]},
        "answer_attribution": _attribution(row, written=text is not None),
        "evaluation": {
            "score": 0.0 if row["score"] is None else row["score"],
            "is_correct": row["right"] is True,
        },
        "error": none,
        "metadata": _metadata(row),
    }


def _attribution(row: Mapping[str, Any], *, written: bool) -> list[dict[str, Any]]:
    """What was read, and by which rule; nothing where nothing could be read."""
    if row["answer"] is None:
        return []
    return [
        {
            "turn_idx": 0,
            "source": "output.raw" if written else "log-likelihoods of the answers on offer",
            "extracted_value": row["answer"],
            "extraction_method": row["why"] or "as it stands",
            "is_terminal": True,
        }
    ]


def _metadata(row: Mapping[str, Any]) -> dict[str, str]:
    told = {name: row[name] for name in _TOLD if row[name] not in (None, "")}
    told["right"] = "neither right nor wrong" if row["right"] is None else row["right"]
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in told.items()
    }
