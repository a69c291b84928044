"""`bias-tasks export`: finished runs in the formats of other tools.

These are tables of answers, and records of Every Eval Ever (schema 0.3.0): one JSON file a run,
which is found by its folder and a UUID, and beside it a line of JSON an answer.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from time import time
from typing import Any
from uuid import UUID

import click

from bias_tasks.names import digest, encodable
from bias_tasks.results.answers import RunAnswers, answers_of, card_of
from bias_tasks.results.command import finish, paths_argument, usable
from bias_tasks.results.find import read_runs
from bias_tasks.results.frames import OUTCOME_COLUMNS, outcome_rows
from bias_tasks.results.run import Run, UnusableRunError, apart
from bias_tasks.results.tables import write_csv, writing
from bias_tasks.results.text import printable, without_controls
from bias_tasks.statistics.estimate import Estimate, standard_error

_SCHEMA = {"schema_version": "0.3.0"}
_UNITS = {"share": "proportion", "difference": "difference of proportions"}
_ENDS = {math.inf: "Infinity", -math.inf: "-Infinity"}
_NEITHER = "neither: the schema wants a truth value, and lower_is_better says nothing here"
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\n]|^[-=+@]')
_RESERVED = re.compile(r"(?i)(?:data|con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
"""Names that a folder of theirs, or of Windows, cannot have."""
_out_file = click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The file to write; what stands there is replaced.",
)


@click.group()
def export() -> None:
    """Write the runs in PATH for other tools: Inspect logs, lm-eval results, or folders of them."""


@export.command(name="csv")
@paths_argument
@_out_file
def to_csv(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as CSV: a line an answer, both hosts alike.

    The columns are those of `bias_tasks.outcomes_df`. A text that a spreadsheet would take for a
    formula begins with `'`. Runs that did not finish and files that can't be read are named on
    standard error, and make the command fail after it has written the rest.
    """
    _write_answers(paths, out, ".csv")


@export.command(name="parquet")
@paths_argument
@_out_file
def to_parquet(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as Parquet: a row an answer, both hosts alike.

    As `export csv`, with texts as they are, and missing values and types told apart.
    """
    _write_answers(paths, out, ".parquet")


@export.command()
@paths_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write to, below which `data/` is made or added to.",
)
@click.option(
    "--organization", default="unknown", show_default=True, help="Who ran the evaluations."
)
@click.option(
    "--relationship",
    type=click.Choice(("first_party", "third_party", "collaborative", "other")),
    default="other",
    show_default=True,
    help="Of who ran them to the model's developer.",
)
@click.option("--developer", help="Of models whose names have none, such as `gpt2`.")
def eee(paths: tuple[Path, ...], out: Path, **evaluator: str) -> None:
    """Write a record a run for Every Eval Ever (schema 0.3.0), with every figure and every answer.

    Each figure has its interval, standard error, items, direction and range. The answers of a run
    stand beside its record; lm-eval has them with --log_samples. Exporting a run again replaces its
    files.
    """
    now = int(time())
    runs, problems = apart(read_runs(paths))
    done = usable(runs, problems, lambda run: _write_run(run, out, evaluator, now))
    if done:
        click.echo(f"{len(done):,} records with {sum(done):,} answers: {out / 'data'}")
    finish(problems, paths, found=bool(done))


def _write_answers(paths: tuple[Path, ...], out: Path, ending: str) -> None:
    import pandas as pd

    if out.suffix.lower() != ending:
        raise click.UsageError(f"--out {out}: the name of the file has to end in {ending}")
    runs, problems = apart(read_runs(paths))
    found = usable(runs, problems, lambda run: list(outcome_rows(answers_of(run))))
    rows = [row for each in found for row in each]
    if rows:
        if ending == ".csv":
            write_csv(rows, out)
        else:
            with writing(out) as stream:
                pd.DataFrame(rows).astype(OUTCOME_COLUMNS).to_parquet(stream, index=False)
        click.echo(f"{len(rows):,} answers of {len(found):,} runs: {out}")
    finish(problems, paths, found=bool(rows))


def _write_run(run: Run, folder: Path, evaluator: Mapping[str, str | None], retrieved: int) -> int:
    """Write a run's record and its answers, if any, below `<folder>/data`; how many these are."""
    try:
        answers = answers_of(run, str)
    except UnusableRunError as error:
        if run.host == "inspect":
            raise
        click.echo(printable(error), err=True)
        answers = RunAnswers(run, ())
    if run.host == "inspect":
        run = replace(run, metrics=card_of(answers))
    record = _record_of(run, evaluator, retrieved)
    path = folder / place_of(run, evaluator["developer"])
    if answers.answers:
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
    return len(answers.answers)


def place_of(run: Run, developer: str | None = None) -> PurePosixPath:
    """The path of a run's record, the same whenever the same run is exported."""
    first, slash, rest = run.model.partition("/")
    model = (first, rest) if slash else (developer or "unstated", first)
    folders = map(_as_name, (f"bias_tasks_{run.record['task']}", *model))
    return PurePosixPath("data", *folders, f"{_uuid(run)}.json")


def _record_of(run: Run, evaluator: Mapping[str, str | None], retrieved: int) -> dict[str, Any]:
    """The record of a run without a reference to its answers: a result for each figure of which
    there was something to measure, the headline first."""
    told, model = run.to_dict(), encodable(run.model)
    task, library = run.record["task"], {"lm-eval": "lm_eval"}.get(run.host, "inspect_ai")
    developer = model.partition("/")[0] if "/" in model else evaluator["developer"]
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
            "source_organization_name": evaluator["organization"],
            "evaluator_relationship": evaluator["relationship"],
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
    """A row an answer, of which the schema wants a number and a truth value: where there is no
    score, 0, and `error` says so; where no right or wrong, false, and `metadata` says so."""
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
    return {
        n: v if isinstance(v, str) else json.dumps(v, ensure_ascii=False, default=str)
        for n, v in values.items()
        if v not in (None, "", [], {})
    }


def _as_name(text: str) -> str:
    """The text as the name of a folder on any system."""
    plain = _NOT_IN_NAMES.sub("_", without_controls(text))
    name = plain.encode()[:200].decode(errors="ignore").rstrip(". ")
    return f"{name}_" if not name or _RESERVED.fullmatch(name) else name
