"""`bias-tasks rescore` and `grade`: logged answers parsed again, by rules or by a grader."""

from collections import Counter
from collections.abc import Collection, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from inspect_ai import score as score_log
from inspect_ai.log import EvalLog, read_eval_log, recompute_metrics, write_eval_log
from inspect_ai.model import Model, ResponseSchema
from inspect_ai.util import JSONSchema

from bias_tasks.commands.batch_requests import runner as requests
from bias_tasks.commands.batch_requests.runner import InspectRunner
from bias_tasks.commands.logged_runs import HarnessRun, harness_runs, write_results
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.logged_outcomes import find_logged_outcome, scoring_data_of
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.planned_calls import find_missing_calls
from bias_tasks.contract.questions import ScoringData
from bias_tasks.contract.record import RECORD
from bias_tasks.data.log_size import check_log_size
from bias_tasks.families import PROBING, load_family
from bias_tasks.names import format_count
from bias_tasks.prompts.grader import VerdictRequest
from bias_tasks.results.command import paths_argument, report_problems
from bias_tasks.results.find import NO_RUN_FOUND, read_runs
from bias_tasks.results.run import Problem, UnusableRunError, split_problems
from bias_tasks.scorers.outcome import GRADER, build_score, outcome, read_answer

_NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
PACKAGE = "bias_tasks"
_OTHER, _PARSED, _UNPARSED = "with another value", "newly parsed", "no longer parsed"
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@paths_argument
@click.option("--out", type=_FOLDER, required=True, help="Folder to write the rescored runs to.")
def rescore(paths: tuple[Path, ...], out: Path) -> None:
    """Parse the answers in the runs of PATH again, with the installed version and without a model.

    PATH is a log of Inspect, lm-eval's results logged with --log_samples, or a folder of these. OUT
    gets files of the same names with the new outcomes and metrics, for `bias-tasks results OUT`.
    The notes of each run name the version that parsed its answers. Likelihoods (tasks `*_ll`) are
    compared again. Verdicts of a grader and failed samples are unchanged. Runs of `probe` are
    copied, because the probed task's own scorer parses their answers. Skipped files are named on
    standard error, with the exit status that `bias-tasks results` has for the same PATH.
    """
    _check_folder(paths, out)
    runs, problems = split_problems(read_runs(paths))
    frameworks = {path: run.framework for run in runs for path in run.shard_paths or (run.path,)}
    _check_names(frameworks)
    for path, framework in frameworks.items():
        rescore_file = _rescore_log if framework == "inspect" else _rescore_results
        try:
            rescore_file(path, out)
        except (UnusableRunError, ValueError, LookupError, TypeError, AttributeError) as error:
            reason = str(error) if isinstance(error, UnusableRunError) else repr(error)
            problems.append(Problem(path, f"cannot be parsed again ({reason})", failed=True))
    report_problems(problems, paths, any_run=bool(runs))


@click.command()
@paths_argument
@requests.model_option("Model that parses the answers", "--grader", required=True)
@click.option("--out", type=_FOLDER, required=True, help="Folder to write the graded runs to.")
@requests.inspect_options()
def grade(*, paths: tuple[Path, ...], grader: str, out: Path, runner: InspectRunner) -> None:
    """Let a grader parse the unparsed answers in the runs of PATH.

    PATH is a log of Inspect, lm-eval's results logged with --log_samples, or a folder of these. The
    grader gets the same request as in the role `grader` of a run, in up to three attempts. OUT gets
    files of the same names with the verdicts, for `bias-tasks results OUT`. An answer without a
    verdict is unscored. If no answer gets a verdict, nothing is written.
    """
    _check_folder(paths, out)
    files = [
        file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*")))
    ]
    logs = [path for path in sorted(files) if path.match("*.eval")]
    results = [path for path in sorted(files) if path.match("results_*.json")]
    runs_by_file = {path: runs for path in results if (runs := list(harness_runs(path)))}
    if not logs and not runs_by_file:
        raise UnusableRunError(f"{', '.join(map(str, paths))}: {NO_RUN_FOUND}")
    _check_names([*logs, *runs_by_file])
    schema = JSONSchema.model_validate(dict(VerdictRequest("").schema))
    response_schema = ResponseSchema(name="verdict", json_schema=schema)
    runner.open({GRADER: grader}, response_schema=response_schema)
    for log in logs:
        _grade_log(log, out, runner.models[GRADER])
    for runs in runs_by_file.values():
        _grade_results(runs, out, runner)


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


