"""`bias-tasks export hf`: a task as a data set of the Hugging Face hub, for `inspect eval hf/...`.

`bias-tasks export hf-results` writes the results of such runs as models' repositories state them.
Nothing is uploaded, and no network is used.
"""

import json
import math
import os
import re
from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

import click
import yaml

from bias_tasks.commands.inspect_options import name_value_option
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import SCORING_DATA
from bias_tasks.contract.parameters import SHARD, ParameterValues
from bias_tasks.contract.questions import Plan
from bias_tasks.contract.record import RECORD, RECORD_HEADLINE, find_planned_headline, run_record
from bias_tasks.families import family_of_task
from bias_tasks.messages import format_count
from bias_tasks.prompts.templates import fill
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.caveats import format_headline, list_caveats
from bias_tasks.results.command import alias_option, load_runs, paths_argument, report_problems
from bias_tasks.results.export import export, to_file_name
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.tables import open_output

_PACKAGED_SOURCES = {"core", "synthetic", "generated", "attacks"}
"""Sources in the provenance of a run whose items the package licenses."""
_USER_SOURCES = {"file", "responses", "template"}
"""Sources that are files of the user, who knows their licence."""
_HUB_TASK = re.compile(r"hf/(?P<id>[^/@]+/[^/@]+)(?:/[^@]*)?(?:@(?P<revision>[0-9a-f]{40})|@.*)?")
_LICENCE_NOTES = {
    "cc-by-4.0": "The items are part of bias-tasks, by its authors, under "
    "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/).",
    "unknown": "Items or texts are from files of the person who exported this data set. State "
    "their licence here and above before you publish it.",
}


@export.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--task", required=True, metavar="NAME", help="Task, as `list` names it.")
@name_value_option("-T", "parameters", "Parameter of the task, such as n=50.")
def hf(*, folder: Path, task: str, parameters: ParameterValues) -> None:
    """Write a task to FOLDER as a data set of the Hugging Face hub. Nothing is uploaded.

    FOLDER gets one row per prompt, `eval.yaml` for `inspect eval hf/OWNER/NAME`, and a data card.
    `bias-tasks results` computes the task's metrics from logs of such runs. The items must be of
    the core, generated, or from a file of your own; each question takes one call and has a correct
    answer.
    """
    task = task.removeprefix("bias_tasks/")
    try:
        family = family_of_task(task)
        plan, record = plan_data_set(family, task, parameters)
    except (LookupError, ValueError) as error:
        raise click.ClickException(str(error.args[0])) from error
    # Imported here: it takes a second, which other exports do not need.
    import pandas as pd

    rows = build_rows(family, plan, record)
    with open_output(folder / "test.parquet") as stream:
        pd.DataFrame(rows).to_parquet(stream, index=False)
    fields = _describe(family, task, plan, record)
    for name in ("eval.yaml", "README.md"):
        template = files(__package__).joinpath("hub_files", name).read_text(encoding="utf-8")
        with open_output(folder / name) as stream:
            stream.write(fill(template, **fields).encode())
    click.echo(f"{format_count(len(rows), 'row')} of {task}: {folder}")


@export.command()
@paths_argument
@alias_option
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--source-url", metavar="URL", show_default="none", help="Page that shows the runs.")
def hf_results(
    paths: tuple[Path, ...], aliases: Mapping[str, str], out: Path, source_url: str | None
) -> None:
    """Write headline metrics as results in models' repositories of the Hugging Face hub.

    PATH are logs of `inspect eval hf/OWNER/NAME` on data sets of `export hf`. OUT gets a folder per
    model: copy its `.eval_results` to the root of the model's repository. The notes of a result
    have its metric, interval, number of items, and caveats.
    """
    build = partial(_build_result, source_url=source_url)
    results, problems = load_runs(paths, build, aliases=aliases)
    by_path: dict[PurePosixPath, list[JsonObject]] = {}
    for path, result in results:
        by_path.setdefault(path, []).append(result)
    for path, entries in by_path.items():
        with open_output(out / path) as stream:
            stream.write(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True).encode())
        click.echo(f"{format_count(len(entries), 'result')}: {out / path}")
    report_problems(problems, paths, any_run=bool(results))


