"""Reads runs from the headers of Inspect logs, and answers from their samples."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from string import ascii_uppercase
from zipfile import ZipFile  # inspect_ai.log registers the compression of logs

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_sample_summaries

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import PROBED, find_logged_outcome, scoring_data_of
from bias_tasks.contract.planned_calls import INCOMPLETE, OTHER_SOLVER, UNSUPPORTED_MODE
from bias_tasks.contract.record import RECORD, add_notes
from bias_tasks.data.files import parse_json
from bias_tasks.data.log_size import check_log_size
from bias_tasks.digests import digest
from bias_tasks.families import load_family
from bias_tasks.results.frameworks.record import read_record
from bias_tasks.results.other_tasks import SampleScores, build_record, find_cluster
from bias_tasks.results.run import (
    FAILED,
    PROFILE,
    PROFILE_TAG,
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
from bias_tasks.results.text import describe_error
from bias_tasks.scorers.outcome import read_answer
from bias_tasks.solvers.inspect_api import answer_settings

_UNSCORED_REASONS = {
    INCOMPLETE: "without all planned calls",
    OTHER_SOLVER: "for which the task's own solver did not run (omit --solver)",
    "grader_failed": "without a verdict of the grader",
    "probe_not_placed": "whose prompt cannot hold the probe",
}
"""Reasons of unscored samples in words that follow a number of samples, by `Score.reason`."""
_HUB = "hf/"
"""How Inspect's names of tasks begin that it loads from a data set of the Hugging Face hub."""
_UNUSED_PARTS = {"messages", "events", "events_data", "store", "attachments", "timelines"}
"""Parts of a sample that metrics do not need; they are most of a log. Of the messages only the last
one of the user is read, which is the prompt of the output."""


def read_inspect_log(path: Path, *, other_tasks: bool = False) -> ReadResults:
    """Return the run in a log, or why there is none.

    Args:
        path: The log.
        other_tasks: Whether to read a run of another package's task.
    """
    check_log_size(path)
    log = read_eval_log(str(path), header_only=True)
    task = log.eval.task_registry_name or log.eval.task
    logged = (log.eval.metadata or {}).get(RECORD) or _read_hub_record(path, task)
    is_other = logged is None
    if is_other and not other_tasks:
        return [Problem(path, f"skipped: its task {task} is not a task of bias-tasks")]
    other_record = build_record(task, log.eval.task_version, log.eval.task_args)
    record = other_record if is_other else read_record(logged)
    names = (record.task, task.rpartition("/")[2])
    if log.status != "success" or log.results is None:
        reason = f"{task} {_describe_unfinished(path, log)}"
        return [Problem(path, reason, True, names, log.eval.task_id or str(path))]
    stopping = log.results.early_stopping  # set if a probed task stops early
    total = log.results.total_samples - (0 if stopping is None else len(stopping.early_stops))
    run = Run(
        task=task,
        framework="inspect",
        model=log.eval.model,
        record=record,
        path=path,
        date=log.eval.created,
        versions=log.eval.packages | ({} if is_other else {"bias-tasks": record.package}),
        settings=_read_settings(log),
        usage=read_usage(log),
        samples=Samples(total),
        attempt=log.eval.task_id,
        run_id=log.eval.eval_id,
    )
    return [run]


def read_inspect_answers(path: Path, run: Run, keep: KeepText) -> Iterator[KeyedAnswer]:
    """Yield the scored answer of each sample of a log.

    Args:
        path: The log.
        run: The run of the log.
        keep: As in `load_answers`.

    Yields:
        The epoch and the sample's id, by which answers are sorted, and the answer.

    Raises:
        UnusableRunError: The samples are rows of several data sets.
    """
    for sample in _read_samples(path):
        metadata = sample.metadata or {}
        sample_id = sample.id if isinstance(sample.id, str) else str(sample.id).zfill(20)
        if is_row := run.task.startswith(_HUB):  # its sample has a number as id
            sample_id = f"{metadata['item']}/{metadata['variant']}"
        answer: ScoredAnswer | UnscoredSample = _describe_unscored(sample)
        for score in (sample.scores or {}).values():
            logged = find_logged_outcome(score, metadata, load_family)
            if logged is None:
                continue
            planned = sample.input if isinstance(sample.input, str) else sample.input[-1].text
            sent = next((m.text for m in reversed(sample.messages) if m.role == "user"), planned)
            probed = (score.metadata or {}).get("prompt")  # A probe edits the prompt.
            if probed is not None:
                planned = sent = probed
            text = None if keep is None else keep(sample.output.completion)
            data = scoring_data_of(load_family(logged.family), metadata)
            answer = ScoredAnswer(data, logged.outcome, sent, text, planned)
            break
        else:
            if is_row:
                answer = _score_row(sample, run, keep) or answer
        yield (sample.epoch, sample_id), answer


