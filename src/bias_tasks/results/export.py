"""`bias-tasks export`: finished runs in the formats of other tools.

These are tables of answers, and records of Every Eval Ever (schema 0.3.0): one JSON file per run,
named by a UUID, and next to it one line of JSON per answer.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from time import time
from uuid import UUID

import click

from bias_tasks.digests import digest
from bias_tasks.messages import format_count
from bias_tasks.results.answers import RunAnswers, load_answers
from bias_tasks.results.command import alias_option, load_runs, paths_argument, report_problems
from bias_tasks.results.frames import (
    LABEL_COLUMNS,
    OUTCOME_COLUMNS,
    build_frame,
    build_metric_rows,
    build_outcome_rows,
    describe_run,
)
from bias_tasks.results.run import Run
from bias_tasks.results.tables import Row, open_output, write_csv
from bias_tasks.results.text import escape_controls, to_json
from bias_tasks.statistics.estimate import Estimate, standard_error
from bias_tasks.unicode_text import encodable

_SCHEMA = {"schema_version": "0.3.0"}
_UNITS = {"share": "proportion", "difference": "difference of proportions"}
_INFINITIES = {math.inf: "Infinity", -math.inf: "-Infinity"}
_NEITHER = "neither: the schema requires a truth value, so lower_is_better has no meaning here"
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\n]|^[-=+@]')
_RESERVED = re.compile(r"(?i)(?:data|con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
"""Names that a folder of Every Eval Ever, or of Windows, cannot have."""
_OUTCOME_DETAILS = (
    *("item", "cluster", "variant", "epoch", "explanation", "reason"),
    *LABEL_COLUMNS,
)
_SAMPLING_SETTINGS = ("temperature", "top_p", "top_k", "max_tokens")
_out_file = click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="File to write; an existing file is replaced.",
)


@click.group()
def export() -> None:
    """Export runs for other tools; PATH are Inspect logs, lm-eval results, or folders of them."""


@export.command(name="csv")
@paths_argument
@alias_option
@_out_file
def to_csv(paths: tuple[Path, ...], aliases: Mapping[str, str], out: Path) -> None:
    """Write one row per answer as CSV, the same for both frameworks.

    The columns are those of `bias_tasks.outcomes_df`. A text that a spreadsheet would evaluate as a
    formula begins with `'`. An answer longer than 2,000 characters, and any text longer than
    30,000, is cut in its middle with a note of how much. Skipped logs are named on standard error.
    The exit status is that of `bias-tasks results` for the same PATH.
    """
    _write_answers(paths, aliases, out, ".csv")


@export.command(name="parquet")
@paths_argument
@alias_option
@_out_file
def to_parquet(paths: tuple[Path, ...], aliases: Mapping[str, str], out: Path) -> None:
    """Write one row per answer as Parquet, the same for both frameworks.

    The columns are those of `export csv`, with unchanged texts, types and missing values.
    """
    _write_answers(paths, aliases, out, ".parquet")


@export.command()
@paths_argument
@alias_option
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to; files are added to its subfolder `data/`.",
)
@click.option("--organization", default="unknown", help="Who ran the evaluations.")
@click.option(
    "--relationship",
    type=click.Choice(("first_party", "third_party", "collaborative", "other")),
    default="other",
    help="Relationship of the organization to the models' developer.",
)
@click.option(
    "--developer",
    show_default="unstated",
    help="Developer of models whose names have none, such as `gpt2`.",
)
def eee(
    paths: tuple[Path, ...], aliases: Mapping[str, str], out: Path, **evaluator: str | None
) -> None:
    """Write one record per run for Every Eval Ever (schema 0.3.0), with all metrics and answers.

    Each metric has its interval, standard error, items, direction and range. The answers of a run
    are in a file next to its record; lm-eval logs them with --log_samples. Exporting a run again
    replaces its files.
    """
    now = int(time())
    counts, problems = load_runs(
        paths, lambda run: _write_run(run, out, evaluator, now), aliases=aliases
    )
    if counts:
        answers = format_count(sum(counts), "answer")
        click.echo(f"{format_count(len(counts), 'record')} with {answers}: {out / 'data'}")
    report_problems(problems, paths, any_run=bool(counts))


def _write_answers(
    paths: tuple[Path, ...], aliases: Mapping[str, str], out: Path, suffix: str
) -> None:
    if out.suffix.lower() != suffix:
        raise click.UsageError(f"--out {out}: the name of the file must end in {suffix}")
    tables, problems = load_runs(
        paths, lambda run: list(build_outcome_rows(load_answers(run))), aliases=aliases
    )
    rows = [row for table in tables for row in table]
    if rows:
        if suffix == ".csv":
            write_csv(rows, out)
        else:
            with open_output(out) as stream:
                build_frame(rows).astype(OUTCOME_COLUMNS).to_parquet(stream, index=False)
        answers, runs = format_count(len(rows), "answer"), format_count(len(tables), "run")
        click.echo(f"{answers} of {runs}: {out}")
    report_problems(problems, paths, any_run=bool(rows))


def _write_run(run: Run, folder: Path, evaluator: Mapping[str, str | None], retrieved: int) -> int:
    """Write a run's record, and its answers as JSON lines, below `<folder>/data`.

    Args:
        run: The run.
        folder: The folder of the export.
        evaluator: Who evaluated, for the record; `developer` names the folder.
        retrieved: Time of the export, in seconds since 1970.

    Returns:
        The number of answers.
    """
    answers = load_answers(run, str)
    run = answers.run
    model = encodable(run.model).replace("/", "_")
    evaluation_id = f"{run.record.task}-{_build_uuid(run).hex[:8]}/{model}/{retrieved}"
    record = _build_record(run, evaluator, evaluation_id, retrieved)
    path = folder / _record_path(run, evaluator["developer"])
    rows = _build_rows(answers, run, evaluation_id)
    lines = "".join(f"{encodable(to_json(row))}\n" for row in rows).encode()
    samples = path.with_name(f"{path.stem}_samples.jsonl")
    record["detailed_evaluation_results"] = {
        "format": "jsonl",
        "file_path": samples.relative_to(folder).as_posix(),
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(lines).hexdigest(),
        "total_rows": len(answers.answers),
    }
    with open_output(samples) as stream:
        stream.write(lines)
    with open_output(path) as stream:
        stream.write(encodable(to_json(record, 2)).encode())
    return len(answers.answers)


def _record_path(run: Run, developer: str | None) -> PurePosixPath:
    """Return the path of a run's record, which is the same each time the run is exported."""
    first, slash, rest = run.model.partition("/")
    model = (first, rest) if slash else (developer or "unstated", first)
    folders = map(to_file_name, (f"bias_tasks_{run.record.task}", *model))
    return PurePosixPath("data", *folders, f"{_build_uuid(run)}.json")


