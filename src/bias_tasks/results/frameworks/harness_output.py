"""Reads runs from results files of lm-eval, and answers from the samples files next to them."""

import json
import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import read_outcome, read_scoring_data
from bias_tasks.contract.metrics import Better, MetricSpec
from bias_tasks.contract.outcomes import EARLIER_ROUNDS
from bias_tasks.contract.record import RECORD
from bias_tasks.contract.shards import POSITION
from bias_tasks.data.log_size import check_log_size
from bias_tasks.digests import digest
from bias_tasks.families import UnsupportedError
from bias_tasks.results.frameworks.record import read_record
from bias_tasks.results.other_tasks import SampleScores, build_record, find_cluster, parse_score
from bias_tasks.results.run import (
    FAILED,
    KeepText,
    KeyedAnswer,
    Problem,
    ReadResults,
    Run,
    Samples,
    ScoredAnswer,
    UnscoredSample,
    UnusableRunError,
)


def read_harness_output(path: Path, *, other_tasks: bool = False) -> ReadResults:
    """Return one run per task in a results file, or why there is none.

    Args:
        path: The results file.
        other_tasks: Whether to read the tasks of other packages, too.
    """
    check_log_size(path)
    results = json.loads(path.read_text(encoding="utf-8"))
    runs = [
        _read_run(path, task, config, results, other_tasks)
        for task, config in results["configs"].items()
    ]
    return runs or [Problem(path, "skipped: it has no tasks")]


def read_harness_answers(
    path: Path, task: str, family: AnyFamily, keep: KeepText
) -> Iterator[KeyedAnswer]:
    """Yield the answers in the samples file of a results file.

    Args:
        path: The results file.
        task: The task's name in lm-eval.
        family: The family of the task.
        keep: As in `load_answers`.

    Yields:
        The epoch and position in the run, by which answers are sorted, and the answer.
    """
    for row in read_sample_rows(path, task):
        document, reply = row["doc"], row["resps"][0][0]
        text = keep(reply) if keep is not None and isinstance(reply, str) else None
        data = read_scoring_data(family, document)
        position = int(document.get(POSITION, row["doc_id"]))
        if document["outcome"] is None:
            yield (1, position), UnscoredSample(data.item, data.cluster, data.variant, FAILED)
            continue
        outcome = read_outcome(family, document["outcome"])
        earlier, planned = document.get(EARLIER_ROUNDS), document["prompt"]
        if document.get("round", 1) > 1:  # its prompt quotes the answer of the first round
            planned = earlier[0]["prompt"] if earlier else ""
        yield (1, position), ScoredAnswer(data, outcome, document["prompt"], text, planned)


def read_harness_scores(path: Path, task: str, cluster: str | None) -> Iterator[SampleScores]:
    """Yield the scores in the samples file of another package's task, one document and filter each.

    Metrics whose reported value is not the mean of the documents' values, such as a perplexity,
    have a text in place of the value.

    Args:
        path: The results file.
        task: The task's name in lm-eval.
        cluster: As in `load_answers`.
    """
    reported = json.loads(path.read_text(encoding="utf-8"))["results"].get(task, {})
    reported_names = {key.partition(",")[0] for key in reported}
    rows = list(read_sample_rows(path, task))
    values: dict[str, dict[int, object]] = {}
    for index, row in enumerate(rows):
        filter_name = row.get("filter", "none")
        for metric in row.get("metrics", sorted(row.keys() & reported_names)):
            values.setdefault(f"{metric},{filter_name}", {})[index] = row.get(metric)
    for name, scores in values.items():
        if not _is_mean(reported.get(name), scores.values()):
            scores.update(dict.fromkeys(scores, "a part of a metric that is no mean"))
    for index, row in enumerate(rows):
        document, item = row["doc"], str(row["doc_id"])
        question = str(row.get("doc_hash") or digest(document)), str(row.get("target_hash"))
        yield SampleScores(
            (1, int(row["doc_id"])),
            item,
            find_cluster(item, document if isinstance(document, dict) else {}, cluster),
            "/".join(question),
            {name.removesuffix(",none"): s[index] for name, s in values.items() if index in s},
        )


def _is_mean(reported: object, scores: Iterable[object]) -> bool:
    """Return whether a reported value is the mean of scores; true if it is not known."""
    numbers = [parse_score(score) for score in scores]
    if None in numbers or not isinstance(reported, int | float):
        return True
    mean = math.fsum(number or 0.0 for number in numbers) / len(numbers)
    return not math.isfinite(reported) or math.isclose(reported, mean, rel_tol=1e-6, abs_tol=1e-9)


