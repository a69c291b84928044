"""`bias-tasks rescore`: logged answers parsed again by the installed version, without a model."""

from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from inspect_ai.log import EvalLog, read_eval_log, recompute_metrics, write_eval_log

from bias_tasks.commands.logged_runs import (
    FOLDER,
    check_folder,
    check_names,
    harness_runs,
    write_results,
)
from bias_tasks.contract.family import JUDGED, Answer, Family, Outcome
from bias_tasks.contract.record import RECORD, facts_in, scored_in
from bias_tasks.families import PROBING, load_family
from bias_tasks.results.command import finish, paths_argument
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Problem, UnusableRunError, apart
from bias_tasks.scorers.outcome import answer_of, outcome, score_of

_NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
PACKAGE = "bias_tasks"
_OTHER, _PARSED, _UNPARSED = "with another value", "newly parsed", "no longer parsed"


@click.command()
@paths_argument
@click.option("--out", type=FOLDER, required=True, help="Folder to write the rescored runs to.")
def rescore(paths: tuple[Path, ...], out: Path) -> None:
    """Parse the answers in the runs of PATH again, with the installed version and without a model.

    PATH is a log of Inspect, lm-eval's results logged with --log_samples, or a folder of these. OUT
    gets files of the same names with the new outcomes and figures, for `bias-tasks results OUT`;
    the notes of each run say which version parsed its answers. Likelihoods (tasks `*_ll`) are
    compared again. Verdicts of a grader stay, and so do samples that failed. Runs of `probe` are
    copied: the probed task's own scorer reads their answers. Runs that did not finish and files
    that can't be read are named on standard error, and make the command fail after it has written
    the rest.
    """
    check_folder(paths, out)
    runs, problems = apart(read_runs(paths))
    hosts = {path: run.host for run in runs for path in run.parts or (run.path,)}
    check_names(hosts)
    for path, host in hosts.items():
        try:
            (_rescore_log if host == "inspect" else _rescore_results)(path, out)
        except (UnusableRunError, ValueError, LookupError, TypeError, AttributeError) as error:
            reason = str(error) if isinstance(error, UnusableRunError) else repr(error)
            problems.append(Problem(path, f"cannot be parsed again ({reason})", failed=True))
    finish(problems, paths, found=bool(runs))


def _rescore_log(path: Path, out: Path) -> None:
    """Write a log of Inspect anew, with scores by the installed version."""
    log, name = read_eval_log(str(path)), outcome.__name__
    record = (log.eval.metadata or {})[RECORD]
    family, changes = load_family(record["family"]), Counter[str]()
    for sample in log.samples or ():
        scores = sample.scores or {}
        if sample.error is not None or name not in scores:  # another scorer's, such as of `probe`
            continue
        scored = scored_in(scores[name], sample.metadata)
        logged = None if scored is None else scored.outcome  # None without a grader's verdict
        parsed = _parsed_again(family, facts_in(sample.metadata), answer_of(sample), logged)
        changes[_change(logged, parsed)] += 1
        if scored is not None or parsed.answer is not None:
            digest = record["digest"] if scored is None else scored.asked
            scores[name] = score_of(parsed, family.name, digest, sample.metadata)
    if changes:
        record["notes"] = [*dict.fromkeys([*record["notes"], _NOTE])]
        _qualify_metrics(log)
        recompute_metrics(log)
    out.mkdir(parents=True, exist_ok=True)
    write_eval_log(log, str(out / path.name))
    _report(path.name, changes, out)


def _qualify_metrics(log: EvalLog) -> None:
    """Give the metric its name with the package, which a run from a file may not have recorded."""
    lists = [log.eval.metrics, *(scorer.metrics for scorer in log.eval.scorers or ())]
    for definition in (one for metrics in lists for one in metrics or ()):
        if not isinstance(definition, dict | str) and definition.name == "headline":
            definition.name = f"{PACKAGE}/{definition.name}"


def _rescore_results(path: Path, out: Path) -> None:
    """Write a results file of lm-eval anew, with outcomes by the installed version."""
    runs, outcomes = list(harness_runs(path)), dict[str, Outcome]()
    changes = {run.samples: Counter[str]() for run in runs}
    for run in runs:
        for row in run.rows if run.family.name != PROBING else ():
            logged = run.outcome(row)
            parsed = _parsed_again(run.family, *run.question(row), logged)
            outcomes[run.key(row)] = parsed
            changes[run.samples][_change(logged, parsed)] += 1
    out.mkdir(parents=True, exist_ok=True)
    write_results(runs, outcomes, _NOTE, out)
    for name, counts in changes.items():
        _report(name, counts, out)


def _parsed_again(
    family: Family, facts: Mapping[str, Any], answer: Answer, logged: Outcome | None
) -> Outcome:
    """Return what an answer comes to in the installed version, or the logged verdict on it."""
    if logged is not None and logged.own.get(JUDGED):
        return logged
    return family.outcome(facts, answer)


def _change(logged: Outcome | None, parsed: Outcome) -> str:
    """Return how the value of an answer changes; an empty text if it stays the same."""
    before, after = logged and logged.answer, parsed.answer
    kind = _PARSED if before is None else _UNPARSED if after is None else _OTHER
    return "" if before == after else kind


def _report(name: str, changes: Counter[str], out: Path) -> None:
    """Print how many answers of a run changed."""
    counts = ", ".join(f"{changes[kind]:,} {kind}" for kind in (_OTHER, _PARSED, _UNPARSED))
    summary = f"{changes.total():,} answers, {counts}" if changes else "copied unchanged"
    click.echo(f"{name}: {summary}. In {out}")