def read_inspect_scores(path: Path, cluster: str | None) -> Iterator[SampleScores]:
    """Yield the scores of each sample of a log of another package's task.

    Args:
        path: The log.
        cluster: As in `load_answers`.
    """
    for sample in _read_samples(path):
        values: dict[str, object] = {}
        for name, score in (sample.scores or {}).items():
            parts = score.value if isinstance(score.value, Mapping) else {None: score.value}
            values |= {f"{name}/{key}" if key else name: value for key, value in parts.items()}
        item = str(sample.id)
        yield SampleScores(
            (sample.epoch, item if isinstance(sample.id, str) else item.zfill(20)),
            item,
            find_cluster(item, sample.metadata or {}, cluster),
            _identify_question(sample),
            values,
            _explain_unscored(sample),
        )


def _score_row(sample: EvalSample, run: Run, keep: KeepText) -> ScoredAnswer | None:
    """Return the answer to a row of `export hf`, scored by its task's rules; None if there is none.

    Raises:
        UnusableRunError: The row is of another export than the run's first one.
    """
    metadata, max_tokens = sample.metadata or {}, run.settings.get("max_tokens")
    if parse_json(metadata[RECORD])["digest"] != run.record.digest:
        raise UnusableRunError(f"{run.path}: its rows are of several exports: run one of them")
    if sample.error is not None or not sample.output.choices:
        return None
    answer = read_answer(sample, max_tokens if isinstance(max_tokens, int) else None)
    data = scoring_data_of(run.family, metadata)
    outcome = run.family.score_answer(data, answer)
    text = None if keep is None else keep(sample.output.completion)
    return ScoredAnswer(data, outcome, answer.prompt, text)


def _read_hub_record(path: Path, task: str) -> JsonObject | None:
    """Return the record in the first row of a run on a data set of `export hf`.

    None for another run. A note says so if another version than the installed one wrote the rows.
    """
    sample = next(_read_samples(path), None) if task.startswith(_HUB) else None
    if sample is None or RECORD not in (sample.metadata or {}):
        return None
    record: JsonObject = parse_json(sample.metadata[RECORD])
    family, version = load_family(record["family"]), record["version"]
    if version == family.version:
        return record
    note = f"rows of {family.name} version {version}, scored by the rules of {family.version}"
    return add_notes(record, [note])


def _identify_question(sample: EvalSample) -> str:
    """Return the digest of a sample's input and target, whatever the order of its choices is."""
    messages = [sample.input] if isinstance(sample.input, str) else sample.input
    texts = [
        m if isinstance(m, str) else m.model_dump(mode="json", include={"role", "content"})
        for m in messages
    ]
    choices = dict(zip(ascii_uppercase, sample.choices or (), strict=False))
    targets = [sample.target] if isinstance(sample.target, str) else sample.target
    correct = sorted(choices.get(target, target) for target in targets)
    return digest(texts, sorted(choices.values()), correct)


def _describe_unscored(sample: EvalSample) -> UnscoredSample:
    metadata = sample.metadata or {}
    data = metadata.get(PROBED, metadata)
    item, cluster, variant = (str(data.get(name, "")) for name in ("item", "cluster", "variant"))
    return UnscoredSample(item, cluster, variant, _explain_unscored(sample))


def _explain_unscored(sample: EvalSample) -> str:
    """Return why a sample has no score, in words that follow a number of samples."""
    if sample.error is not None:
        return FAILED
    if sample.limit is not None:
        return f"stopped by the {sample.limit.type} limit"
    reasons = [score.reason for score in (sample.scores or {}).values() if score.reason]
    if UNSUPPORTED_MODE in reasons:
        return f"in mode {(sample.metadata or {}).get('variant')}, which the provider refuses"
    return _UNSCORED_REASONS.get(reasons[0], reasons[0]) if reasons else "without a score"


