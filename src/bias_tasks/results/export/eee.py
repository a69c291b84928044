"""Runs as records of Every Eval Ever: one JSON file a run, and one line of JSON an answer.

Written for version 0.3.0 of its two schemas, `eval.schema.json` and
`instance_level_eval.schema.json`. Records are found by their folder,
`data/<collection>/<developer>/<model>`, and by a UUID.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO
from uuid import UUID

from bias_tasks.data.files import replacing
from bias_tasks.figures import Figure
from bias_tasks.names import digest, encodable
from bias_tasks.results.answers import RunAnswers, answers_of, card_of
from bias_tasks.results.frames import outcome_rows
from bias_tasks.results.run import FigureValue, Run, UnusableRunError, figures_in
from bias_tasks.statistics.estimate import QUANTILE

SCHEMA_VERSION = "0.3.0"
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
_LIBRARIES: Mapping[str, str] = {"inspect": "inspect_ai", "lm-eval": "lm_eval"}
_NUMBERS = ("temperature", "top_p", "top_k")
_MOST_TOKENS = ("max_tokens", "max_gen_toks")
"""What the hosts call the most tokens of an answer."""
_UNITS: Mapping[str, str] = {"share": "proportion", "difference": "difference of proportions"}
"""What the units are called there, where it is not as here."""
_NO_DIRECTION = (
    "neither: the schema wants a truth value, and lower_is_better says nothing of this figure"
)
_TOLD = ("item", "cluster", "variant", "epoch", "why", "reason")
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_RESERVED = re.compile(r"(?i)(?:data|con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
"""Names that a folder of theirs, or of Windows, cannot have."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Who asked the model, which no log says."""

    organization: str = "unknown"
    relationship: str = "other"
    """To the model's developer: one of `RELATIONSHIPS`."""
    developer: str | None = None
    """Of models whose names have none before a slash."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The names of one run."""

    uuid: UUID
    """The same whenever the same run is exported."""
    evaluation: str
    """`evaluation_id`, by which an answer finds its run."""
    model: str
    """The model's id: its name in the host."""
    developer: str | None
    """What stands before the first slash of the model's name, or as given; None without both."""
    record: PurePosixPath
    """The run's file, below the folder that is exported to."""
    samples: PurePosixPath
    """The file of its answers."""

    @classmethod
    def of(cls, run: Run, retrieved: int, developer: str | None = None) -> Identity:
        """The names of a run.

        Args:
            run: with its figures.
            retrieved: when it is exported, in seconds since 1970.
            developer: of a model whose name has none before a slash.
        """
        told = {name: value for name, value in run.to_dict().items() if name != "log"}
        uuid = UUID(hex=digest("first half", told) + digest("second half", told), version=4)
        model, task = encodable(run.model), run.record["task"]
        first, slash, rest = model.partition("/")
        developer, name = (first, rest) if slash else (developer, first)
        folder = PurePosixPath(
            "data",
            _as_name(f"bias_tasks_{task}"),
            _as_name(developer or "unstated"),  # nobody is guessed
            _as_name(name),
        )
        return cls(
            uuid=uuid,
            evaluation=f"{task}-{uuid.hex[:8]}/{model.replace('/', '_')}/{retrieved}",
            model=model,
            developer=developer,
            record=folder / f"{uuid}.json",
            samples=folder / f"{uuid}_samples.jsonl",
        )