def samples_path(path: Path, task: str) -> Path:
    """Return where lm-eval writes the samples of a task of a results file, with --log_samples."""
    return path.with_name(f"samples_{task}_{path.stem.removeprefix('results_')}.jsonl")


def read_sample_rows(path: Path, task: str) -> Iterator[JsonObject]:
    """Yield the rows of the samples file that belongs to a results file.

    The names of both files contain the same time. Rows of several processes alternate.

    Raises:
        UnusableRunError: The samples file does not exist.
    """
    samples = samples_path(path, task)
    if not samples.exists():
        raise UnusableRunError(
            f"{samples}: there are no samples next to the results; run lm-eval with --log_samples"
        )
    check_log_size(samples)
    with samples.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _read_run(
    path: Path, task: str, config: JsonObject, results: JsonObject, other_tasks: bool
) -> Run | Problem:
    logged = (config.get("metadata") or {}).get(RECORD)
    is_other = logged is None
    if is_other and not other_tasks:
        return Problem(path, f"skipped: its task {task} is not a task of bias-tasks")
    try:
        version = results.get("versions", {}).get(task)
        record = build_record(task, version, {}) if is_other else read_record(logged)
    except UnsupportedError as error:
        return Problem(path, f"{task} cannot be read: {error}", failed=True)
    if "bypass,none" in results["results"].get(task, {}) if is_other else record.metrics is None:
        return Problem(path, f"{task} was not scored (--predict_only)", True, (record.task, task))
    timestamp, date = results.get("date"), None
    if timestamp is not None:
        date = datetime.fromtimestamp(timestamp, UTC).isoformat("T", "seconds")
    lm_eval_version = str(results.get("lm_eval_version", "?"))
    # Number of documents of the task (`original`) and of the run (`effective`).
    counts = results.get("n-samples", {}).get(task, {"original": 0, "effective": 0})
    # lm-eval makes up a model name from the model's type if the arguments have none.
    name, model_config = results.get("model_name"), results["config"]
    has_name = isinstance(name, str) and name in str(model_config.get("model_args"))
    return Run(
        task=task,
        framework="lm-eval",
        model=str(name if has_name else model_config["model"]),
        record=record,
        path=path,
        date=date,
        versions={"lm_eval": lm_eval_version}
        | ({} if is_other else {"bias-tasks": record.package}),
        settings=_read_settings(config, results, counts),
        samples=Samples(total=counts["effective"]),
        run_id="" if timestamp is None else str(timestamp),
        metric_specs=_read_directions(task, results) if is_other else {},
    )


def _read_directions(task: str, results: JsonObject) -> dict[str, MetricSpec]:
    """Return the metrics of a task with the direction that is better, where lm-eval states it."""
    higher = results.get("higher_is_better", {}).get(task) or {}
    better: dict[object, Better] = {True: "higher", False: "lower"}
    specs = {}
    for key in results["results"].get(task, {}):
        name = key.removesuffix(",none")
        direction = better.get(higher.get(key.partition(",")[0]))
        specs[name] = MetricSpec(name, "", better=direction)
    return specs


def _read_settings(config: JsonObject, results: JsonObject, counts: JsonObject) -> JsonObject:
    """Return the settings of lm-eval besides the task's parameters."""
    model_config = results["config"]
    settings = {
        "system_instruction": results.get("system_instruction"),
        "chat_template_sha": results.get("chat_template_sha"),
        "description": config.get("description"),
        "num_fewshot": config.get("num_fewshot"),
        "limit": model_config.get("limit"),
        "model_args": _parse_arguments(model_config.get("model_args")),
    }
    if not settings["limit"] and counts["effective"] < counts["original"]:
        settings["samples"] = f"{counts['effective']} of {counts['original']} documents"
    by_likelihood = config.get("output_type") == "multiple_choice"
    generation = {
        "temperature": "none, likelihoods are compared"
        if by_likelihood
        else "not set, lm-eval's default of 0",
        **(config.get("generation_kwargs") or {}),
    }
    return {**generation, **{name: value for name, value in settings.items() if value}}


def _parse_arguments(arguments: object) -> object:
    """Return the model's arguments, which may be the text of the command line (`a=1,b=2`)."""
    if not isinstance(arguments, str):
        return arguments
    parts = (part.partition("=") for part in arguments.split(",") if part)
    return {name: value for name, _, value in parts}