def _rescore_log(path: Path, out: Path) -> None:
    """Write a log of Inspect with scores by the installed version."""
    log, name = read_eval_log(str(path)), outcome.__name__
    metadata = log.eval.metadata or {}
    record = metadata[RECORD]
    family, changes = load_family(record["family"]), Counter[str]()
    max_tokens = log.plan.config.max_tokens or log.eval.model_generate_config.max_tokens
    for sample in log.samples or ():
        scores = sample.scores or {}
        # A score by another name is another scorer's, as in `probe`.
        has_output = sample.error is None and bool(sample.output.choices)
        if name not in scores or find_missing_calls(sample.metadata, has_output=has_output):
            continue
        scored = find_logged_outcome(scores[name], sample.metadata, load_family)
        logged = None if scored is None else scored.outcome  # None without a grader's verdict
        data = scoring_data_of(family, sample.metadata)
        parsed = _parsed_again(family, data, read_answer(sample, max_tokens), logged)
        changes[_change(logged, parsed)] += 1
        if scored is not None or parsed.answer is not None:
            digest = record["digest"] if scored is None else scored.run_digest
            scores[name] = build_score(parsed, family.name, digest, sample.metadata)
    if changes:
        record["notes"] = [*dict.fromkeys([*record["notes"], _NOTE])]
        _qualify_metrics(log)
        recompute_metrics(log)
    out.mkdir(parents=True, exist_ok=True)
    write_eval_log(log, str(out / path.name))
    _report(path.name, changes, out)


def _qualify_metrics(log: EvalLog) -> None:
    """Add the package to the metric's name, which a run from a file does not record."""
    lists = [log.eval.metrics, *(scorer.metrics for scorer in log.eval.scorers or ())]
    for definition in (one for metrics in lists for one in metrics or ()):
        if not isinstance(definition, dict | str) and definition.name == "headline":
            definition.name = f"{PACKAGE}/{definition.name}"


def _rescore_results(path: Path, out: Path) -> None:
    """Write a results file of lm-eval with outcomes by the installed version."""
    runs, outcomes = list(harness_runs(path)), dict[str, AnyOutcome]()
    changes = {run.samples: Counter[str]() for run in runs}
    for run in runs:
        for row in run.rows if run.family.name != PROBING else ():
            logged = run.outcome(row)
            if logged is None:  # the request failed: there is no answer
                continue
            parsed = _parsed_again(run.family, *run.question(row), logged)
            outcomes[run.key(row)] = parsed
            changes[run.samples][_change(logged, parsed)] += 1
    out.mkdir(parents=True, exist_ok=True)
    write_results(runs, outcomes, _NOTE, out)
    for name, counts in changes.items():
        _report(name, counts, out)


def _parsed_again(
    family: AnyFamily, data: ScoringData, answer: Answer, logged: AnyOutcome | None
) -> AnyOutcome:
    """Return the outcome of an answer in the installed version, or a grader's logged verdict."""
    if logged is not None and logged.extra.graded:
        return logged
    return family.score_answer(data, answer)


def _change(logged: AnyOutcome | None, parsed: AnyOutcome) -> str:
    """Return how the value of an answer changes; an empty text if it stays the same."""
    before, after = logged and logged.answer, parsed.answer
    if before == after:
        return ""
    if before is None:
        return _PARSED
    return _UNPARSED if after is None else _OTHER