def write_run(
    run: Run, folder: Path, evaluator: Evaluator, retrieved: int
) -> tuple[int, str | None]:
    """Write a run's record and, where its log has them, its answers; how many these are, or why
    there are none.

    Args:
        run: as it was found; its figures are worked out from its answers where its log has few.
        folder: where the folder `data` is, or will be.
        evaluator: who asked the model.
        retrieved: now, in seconds since 1970.

    Raises:
        UnusableRunError: its log is an Inspect log without answers that can be read.
        DataError: a file can't be written.
    """
    try:
        answers = answers_of(run, str)
    except UnusableRunError as error:
        if run.host == "inspect":
            raise
        answers, missing = None, str(error)
    if answers is not None and run.host == "inspect":
        run = replace(run, metrics=figures_in(card_of(answers)))
    identity = Identity.of(run, retrieved, evaluator.developer)
    record = _record(run, identity, evaluator, retrieved)
    path = folder / identity.record
    path.parent.mkdir(parents=True, exist_ok=True)
    if answers is None:
        with replacing(path) as stream:
            stream.write(_json(record, indent=2))
        return 0, missing
    # Both are whole before either takes its place: no record has other answers, or none.
    with replacing(folder / identity.samples) as lines, replacing(path) as stream:
        checksum = _write_lines(lines, instances_of(answers, run, identity))
        record["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": str(identity.samples),
            "hash_algorithm": "sha256",
            "checksum": checksum,
            "total_rows": len(answers.answers),
        }
        stream.write(_json(record, indent=2))
    return len(answers.answers), None


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


