"""Runs as records of Every Eval Ever (schema 0.3.0): one JSON file a run, found by its folder and a
UUID (`data/<collection>/<developer>/<model>/<UUID>.json`), and beside it a line of JSON an answer.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from uuid import UUID

from bias_tasks.names import digest, encodable
from bias_tasks.results.answers import RunAnswers, answers_of, card_of
from bias_tasks.results.frames import outcome_rows
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.tables import writing
from bias_tasks.results.text import without_controls
from bias_tasks.statistics.estimate import Estimate, standard_error

RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
_SCHEMA = {"schema_version": "0.3.0"}
_UNITS = {"share": "proportion", "difference": "difference of proportions"}
_ENDS = {math.inf: "Infinity", -math.inf: "-Infinity"}
_NEITHER = "neither: the schema wants a truth value, and lower_is_better says nothing here"
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\n]|^[-=+@]')
_RESERVED = re.compile(r"(?i)(?:data|con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
"""Names that a folder of theirs, or of Windows, cannot have."""


class Evaluator(NamedTuple):
    """Who asked the model, and what they are to its developer, which no log says."""

    organization: str = "unknown"
    relationship: str = "other"
    developer: str | None = None
    """Of models whose names have none before a slash."""


def write_run(run: Run, folder: Path, by: Evaluator, retrieved: int) -> tuple[int, str | None]:
    """Write a run's record and, where its log has them, its answers, below `<folder>/data`: how
    many these are, or 0 and why. An Inspect log without any is an UnusableRunError."""
    try:
        answers, missing = answers_of(run, str), None
    except UnusableRunError as error:
        if run.host == "inspect":
            raise
        answers, missing = RunAnswers(run, ()), str(error)
    if run.host == "inspect":
        run = replace(run, metrics=card_of(answers))
    record = _record_of(run, by, retrieved)
    path = folder / place_of(run, by.developer)
    if missing is None:
        rows = _instances(answers, run, record["evaluation_id"])
        lines = b"".join(_json(row) + b"\n" for row in rows)
        samples = path.with_name(f"{path.stem}_samples.jsonl")
        record["detailed_evaluation_results"] = {
            **{"format": "jsonl", "file_path": samples.relative_to(folder).as_posix()},
            **{"hash_algorithm": "sha256", "checksum": hashlib.sha256(lines).hexdigest()},
            "total_rows": len(answers.answers),
        }
        with writing(samples) as stream:
            stream.write(lines)
    with writing(path) as stream:
        stream.write(_json(record, indent=2))
    return len(answers.answers), missing


def place_of(run: Run, developer: str | None = None) -> PurePosixPath:
    """The path of a run's record, the same whenever the same run is exported."""
    first, slash, rest = run.model.partition("/")
    model = (first, rest) if slash else (developer or "unstated", first)
    folders = map(_as_name, (f"bias_tasks_{run.record['task']}", *model))
    return PurePosixPath("data", *folders, f"{_uuid(run)}.json")