def _report(name: str, changes: Counter[str], out: Path) -> None:
    """Print how many answers of a run changed."""
    counts = ", ".join(f"{changes[kind]:,} {kind}" for kind in (_OTHER, _PARSED, _UNPARSED))
    summary = (
        f"{format_count(changes.total(), 'answer')}, {counts}" if changes else "copied unchanged"
    )
    click.echo(f"{name}: {summary}. In {out}")


def _grade_log(path: Path, out: Path, model: Model) -> None:
    """Score a log of Inspect again, with a grader in its role."""
    check_log_size(path)
    log = read_eval_log(str(path))
    [options] = [
        scorer.options for scorer in log.eval.scorers or () if scorer.name.endswith("outcome")
    ]
    graded_log = score_log(
        log, outcome(**(options or {})), model_roles={GRADER: model}, action="overwrite"
    )
    scores = [
        (sample_score, find_logged_outcome(sample_score, sample.metadata, load_family))
        for sample in graded_log.samples or ()
        for sample_score in (sample.scores or {}).values()
    ]
    n_without = sum(sample_score.reason == "grader_failed" for sample_score, _ in scores)
    n_graded = sum(logged is not None and logged.outcome.extra.graded for _, logged in scores)
    _make_folder(out, n_graded, n_without)
    write_eval_log(graded_log, str(out / path.name))
    click.echo(
        f"{path.name}: {n_graded} graded by {model}, {n_without} without a verdict. In {out}"
    )


def _make_folder(out: Path, n_graded: int, n_without: int) -> None:
    """Make the folder; raise a ClickException if there are only answers without a verdict."""
    if n_without and not n_graded:
        reason = f"the grader gave no verdict on any of {n_without} answers"
        raise click.ClickException(f"{reason}: give another --grader")
    out.mkdir(parents=True, exist_ok=True)


def _grade_results(runs: Sequence[HarnessRun], out: Path, runner: InspectRunner) -> None:
    """Grade the unparsed answers of a results file of lm-eval, and write it with the verdicts.

    Tasks of other packages are dropped, and answers without a verdict, which Inspect leaves
    unscored.
    """
    verdicts = _request_verdicts(runs, runner)
    n_graded = sum(verdict is not None for verdict in verdicts.values())
    n_without = len(verdicts) - n_graded
    n_answers = sum(len(run.rows) for run in runs)
    _make_folder(out, n_graded, n_without)
    note = f"unparsed answers: graded by {runner.models[GRADER]}"
    if n_without:
        note += f", {n_without} without a verdict excluded"
    write_results(runs, verdicts, note, out)
    click.echo(
        f"{format_count(n_answers, 'answer')}, {len(verdicts)} of them unparsed: "
        f"{n_graded} graded, {n_without} without a verdict. In {out}"
    )


def _request_verdicts(
    runs: Sequence[HarnessRun], runner: InspectRunner
) -> dict[str, AnyOutcome | None]:
    """Return the outcomes of the unparsed answers by key; None for those without a verdict."""
    prompts: dict[str, str] = {}
    unparsed: dict[str, tuple[AnyFamily, Any, Answer]] = {}
    for run in runs:
        for row in run.rows:
            logged = run.outcome(row)
            if logged is None or logged.answer is not None:
                continue
            data, answer = run.question(row)
            answer = answer.without_reasoning()
            request = run.family.verdict_request(data, answer)
            if request is not None:
                prompts[run.key(row)] = request.prompt
                unparsed[run.key(row)] = run.family, data, answer

    def parse(key: str, reply: str) -> AnyOutcome:
        family, data, answer = unparsed[key]
        verdict = family.score_verdict(data, answer, reply)
        if verdict is None:
            raise requests.UnusableReplyError("no verdict")
        return verdict

    results = runner.ask("grade", GRADER, prompts, parse, retry_template="{request}")
    runner.raise_failures("answer")
    return {key: result.value for key, result in results.items()}