def results_of(
    run: Run, source_data: Mapping[str, Any], generation: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """One result a figure, the headline first.

    A figure of which there was nothing to measure has no number and is none (`without_value`).

    Args:
        run: with all of its figures.
        source_data: where the items come from, the same for each result.
        generation: how answers were drawn, the same for each result.
    """
    first = run.headline
    measured = [figure for figure in run.metrics if math.isfinite(figure.value)]
    ordered = sorted(measured, key=lambda figure: figure != first)  # stable
    return [
        {
            "evaluation_result_id": figure.name,
            "evaluation_name": run.record["task"],
            "source_data": source_data,
            "metric_config": _metric(run, figure),
            "score_details": _score(figure, is_headline=figure == first),
            **({"generation_config": generation} if generation else {}),
        }
        for figure in ordered
    ]


def without_value(run: Run) -> list[str]:
    """The names of the figures of which there was nothing to measure."""
    return [figure.name for figure in run.metrics if not math.isfinite(figure.value)]


def _record(run: Run, identity: Identity, evaluator: Evaluator, retrieved: int) -> dict[str, Any]:
    """The record of a run with all of its figures, without a reference to its answers."""
    when = {}
    if run.date is not None:
        seconds = int(datetime.fromisoformat(run.date).timestamp())
        when = {"evaluation_timestamp": str(seconds)}
    name = _LIBRARIES[run.host]
    more = {"family": run.record["family"], "task": run.task, **run.versions}
    more["version of the task"] = run.record.get("version")
    told = {  # what must be known to ask the same again, or to believe the figures
        "protocol": run.protocol,
        "parameters": run.record["parameters"],
        "digest": run.digest,
        "items": run.n,
        "samples": asdict(run.samples),
        "notes": run.note,
        "figures_without_value": without_value(run),
        "log": run.path.name,
    }
    source_data = {  # several sources, or a file of the user's, as a rule
        "dataset_name": Path(run.data).name,
        "source_type": "other",
        "additional_details": _texts({"sources": run.record["provenance"]}),
    }
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
            "additional_details": _texts(told),
        },
        "eval_library": {
            "name": name,
            "version": run.versions.get(name, "unknown"),
            "additional_details": _texts({key: each for key, each in more.items() if key != name}),
        },
        "model_info": {
            "name": identity.model,
            "id": identity.model,
            **({"developer": identity.developer} if identity.developer else {}),
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": results_of(run, source_data, _generation(run)),
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


def _metric(run: Run, figure: FigureValue) -> dict[str, Any]:
    """What the figure is, as its family declares it."""
    family, declared = run.family, run.declared(figure.name)
    named = {"metric_id": f"bias_tasks.{family.name}.{figure.name}", "metric_name": figure.name}
    if declared is None:
        return {**named, "lower_is_better": False, "additional_details": {"better": _NO_DIRECTION}}
    told = {
        "figure": declared.name,
        "better": declared.better or _NO_DIRECTION,
        "defined_in": declared.source,
    }
    return {
        **named,
        "evaluation_description": declared.meaning,
        "metric_unit": _UNITS.get(declared.unit, declared.unit),
        "lower_is_better": declared.better == "lower",
        **_range(declared),
        "additional_details": {name: value for name, value in told.items() if value},
    }


def _range(declared: Figure) -> dict[str, Any]:
    """The least and largest value that there can be."""
    ends = {"min_score": declared.low, "max_score": declared.high}
    words = {math.inf: "Infinity", -math.inf: "-Infinity"}
    kind = "binary" if declared.unit == "verdict" else "continuous"
    return {"score_type": kind} | {n: words.get(end, float(end)) for n, end in ends.items()}


def _score(figure: FigureValue, *, is_headline: bool) -> dict[str, Any]:
    """The value with its uncertainty."""
    uncertainty: dict[str, Any] = {"num_samples": figure.n}
    details = {"headline": "true"} if is_headline else {}
    ends = {"lower": figure.ci_low, "upper": figure.ci_high}
    if all(map(math.isfinite, ends.values())):
        uncertainty["confidence_interval"] = ends | {
            "confidence_level": round(2 * QUANTILE - 1, 9),
            "method": "by bias-tasks; respects clusters of items and pairs",
        }
    else:  # one end alone, or one that is infinite, has no place there
        details |= {f"ci_{name}": str(end) for name, end in ends.items() if not math.isnan(end)}
    if figure.stderr is not None:
        method = "of the normal estimate whose 95 % interval is as wide"
        uncertainty["standard_error"] = {"value": figure.stderr, "method": method}
    found: dict[str, Any] = {"score": figure.value, "uncertainty": uncertainty}
    return found | ({"details": details} if details else {})


def _instance(row: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    """An answer; `answer_attribution` is what was read, and by which rule."""
    reference = [row["gold"]] if row["gold"] else []
    attribution = {
        "turn_idx": 0,
        "source": "log-likelihoods of the answers on offer" if text is None else "output.raw",
        "extracted_value": row["answer"],
        "extraction_method": row["why"] or "as it stands",
        "is_terminal": True,
    }
    told = {name: str(row[name]) for name in _TOLD if row[name] not in (None, "")}
    right = "neither right nor wrong" if row["right"] is None else str(row["right"]).lower()
    return {
        "sample_id": f"{row['item']}/{row['variant']}",
        "sample_hash": hashlib.sha256("".join([row["prompt"], *reference]).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": row["prompt"], "reference": reference},
        "output": {"raw": [] if text is None else [text]},
        "answer_attribution": [] if row["answer"] is None else [attribution],
        "evaluation": {
            "score": 0.0 if row["score"] is None else row["score"],
            "is_correct": row["right"] is True,
        },
        "error": None if row["score"] is not None else f"no score: {row['why']}",
        "metadata": told | {"right": right},
    }


def _write_lines(stream: BinaryIO, rows: Iterator[Mapping[str, Any]]) -> str:
    """Write a line a row; the hash of all."""
    found = hashlib.sha256()
    for row in rows:
        line = _json(row) + b"\n"
        stream.write(line)
        found.update(line)
    stream.flush()
    return found.hexdigest()


def _json(value: Any, indent: int | None = None) -> bytes:
    """JSON without NaN and infinities, which only Python reads, and halves of surrogate pairs."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return encodable(text).encode()


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    """The values that there are as texts, which is all that details can be: others as JSON."""
    return {
        str(name): value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, default=str)
        for name, value in values.items()
        if value not in (None, [], {})
    }


def _as_name(text: str) -> str:
    """The text as the name of a folder on any system."""
    short = _NOT_IN_NAMES.sub("_", text).encode()[:200].decode(errors="ignore")
    name = short.rstrip(". ")
    return f"{name}_" if not name or _RESERVED.fullmatch(name) else name
