"""`bias-tasks score`: logged answers of both frameworks scored again, by rules or by a grader."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from inspect_ai import score as score_log
from inspect_ai.log import EvalLog, read_eval_log, recompute_metrics, write_eval_log
from inspect_ai.model import ResponseSchema, get_model
from inspect_ai.util import JSONSchema

from bias_tasks.commands.batch_requests import runner as requests
from bias_tasks.commands.batch_requests.runner import InspectRunner, UnusableReplyError
from bias_tasks.commands.logged_runs import LoggedAnswer, harness_runs, write_results
from bias_tasks.contract.logged_outcomes import find_logged_outcome
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.contract.record import RECORD, add_notes
from bias_tasks.data.log_size import check_log_size
from bias_tasks.families import load_family
from bias_tasks.messages import format_count
from bias_tasks.prompts.grader import VerdictRequest
from bias_tasks.results.command import paths_argument, report_problems
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Problem, UnusableRunError, split_problems
from bias_tasks.scorers.logged_run import NO_VERDICT
from bias_tasks.scorers.outcome import GRADER, outcome

PACKAGE = "bias_tasks"
_NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
_UNREADABLE = (UnusableRunError, ValueError, LookupError, TypeError, AttributeError)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@paths_argument
@requests.model_option("Model that parses the answers that the rules cannot", "--grader")
@click.option("--out", type=_FOLDER, required=True, help="Folder to write the scored runs to.")
@requests.inspect_options()
def score(*, paths: tuple[Path, ...], grader: str | None, out: Path, runner: InspectRunner) -> None:
    """Score the answers in the runs of PATH again, with the installed version.

    PATH is a log of Inspect, lm-eval's results logged with --log_samples, or a folder of these. OUT
    gets files of the same names with the new outcomes and metrics, for `bias-tasks results OUT`.
    The notes of each run name the version, and the grader. Without --grader no model is called.

    The grader gets the same request as in the role `grader` of a run, in up to three attempts.
    Earlier verdicts are kept. An answer without a verdict is unscored. If no answer of a file gets
    a verdict, the command fails. Likelihoods (tasks `*_ll`) are compared again. Failed samples are
    unchanged. Runs of `probe` are copied, because the probed task's own scorer parses their
    answers. Skipped files are named on standard error, with the exit status of `bias-tasks
    results`.
    """
    _check_folder(paths, out)
    runs, problems = split_problems(read_runs(paths))
    frameworks = {path: run.framework for run in runs for path in run.shard_paths or (run.path,)}
    _check_names(frameworks)
    if grader is not None and frameworks:
        schema = JSONSchema.model_validate(dict(VerdictRequest("").schema))
        response_schema = ResponseSchema(name="verdict", json_schema=schema)
        runner.open({GRADER: grader}, response_schema=response_schema)
    for path, framework in frameworks.items():
        score_file = _score_log if framework == "inspect" else _score_results
        try:
            score_file(path, out, runner)
        except _UNREADABLE as error:
            reason = str(error) if isinstance(error, UnusableRunError) else repr(error)
            problems.append(Problem(path, f"cannot be scored again ({reason})", failed=True))
    report_problems(problems, paths, any_run=bool(runs))


def _check_folder(paths: Sequence[Path], out: Path) -> None:
    """Check that the files to write are not among the runs from which they are made.

    Args:
        paths: The files and folders of the runs.
        out: The folder to write to.

    Raises:
        click.UsageError: `out` is in one of the paths.
    """
    target = out.resolve()
    folders = {path.resolve().parent if path.is_file() else path.resolve() for path in paths}
    below = {path.resolve() for path in paths} & {target, *target.parents}
    if below or target in folders:
        raise click.UsageError(f"--out {out} is in PATH: write to another folder")


def _check_names(files: Collection[Path]) -> None:
    """Check that no file replaces another one, since all are written to one folder.

    Args:
        files: The logs and results files.

    Raises:
        click.UsageError: A name occurs twice.
    """
    if len({file.name for file in files}) < len(files):
        raise click.UsageError("several runs have files of the same name: give one run at a time")


def _score_log(path: Path, out: Path, runner: InspectRunner) -> None:
    """Score a log of Inspect again, as `inspect score` does; copy a log of another scorer."""
    check_log_size(path)
    log, name = read_eval_log(str(path)), outcome.__name__
    scorers = [one for one in log.eval.scorers or () if one.name.rpartition("/")[2] == name]
    before, after = dict[str, AnyOutcome | None](), dict[str, AnyOutcome | None]()
    if scorers:
        before = _read_outcomes(log)
        log = _score_again(log, scorers[0].options or {}, runner)
        after = _read_outcomes(log)
    out.mkdir(parents=True, exist_ok=True)
    write_eval_log(log, str(out / path.name))
    _report(path.name, before, after, out)


def _score_again(log: EvalLog, options: Mapping[str, Any], runner: InspectRunner) -> EvalLog:
    """Return a log with new scores. Of its own models none is loaded; failed samples stay as is."""
    for metrics in (log.eval.metrics, *(one.metrics for one in log.eval.scorers or ())):
        for definition in metrics or ():  # A run from a file records its name alone.
            if not isinstance(definition, dict | str) and definition.name == "headline":
                definition.name = f"{PACKAGE}/{definition.name}"
    roles, log.eval.model_roles = log.eval.model_roles, None
    config = log.plan.config.merge(log.eval.model_generate_config)
    log = score_log(
        log,
        outcome(**options),
        model=get_model("none/none", config=config, memoize=False),
        model_roles={**runner.models},
        action="overwrite",
        display="none",
    )
    log.eval.model_roles = roles
    failed = [sample for sample in log.samples or () if sample.error is not None]
    for sample in failed:
        sample.scores = {}
    if failed:
        recompute_metrics(log)
    metadata = log.eval.metadata or {}
    metadata[RECORD] = add_notes(metadata[RECORD], _list_notes(_read_outcomes(log), runner))
    return log


def _read_outcomes(log: EvalLog) -> dict[str, AnyOutcome | None]:
    """Return the outcomes of a log by sample; None without a grader's verdict."""
    found: dict[str, AnyOutcome | None] = {}
    for sample in log.samples or ():
        score = (sample.scores or {}).get(outcome.__name__)
        if score is not None:
            logged = find_logged_outcome(score, sample.metadata, load_family)
            if logged is not None or score.reason == NO_VERDICT:
                result = None if logged is None else logged.outcome
                found[f"{sample.id}/{sample.epoch}"] = result
    return found