def plan_data_set(
    family: AnyFamily, task: str, parameters: ParameterValues
) -> tuple[Plan, JsonObject]:
    """Return the questions of a task, and the record of a run on them, for a public data set.

    Args:
        family: The task's family.
        task: Name of the task.
        parameters: Parameters that are set, unchecked.

    Raises:
        ValueError: A value is not allowed, or the questions cannot be rows of a public data set.
        DataError: The items are not available, or are those of a task that is probed.
    """
    values = family.tasks[task].values(parameters)
    if SHARD in values:
        raise ValueError(f"{SHARD}= is for runs: omit it")
    plan = family.plan(task, values)
    sources = {str(origin["source"]) for origin in plan.provenance if "source" in origin}
    if closed := sources - _PACKAGED_SOURCES - _USER_SOURCES:
        raise ValueError(
            f"the items of {', '.join(sorted(closed))} have licences of their own and are not "
            "exported: set data=core, data=generated or a file of your own"
        )
    if any(len(family.requests(question, "")) > 1 for question in plan.questions):
        raise ValueError(f"{task} takes several calls per question, and a row is one prompt")
    if not all(question.gold for question in plan.questions):
        raise ValueError(f"{task} has no correct answers, which `inspect eval hf/...` requires")
    record = run_record(family, task, values, plan)
    record[RECORD_HEADLINE] = find_planned_headline(family, task, values, plan)
    return plan, _hide_folders(record)


def build_rows(family: AnyFamily, plan: Plan, record: JsonObject) -> list[JsonObject]:
    """Return one row per question. What `results` needs is in two JSON texts.

    Args:
        family: The family of the questions.
        plan: The questions.
        record: The record of a run on them.
    """
    return [
        {
            "item": question.item,
            "variant": question.variant,
            "input": question.prompt,
            "target": family.displayed_label(question.scoring_data, question.gold) or question.gold,
            SCORING_DATA: json.dumps(question.scoring_data.to_dict(), ensure_ascii=False),
            RECORD: json.dumps(record, ensure_ascii=False),
        }
        for question in plan.questions
    ]


def _describe(family: AnyFamily, task: str, plan: Plan, record: JsonObject) -> dict[str, str]:
    """Return the fields of the files in `hub_files`."""
    spec, origins = family.tasks[task], [row for row in record["provenance"] if "source" in row]
    is_packaged = {row["source"] for row in origins} <= _PACKAGED_SOURCES
    licence = "cc-by-4.0" if is_packaged else "unknown"
    settings: JsonObject = {"temperature": spec.temperature}
    if plan.stop_sequences:
        settings["stop_seqs"] = list(plan.stop_sequences)
    return {
        "task": task,
        "summary": spec.summary,
        "description": json.dumps(spec.summary),
        "settings": json.dumps(settings),
        "headline": record[RECORD_HEADLINE],
        "package": record["package"],
        "licence": licence,
        "licence_note": _LICENCE_NOTES[licence],
        "sources": "\n".join(f"- {json.dumps(row, ensure_ascii=False)}" for row in origins),
    }


def _build_result(run: Run, source_url: str | None) -> tuple[PurePosixPath, JsonObject]:
    """Return the path and the content of a run's result.

    Raises:
        UnusableRunError: It is no run on a data set of the hub, or its headline has no value.
    """
    match = _HUB_TASK.fullmatch(run.task)
    if match is None:
        raise UnusableRunError(f"{run.task} is no run of `inspect eval hf/OWNER/NAME`")
    run = load_all_metrics(run)
    name, headline = run.headline or "", format_headline(run)
    value = run.metrics[name].value if name else math.nan
    if not math.isfinite(value):
        raise UnusableRunError(f"the headline metric has no value: {headline.interval}")
    better = run.metric_spec(name).better or "neither"
    described = f"{name} ({better} is better), 95 % interval {headline.interval}, {headline.basis}"
    dataset = {"id": match["id"], "task_id": run.record.task, "revision": match["revision"]}
    result = {
        "dataset": {name: text for name, text in dataset.items() if text},
        "value": value,
        "date": run.date,
        "source": {"url": source_url} if source_url else None,
        "notes": "; ".join(filter(None, [described, headline.doubt, *list_caveats(run)])),
    }
    file_name = f"{to_file_name(match['id'].replace('/', '_'))}.yaml"
    path = PurePosixPath(to_file_name(run.model), ".eval_results", file_name)
    return path, {name: part for name, part in result.items() if part is not None}


def _hide_folders(value: Any) -> Any:
    """Return plain JSON values with the name of each existing path in place of the path."""
    if isinstance(value, dict):
        return {name: _hide_folders(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_hide_folders, value)]
    return os.path.basename(value) if isinstance(value, str) and os.path.exists(value) else value