def _build_record(
    run: Run, evaluator: Mapping[str, str | None], evaluation_id: str, retrieved: int
) -> dict[str, object]:
    """Return the record of a run without a reference to its answers.

    It has one result per metric with a finite value, the headline first. `evaluator` has the
    command's options about who ran the evaluations.
    """
    model = encodable(run.model)
    library = "lm_eval" if run.framework == "lm-eval" else "inspect_ai"
    developer = model.partition("/")[0] if "/" in model else evaluator["developer"]
    measured = {name: e for name, e in run.metrics.items() if math.isfinite(e.value)}
    result = {
        "evaluation_name": run.record.task,
        "source_data": {
            # There are usually several sources, or a user's file.
            "dataset_name": Path(run.record.data).name,
            "source_type": "other",
            "additional_details": _to_texts(sources=run.record.provenance),
        },
        "generation_config": {
            "generation_args": _select_sampling_settings(run),
            "additional_details": _to_texts(**run.settings),
        },
    }
    timestamp = f"{datetime.fromisoformat(run.date).timestamp():.0f}" if run.date else None
    return {
        **_SCHEMA,
        "evaluation_id": evaluation_id,
        **({"evaluation_timestamp": timestamp} if timestamp else {}),
        "retrieved_timestamp": str(retrieved),
        "source_metadata": {
            "source_name": "bias-tasks",
            "source_type": "evaluation_run",
            "source_organization_name": evaluator["organization"],
            "evaluator_relationship": evaluator["relationship"],
            "additional_details": _to_texts(
                **describe_run(run),
                parameters=run.record.parameters,
                log=run.path.name,
                metrics_without_value=[name for name in run.metrics if name not in measured],
            ),
        },
        "eval_library": {
            "name": library,
            "version": run.versions.get(library, "unknown"),
            "additional_details": _to_texts(task_version=run.record.version, task=run.task),
        },
        "model_info": {
            "name": model,
            "id": model,
            **({"developer": developer} if developer else {}),
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [
            {"evaluation_result_id": name, **result, **_build_result(run, name, measured[name])}
            for name in sorted(measured, key=lambda name: name != run.headline)
        ],
    }


def _select_sampling_settings(run: Run) -> dict[str, int | float]:
    settings = {name: run.settings.get(name) for name in _SAMPLING_SETTINGS}
    settings["max_tokens"] = settings["max_tokens"] or run.settings.get("max_gen_toks")
    return {
        name: value
        for name, value in settings.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _build_uuid(run: Run) -> UUID:
    rows = to_json([row | {"log": None} for row in build_metric_rows({run: run.metrics})])
    return UUID(hex=digest("first half", rows) + digest("second half", rows), version=4)


def _build_result(run: Run, name: str, estimate: Estimate) -> dict[str, object]:
    """Return a metric's declaration, and its value with its uncertainty."""
    spec = run.metric_spec(name)
    better = spec.better or _NEITHER
    metric = {
        "metric_id": f"bias_tasks.{run.family.name}.{name}",
        "metric_name": name,
        "lower_is_better": better == "lower",
        "additional_details": _to_texts(better=better, defined_in=spec.source),
        "min_score": _INFINITIES.get(spec.low, float(spec.low)),
        "max_score": _INFINITIES.get(spec.high, float(spec.high)),
        "evaluation_description": spec.meaning,
        "metric_unit": _UNITS.get(spec.unit, spec.unit),
        "score_type": "binary" if spec.unit == "verdict" else "continuous",
    }
    uncertainty: dict[str, object] = {"num_samples": estimate.n}
    bounds = {"lower": estimate.ci_low, "upper": estimate.ci_high}
    details = {"headline": "true"} if name == run.headline else {}
    if estimate.p is not None and not math.isnan(estimate.p):
        details["p_adjusted"] = str(estimate.p)
    if all(map(math.isfinite, bounds.values())):
        uncertainty["confidence_interval"] = {
            **bounds,
            "confidence_level": 0.95,
            "method": "by bias-tasks; respects clusters of items and pairs",
        }
        uncertainty["standard_error"] = {
            "value": standard_error(estimate),
            "method": "of the normal estimate whose 95 % interval is as wide",
        }
    else:  # the schema allows no interval with one finite bound
        details |= {f"ci_{end}": str(b) for end, b in bounds.items() if not math.isnan(b)}
    score = {"score": estimate.value, "uncertainty": uncertainty, "details": details}
    return {"metric_config": metric, "score_details": score}


def _build_rows(answers: RunAnswers, run: Run, evaluation_id: str) -> Iterator[dict[str, object]]:
    """Yield one row per answer.

    The schema requires a number and a truth value. An answer without a score has 0, and `error`
    reports it; one that is neither correct nor wrong has false, and `metadata` reports it.
    """
    shared = {**_SCHEMA, "evaluation_id": evaluation_id, "model_id": encodable(run.model)}
    shared |= {"evaluation_name": run.record.task, "interaction_type": "single_turn"}
    # A headline without a value is not among the results.
    if run.headline is not None and math.isfinite(run.metrics[run.headline].value):
        shared["evaluation_result_id"] = run.headline
    for row in build_outcome_rows(answers, output=True):
        score, correct = row["score"], row["correct"]
        yield {
            **shared,
            "sample_id": f"{row['item']}/{row['variant']}",
            "input": {"raw": row["prompt"], "reference": [row["gold"]] if row["gold"] else []},
            "output": {"raw": [] if row["output"] is None else [row["output"]]},
            "answer_attribution": _build_attribution(row),
            "evaluation": {"score": score or 0.0, "is_correct": correct is True},
            "error": f"no score: {row['explanation']}" if score is None else None,
            "metadata": _to_texts(
                **{name: row[name] for name in _OUTCOME_DETAILS},
                correct="neither correct nor wrong" if correct is None else str(correct).lower(),
            ),
        }


def _build_attribution(row: Row) -> list[dict[str, object]]:
    """Return where the parsed answer comes from; an empty list if it is unparsed."""
    if row["answer"] is None:
        return []
    return [
        {
            "turn_idx": 0,
            "source": "log-likelihoods of the options" if row["output"] is None else "output.raw",
            "is_terminal": True,
            "extracted_value": row["answer"],
            "extraction_method": row["explanation"] or "unchanged",
        }
    ]


def _to_texts(**values: object) -> dict[str, str]:
    """Return non-empty values as the texts that the schema requires; other types as JSON."""
    return {
        name: v if isinstance(v, str) else to_json(v)
        for name, v in values.items()
        if v not in (None, "", [], (), {})
    }


def to_file_name(text: str) -> str:
    """Return the text as the name of a folder on any system."""
    plain = _NOT_IN_NAMES.sub("_", escape_controls(text))
    name = plain.encode()[:200].decode(errors="ignore").rstrip(". ")
    return f"{name}_" if not name or _RESERVED.fullmatch(name) else name