def _record_of(run: Run, by: Evaluator, retrieved: int) -> dict[str, Any]:
    """The record of a run without a reference to its answers: a result for each figure of which
    there was something to measure, the headline first."""
    told, model = run.to_dict(), encodable(run.model)
    task, library = run.record["task"], {"lm-eval": "lm_eval"}.get(run.host, "inspect_ai")
    developer = model.partition("/")[0] if "/" in model else by.developer
    measured = {name: each for name, each in run.metrics.items() if math.isfinite(each.value)}
    drawn = {n: run.settings.get(n) for n in ("temperature", "top_p", "top_k", "max_tokens")}
    drawn["max_tokens"] = drawn["max_tokens"] or run.settings.get("max_gen_toks")
    result = {
        "evaluation_name": task,
        "source_data": {  # several sources, or a file of the user's, as a rule
            **{"dataset_name": Path(told["data"]).name, "source_type": "other"},
            "additional_details": _texts(sources=run.record["provenance"]),
        },
        "generation_config": {
            "generation_args": {n: v for n, v in drawn.items() if type(v) in (int, float)},
            "additional_details": _texts(**run.settings),
        },
    }
    # What must be known to ask the same again, or to believe the figures.
    asked = {name: told[name] for name in ("protocol", "digest", "samples", "note")} | {
        **{"parameters": run.record["parameters"], "items": run.n, "log": run.path.name},
        "figures_without_value": [name for name in run.metrics if name not in measured],
    }
    versions = {name: each for name, each in run.versions.items() if name != library}
    versions |= {"family": run.record["family"], "task": run.task}
    when = f"{datetime.fromisoformat(run.date).timestamp():.0f}" if run.date else None
    return {
        **_SCHEMA,
        "evaluation_id": f"{task}-{_uuid(run).hex[:8]}/{model.replace('/', '_')}/{retrieved}",
        **({"evaluation_timestamp": when} if when else {}),
        "retrieved_timestamp": str(retrieved),
        "source_metadata": {
            **{"source_name": "bias-tasks", "source_type": "evaluation_run"},
            "source_organization_name": by.organization,
            "evaluator_relationship": by.relationship,
            "additional_details": _texts(**asked),
        },
        "eval_library": {
            **{"name": library, "version": run.versions.get(library, "unknown")},
            "additional_details": _texts(task_version=run.record.get("version"), **versions),
        },
        "model_info": {
            **{"name": model, "id": model, **({"developer": developer} if developer else {})},
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [
            {"evaluation_result_id": name, **result, **_figure(run, name, measured[name])}
            for name in sorted(measured, key=lambda name: name != run.headline)
        ],
    }


def _uuid(run: Run) -> UUID:
    told = {name: value for name, value in run.to_dict().items() if name != "log"}
    return UUID(hex=digest("first half", told) + digest("second half", told), version=4)


def _figure(run: Run, name: str, figure: Estimate) -> dict[str, Any]:
    """What a figure is, as its family declares it, and its value with its uncertainty."""
    declared = run.figure(name)
    better = declared.better or _NEITHER
    metric = {
        **{"metric_id": f"bias_tasks.{run.family.name}.{name}", "metric_name": name},
        "lower_is_better": better == "lower",
        "additional_details": _texts(better=better, defined_in=declared.source),
        "min_score": _ENDS.get(declared.low, float(declared.low)),
        "max_score": _ENDS.get(declared.high, float(declared.high)),
        "evaluation_description": declared.meaning,
        "metric_unit": _UNITS.get(declared.unit, declared.unit),
        "score_type": "binary" if declared.unit == "verdict" else "continuous",
    }
    uncertainty: dict[str, Any] = {"num_samples": figure.n}
    bounds = {"lower": figure.ci_low, "upper": figure.ci_high}
    details = {"headline": "true"} if name == run.headline else {}
    if figure.p is not None and not math.isnan(figure.p):
        details["p_adjusted"] = str(figure.p)
    if all(map(math.isfinite, bounds.values())):
        how = "by bias-tasks; respects clusters of items and pairs"
        uncertainty["confidence_interval"] = {**bounds, "confidence_level": 0.95, "method": how}
        how = "of the normal estimate whose 95 % interval is as wide"
        uncertainty["standard_error"] = {"value": standard_error(figure), "method": how}
    else:  # limits of which one is not finite have no place there
        details |= {f"ci_{n}": str(end) for n, end in bounds.items() if not math.isnan(end)}
    score = {"score": figure.value, "uncertainty": uncertainty, "details": details}
    return {"metric_config": metric, "score_details": score}


def _instances(found: RunAnswers, run: Run, evaluation: str) -> Iterator[dict[str, Any]]:
    """A row an answer, which belongs to the run's headline figure.

    The schema wants a number and a truth value of each: where there is no score it is 0, and
    `error` says so; where there is no right or wrong it is false, and `metadata` says so.
    """
    same = {**_SCHEMA, "evaluation_id": evaluation, "model_id": encodable(run.model)}
    same |= {"evaluation_name": run.record["task"], "interaction_type": "single_turn"}
    same |= {} if run.headline is None else {"evaluation_result_id": run.headline}
    for answered, row in zip(found.answers, outcome_rows(found), strict=True):
        text, right, reference = answered.text, row["right"], [row["gold"]] if row["gold"] else []
        told = {n: row[n] for n in ("item", "cluster", "variant", "epoch", "why", "reason")}
        told["right"] = "neither right nor wrong" if right is None else str(right).lower()
        source = "log-likelihoods of the answers on offer" if text is None else "output.raw"
        read = {
            **{"turn_idx": 0, "source": source, "is_terminal": True},
            "extracted_value": row["answer"],
            "extraction_method": row["why"] or "as it stands",
        }
        yield {
            **same,
            "sample_id": f"{row['item']}/{row['variant']}",
            "input": {"raw": row["prompt"], "reference": reference},
            "output": {"raw": [] if text is None else [text]},
            "answer_attribution": [] if row["answer"] is None else [read],
            "evaluation": {"score": row["score"] or 0.0, "is_correct": right is True},
            "error": None if row["score"] is not None else f"no score: {row['why']}",
            "metadata": _texts(**told),
        }


def _json(value: Any, indent: int | None = None) -> bytes:
    """JSON without NaN and infinities, which only Python reads, and halves of surrogate pairs."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return encodable(text).encode()


def _texts(**values: Any) -> dict[str, str]:
    """The values that there are as texts, which is all that details can be: others as JSON."""
    there = {name: value for name, value in values.items() if value not in (None, "", [], {})}
    plain = {n: json.dumps(v, ensure_ascii=False, default=str) for n, v in there.items()}
    return {n: v if isinstance(v, str) else plain[n] for n, v in there.items()}


def _as_name(text: str) -> str:
    """The text as the name of a folder on any system."""
    plain = _NOT_IN_NAMES.sub("_", without_controls(text))
    name = plain.encode()[:200].decode(errors="ignore").rstrip(". ")
    return f"{name}_" if not name or _RESERVED.fullmatch(name) else name