def _read_samples(path: Path) -> Iterator[EvalSample]:
    """Yield each sample without its transcript: this is ten times as fast as Inspect's reader."""
    if path.suffix != ".eval":
        yield from read_eval_log(str(path)).samples or ()
        return
    with ZipFile(path) as log:
        # A retried sample is in the archive twice; reading its name returns the later one.
        for name in dict.fromkeys(log.namelist()):
            if name.startswith("samples/"):
                logged: JsonObject = json.loads(log.read(name))
                parts = {part: logged[part] for part in logged.keys() - _UNUSED_PARTS}
                users = [m for m in logged["messages"] if m["role"] == "user"]
                parts["messages"] = users[-1:]
                yield EvalSample.model_validate(parts)


def _describe_unfinished(path: Path, log: EvalLog) -> str:
    summaries = read_eval_log_sample_summaries(str(path))
    errors = [summary.error for summary in summaries if summary.error is not None]
    planned = len(log.eval.dataset.sample_ids or ()) * (log.eval.config.epochs or 1)
    done = f"{len(summaries) - len(errors):,} of {planned:,} samples answered"
    failed = f", {len(errors):,} failed" if errors else ""
    cause = f": {describe_cause(log)}" if errors or log.error else ""
    return f"did not finish (status {log.status}, {done}{failed}){cause}"


def describe_cause(log: EvalLog) -> str:
    """Return the error of an evaluation, or else of its first failed sample, on one line."""
    if log.error is not None:
        return describe_error(log.error.message, log.error.traceback)
    errors = (summary.error for summary in read_eval_log_sample_summaries(log.location))
    return describe_error(next(filter(None, errors), f"it was {log.status}"))


def read_usage(log: EvalLog) -> dict[str, float]:
    """Return tokens, seconds and, if Inspect knows the prices, the cost of an evaluation."""
    usages = list(log.stats.model_usage.values())
    tokens_out = sum(usage.output_tokens for usage in usages)
    used: dict[str, float] = {}
    if usages:
        tokens_in = sum(usage.total_tokens for usage in usages) - tokens_out  # with cached ones
        used = {"tokens in": tokens_in, "tokens out": tokens_out}
    if log.stats.started_at and log.stats.completed_at:
        times = log.stats.started_at, log.stats.completed_at
        start, end = map(datetime.fromisoformat, map(str, times))
        used["seconds"] = (end - start).total_seconds()
    costs = [usage.total_cost for usage in usages if usage.total_cost is not None]
    return used | ({"cost": sum(costs)} if costs else {})


def _read_settings(log: EvalLog) -> JsonObject:
    """Return the settings of Inspect besides the task's parameters."""
    config, spec = log.eval.config, log.eval
    limits = (f"{kind}_limit" for kind in ("message", "token", "turn", "time", "working", "cost"))
    names = ["limit", "sample_id", "sample_shuffle", *limits]
    names += ["epochs", "epochs_reducer"] if config.epochs not in (None, 1) else []
    settings = {name: getattr(config, name) for name in names}
    for role, bound in (spec.model_roles or {}).items():
        models = bound if isinstance(bound, list) else [bound]
        settings[f"role {role}"] = ", ".join(model.model for model in models)
    solvers = (
        {"type": "solver", "name": step.solver, "params": step.params_passed or {}}
        for step in log.plan.steps
    )
    settings["solver"] = ", ".join(map(_format_argument, solvers))
    settings["model_args"] = spec.model_args or None
    profiles = [tag for tag in spec.tags or () if tag.startswith(PROFILE_TAG)]
    settings[PROFILE] = ", ".join(profiles) or None
    changed = {n: v for n, v in settings.items() if v is not None and v is not False}
    generation = answer_settings(spec.model_generate_config, log.plan.config)
    for step in log.plan.steps:
        if step.solver == "generate":  # its arguments take precedence over the run's settings
            generation |= step.params_passed or {}
    return {"temperature": "not set, the server's default", **generation, **changed}


def _format_argument(value: object) -> str:
    """Format a solver or scorer with its arguments, a list of these, or another argument."""
    if isinstance(value, list):
        return f"[{', '.join(map(_format_argument, value))}]"
    if not isinstance(value, Mapping) or not {"type", "name", "params"} <= value.keys():
        return str(value)
    params = ", ".join(f"{name}={_format_argument(v)}" for name, v in value["params"].items())
    return f"{value['name']}({params})" if params else str(value["name"])
