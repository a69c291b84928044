"""`bias-tasks grade`: a grader's verdicts on unparsed answers, after the run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from inspect_ai import score
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import Model, ResponseSchema
from inspect_ai.util import JSONSchema

from bias_tasks.commands.batch_requests.runner import (
    InspectRunner,
    UnusableReplyError,
    inspect_options,
)
from bias_tasks.commands.logged_runs import (
    FOLDER,
    HarnessRun,
    check_folder,
    check_names,
    harness_runs,
    write_results,
)
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.logged_outcomes import find_logged_outcome
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.families import load_family
from bias_tasks.prompts.grader import VerdictRequest
from bias_tasks.results.command import paths_argument
from bias_tasks.results.run import UnusableRunError
from bias_tasks.scorers.grader import GRADER
from bias_tasks.scorers.outcome import outcome


@click.command()
@paths_argument
@click.option("--grader", required=True, help="Model that parses the answers, by Inspect's name.")
@click.option("--out", type=FOLDER, required=True, help="Folder to write the graded runs to.")
@inspect_options()
def grade(*, paths: tuple[Path, ...], grader: str, out: Path, runner: InspectRunner) -> None:
    """Let a grader parse the unparsed answers in the runs of PATH.

    PATH is a log of Inspect, lm-eval's results logged with --log_samples, or a folder of these. The
    grader gets the same request as in the role `grader` of a run, in up to three attempts. OUT gets
    files of the same names with the verdicts, for `bias-tasks results OUT`. An answer without a
    verdict is unscored. If no answer gets a verdict, nothing is written.
    """
    check_folder(paths, out)
    files = [
        file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*")))
    ]
    logs = [path for path in sorted(files) if path.match("*.eval")]
    results = [path for path in sorted(files) if path.match("results_*.json")]
    runs_by_file = {path: list(harness_runs(path)) for path in results}
    runs_by_file = {path: runs for path, runs in runs_by_file.items() if runs}
    if not logs and not runs_by_file:
        raise UnusableRunError(f"no run of bias-tasks in {', '.join(map(str, paths))}")
    check_names([*logs, *runs_by_file])
    schema = JSONSchema.model_validate(dict(VerdictRequest("").schema))
    response_schema = ResponseSchema(name="verdict", json_schema=schema)
    runner.open({GRADER: grader}, response_schema=response_schema)
    for log in logs:
        _grade_log(log, out, runner.models[GRADER])
    for runs in runs_by_file.values():
        _grade_results(runs, out, runner)


def _grade_log(path: Path, out: Path, model: Model) -> None:
    """Score a log of Inspect again, with a grader in its role."""
    log = read_eval_log(str(path))
    [options] = [
        scorer.options for scorer in log.eval.scorers or () if scorer.name.endswith("outcome")
    ]
    graded_log = score(
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
        raise click.ClickException(f"the grader gave no verdict on any of {n_without} answers")
    out.mkdir(parents=True, exist_ok=True)


def _grade_results(runs: Sequence[HarnessRun], out: Path, runner: InspectRunner) -> None:
    """Grade the unparsed answers of a results file of lm-eval, and write it with the verdicts.

    Tasks of other packages are dropped, and answers without a verdict, which Inspect leaves
    unscored.
    """
    verdicts = _request_verdicts(runs, runner)
    n_graded = sum(verdict is not None for verdict in verdicts.values())
    n_without = len(verdicts) - n_graded
    _make_folder(out, n_graded, n_without)
    note = f"unparsed answers: graded by {runner.models[GRADER]}"
    if n_without:
        note += f", {n_without} without a verdict excluded"
    write_results(runs, verdicts, note, out)
    click.echo(
        f"{sum(len(run.rows) for run in runs)} answers, {len(verdicts)} of them unparsed: "
        f"{n_graded} graded, {n_without} without a verdict. In {out}"
    )


def _request_verdicts(
    runs: Sequence[HarnessRun], runner: InspectRunner
) -> dict[str, AnyOutcome | None]:
    """Return the outcomes of the unparsed answers by key; None for those without a verdict."""
    requests: dict[str, str] = {}
    unparsed: dict[str, tuple[AnyFamily, Any, Answer]] = {}
    for run in runs:
        for row in run.rows:
            data, answer = run.question(row)
            answer = answer.without_reasoning()
            request = run.family.verdict_request(data, answer)
            if run.outcome(row).answer is None and request is not None:
                requests[run.key(row)] = request.prompt
                unparsed[run.key(row)] = run.family, data, answer

    def parse(key: str, reply: str) -> AnyOutcome:
        family, data, answer = unparsed[key]
        verdict = family.parse_verdict(data, answer, reply)
        if verdict is None:
            raise UnusableReplyError("no verdict")
        return verdict

    results = runner.ask("grade", GRADER, requests, parse, retry_template="{request}")
    runner.raise_failures("answers")
    return {key: result.value for key, result in results.items()}