def _score_results(path: Path, out: Path, runner: InspectRunner) -> None:
    """Score a results file of lm-eval again. Answers without a verdict are dropped."""
    runs = list(harness_runs(path))
    answers = {run.samples: {one.key: one for one in run.answers()} for run in runs}
    by_key = {key: one for answered in answers.values() for key, one in answered.items()}
    parsed = {key: one.parse() for key, one in by_key.items()}
    unparsed = {key: by_key[key] for key, result in parsed.items() if result.answer is None}
    outcomes = {**parsed, **_request_verdicts(unparsed, runner)}
    notes = _list_notes(outcomes, runner)
    out.mkdir(parents=True, exist_ok=True)
    write_results(runs, outcomes, notes, out)
    for name, answered in answers.items():
        before = {key: one.logged for key, one in answered.items()}
        _report(name, before, {key: outcomes[key] for key in before}, out)


def _request_verdicts(
    answers: Mapping[str, LoggedAnswer], runner: InspectRunner
) -> dict[str, AnyOutcome | None]:
    """Return the outcomes of unparsed answers by key; None for those without a verdict.

    Empty without a grader.
    """
    if GRADER not in runner.models:
        return {}
    planned = {key: one.verdict_request() for key, one in answers.items()}
    prompts = {key: request.prompt for key, request in planned.items() if request is not None}

    def parse(key: str, reply: str) -> AnyOutcome:
        verdict = answers[key].score_verdict(reply)
        if verdict is None:
            raise UnusableReplyError("no verdict")
        return verdict

    results = runner.ask("grade", GRADER, prompts, parse, retry_template="{request}")
    runner.raise_failures("answer")
    return {key: result.value for key, result in results.items()}


def _count_verdicts(outcomes: Mapping[str, AnyOutcome | None]) -> tuple[int, int]:
    """Return the numbers of answers with a grader's verdict, and without the one they needed."""
    n_without = sum(result is None for result in outcomes.values())
    return sum(r is not None and r.extra.graded for r in outcomes.values()), n_without


def _list_notes(
    outcomes: Mapping[str, AnyOutcome | None], runner: InspectRunner
) -> tuple[str, ...]:
    """Return notes for the record of a run on who parsed its answers; none for a copied run.

    Raises:
        click.ClickException: A grader gave no verdict on any answer that it was asked about.
    """
    n_graded, n_without = _count_verdicts(outcomes)
    if runner.models and n_without and not n_graded:
        reason = f"the grader gave no verdict on any of {n_without} answers"
        raise click.ClickException(f"{reason}: give another --grader")
    notes = (_NOTE,) if outcomes else ()
    if not runner.models or not n_graded:
        return notes
    excluded = f", {n_without} without a verdict excluded" if n_without else ""
    return (*notes, f"unparsed answers: graded by {runner.models[GRADER]}{excluded}")


def _report(
    name: str,
    before: Mapping[str, AnyOutcome | None],
    after: Mapping[str, AnyOutcome | None],
    out: Path,
) -> None:
    """Print how many answers of a run changed, and how many have a grader's verdict."""
    changes = Counter[str]()
    for key, result in after.items():
        old, new = ((one.answer if one else None) for one in (before.get(key), result))
        if old != new:
            kind = "newly parsed" if old is None else "with another value"
            changes["no longer parsed" if new is None else kind] += 1
    kinds = ("with another value", "newly parsed", "no longer parsed")
    counts = [f"{changes[kind]:,} {kind}" for kind in kinds]
    n_graded, n_without = _count_verdicts(after)
    if n_graded or n_without:
        counts += [f"{n_graded:,} graded", f"{n_without:,} without a verdict"]
    summary = ", ".join([format_count(len(after), "answer"), *counts])
    click.echo(f"{name}: {summary if after else 'copied unchanged'}. In {out}")
