"""A run as one record: whose model, asked by what, with which results."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bias_tasks.export.eee import SCHEMA_VERSION
from bias_tasks.export.eee.figures import results_of, without_value
from bias_tasks.export.eee.identity import Identity
from bias_tasks.results.run import Run

_LIBRARIES: Mapping[str, str] = {"inspect": "inspect_ai", "lm-eval": "lm_eval"}
_NUMBERS = ("temperature", "top_p", "top_k")
_MOST_TOKENS = ("max_tokens", "max_gen_toks")
"""What the hosts call the most tokens of an answer."""

RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Who asked the model, which no log says."""

    organization: str = "unknown"
    relationship: str = "other"
    """To the model's developer: one of `RELATIONSHIPS`."""
    developer: str | None = None
    """Of models whose names have none before a slash."""


def record_of(run: Run, identity: Identity, evaluator: Evaluator, retrieved: int) -> dict[str, Any]:
    """The record of a run, without a reference to its answers.

    Args:
        run: with all of its figures.
        identity: its names.
        evaluator: who asked.
        retrieved: when the record is made, in seconds since 1970.
    """
    when = {} if run.date is None else {"evaluation_timestamp": _seconds(run.date)}
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": identity.evaluation,
        **when,
        "retrieved_timestamp": str(retrieved),
        "source_metadata": {
            "source_name": "bias-tasks",
            "source_type": "evaluation_run",
            "source_organization_name": evaluator.organization,
            "evaluator_relationship": evaluator.relationship,
            "additional_details": _texts(_told(run)),
        },
        "eval_library": _library(run),
        "model_info": _model(run, identity),
        "evaluation_results": results_of(run, _source_data(run), _generation(run)),
    }


def _told(run: Run) -> dict[str, Any]:
    """What must be known of a run to ask the same again, or to believe its figures."""
    return {
        "protocol": run.protocol,
        "parameters": run.record["parameters"],
        "digest": run.digest,
        "items": run.n,
        "samples": asdict(run.samples),
        "notes": run.note,
        "figures_without_value": without_value(run),
        "log": run.path.name,
    }


def _library(run: Run) -> dict[str, Any]:
    name = _LIBRARIES[run.host]
    more = {"family": run.record["family"], "task": run.task, **run.versions}
    more["version of the task"] = run.record.get("version")
    return {
        "name": name,
        "version": run.versions.get(name, "unknown"),
        "additional_details": _texts({key: each for key, each in more.items() if key != name}),
    }


def _model(run: Run, identity: Identity) -> dict[str, Any]:
    """The model; how it was deployed stands in no log."""
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    return {
        "name": identity.model,
        "id": identity.model,
        **({"developer": identity.developer} if identity.developer else {}),
        "additional_details": unknown,
    }


def _source_data(run: Run) -> dict[str, Any]:
    """Where the items come from: several sources, or a file of the user's, as a rule."""
    return {
        "dataset_name": Path(run.data).name,
        "source_type": "other",
        "additional_details": _texts({"sources": run.record["provenance"]}),
    }


def _generation(run: Run) -> dict[str, Any]:
    """How answers were drawn, as far as the host was told."""
    told = dict(run.settings)
    drawn = {name: told.pop(name) for name in _NUMBERS if _is_number(told.get(name))}
    for name in _MOST_TOKENS:
        if isinstance(told.get(name), int) and told[name] >= 1:
            drawn["max_tokens"] = told.pop(name)
    found = {"generation_args": drawn, "additional_details": _texts(told)}
    return {name: value for name, value in found.items() if value}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _seconds(date: str) -> str:
    return str(int(datetime.fromisoformat(date).timestamp()))


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    """The values that there are as texts, which is all that details can be: others as JSON."""
    return {
        str(name): value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, default=str)
        for name, value in values.items()
        if value not in (None, [], {})
    }
