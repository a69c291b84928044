"""`bias-tasks grade`: a grader's verdicts on answers that rules could not read, after the run."""

from collections.abc import Sequence
from pathlib import Path

import click
from inspect_ai import score
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import Model, ResponseSchema
from inspect_ai.util import JSONSchema

from bias_tasks.commands.asking.ask import Host, UnusableReplyError, host_options
from bias_tasks.commands.logged_runs import (
    FOLDER,
    HarnessRun,
    check_folder,
    check_names,
    harness_runs,
    write_results,
)
from bias_tasks.contract.family import JUDGED, Answer, Family, JsonObject, Outcome
from bias_tasks.contract.record import scored_in
from bias_tasks.prompts.grader import VerdictRequest
from bias_tasks.results.command import paths_argument
from bias_tasks.results.run import UnusableRunError
from bias_tasks.scorers.outcome import outcome

ROLE = "grader"


@click.command()
@paths_argument
@click.option("--grader", required=True, help="The model that reads; any of Inspect's names.")
@click.option("--out", type=FOLDER, required=True, help="Folder to write the judged results to.")
@host_options()
def grade(*, paths: tuple[Path, ...], grader: str, out: Path, host: Host) -> None:
    """Have a grader read what rules could not, in the runs of PATH.

    PATH is a log of Inspect, lm-eval's results logged with --log_samples, or a folder of these. The
    grader gets the same request as in the role `grader` of a run, in up to three attempts. OUT gets
    files of the same names with the verdicts in them, for `bias-tasks results OUT`. An answer
    without a verdict is left out; where none got one, nothing is written.
    """
    check_folder(paths, out)
    found = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*"))]
    logs = [path for path in sorted(found) if path.match("*.eval")]
    results = [path for path in sorted(found) if path.match("results_*.json")]
    runs = {path: ours for path in results if (ours := list(harness_runs(path)))}
    if not logs and not runs:
        raise UnusableRunError(f"no run of bias-tasks in {', '.join(map(str, paths))}")
    check_names([*logs, *runs])
    schema = JSONSchema.model_validate(dict(VerdictRequest("").schema))
    host.open({ROLE: grader}, response_schema=ResponseSchema(name="verdict", json_schema=schema))
    for log in logs:
        _judge_log(log, out, host.models[ROLE])
    for ours in runs.values():
        _judge_results(ours, out, host)


def _judge_log(path: Path, out: Path, model: Model) -> None:
    """Score a log of Inspect again, with a grader in its role."""
    log = read_eval_log(str(path))
    [options] = [each.options for each in log.eval.scorers or () if each.name.endswith("outcome")]
    judged = score(log, outcome(**(options or {})), model_roles={ROLE: model}, action="overwrite")
    scores = [
        (each, scored_in(each, sample.metadata))
        for sample in judged.samples or ()
        for each in (sample.scores or {}).values()
    ]
    silent = sum(each.reason == "grader_failed" for each, _ in scores)
    read = sum(bool(ours and ours.outcome.own.get(JUDGED)) for _, ours in scores)
    _begin(out, read, silent)
    write_eval_log(judged, str(out / path.name))
    click.echo(f"{path.name}: {read} judged by {model}, {silent} without a verdict. In {out}")


def _begin(out: Path, judged: int, silent: int) -> None:
    """Make the folder, unless there is nothing to write: silent answers alone."""
    if silent and not judged:
        raise click.ClickException(f"the grader gave no verdict on any of {silent} answers")
    out.mkdir(parents=True, exist_ok=True)


def _judge_results(runs: Sequence[HarnessRun], out: Path, host: Host) -> None:
    """Ask about the unread answers of a results file of lm-eval, and write it anew: the samples of
    our tasks, and figures worked out from these.

    Others' tasks in it are left out, and answers without a verdict, which Inspect leaves unscored.
    """
    verdicts = _verdicts(runs, host)
    judged = sum(verdict is not None for verdict in verdicts.values())
    silent = len(verdicts) - judged
    _begin(out, judged, silent)
    note = f"answers that rules could not read: judged by {host.models[ROLE]}"
    note += f", {silent} without a verdict left out" if silent else ""
    write_results(runs, verdicts, note, out)
    click.echo(
        f"{sum(len(run.rows) for run in runs)} answers, of which {len(verdicts)} were not read by "
        f"rules: {judged} judged, {silent} without a verdict. In {out}"
    )


def _verdicts(runs: Sequence[HarnessRun], host: Host) -> dict[str, Outcome | None]:
    """What the grader makes of the answers that rules could not read, by key; None without a
    verdict."""
    requests: dict[str, str] = {}
    unread: dict[str, tuple[Family, JsonObject, Answer]] = {}
    for run in runs:
        for row in run.rows:
            facts, answer = run.question(row)
            answer = answer.without_reasoning()
            request = run.family.verdict_request(facts, answer)
            if run.outcome(row).answer is None and request is not None:
                requests[run.key(row)] = request.prompt
                unread[run.key(row)] = run.family, facts, answer

    def read(key: str, reply: str) -> Outcome:
        family, facts, answer = unread[key]
        outcome = family.read_verdict(facts, answer, reply)
        if outcome is None:
            raise UnusableReplyError("no verdict")
        return outcome

    steps = host.ask("judge", ROLE, requests, read, again="{request}")
    host.complain("answers")
    return {key: step.value for key, step in steps.items()}
