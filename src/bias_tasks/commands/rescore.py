"""`bias-tasks rescore`: logged answers parsed again by the installed version, without a model."""

from collections import Counter
from importlib.metadata import version
from pathlib import Path

import click
from inspect_ai.log import EvalLog, read_eval_log, recompute_metrics, write_eval_log

from bias_tasks.commands.logged_runs import (
    FOLDER,
    check_folder,
    check_names,
    harness_runs,
    write_results,
)
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.logged_outcomes import find_logged_outcome, scoring_data_of
from bias_tasks.contract.old_names import current_record
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.questions import ScoringData
from bias_tasks.contract.record import RECORD
from bias_tasks.families import PROBING, load_family
from bias_tasks.results.command import paths_argument, report_problems
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Problem, UnusableRunError, split_problems
from bias_tasks.scorers.outcome import build_score, outcome, read_answer

_NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
PACKAGE = "bias_tasks"
_OTHER, _PARSED, _UNPARSED = "with another value", "newly parsed", "no longer parsed"


@click.command()
@paths_argument
@click.option("--out", type=FOLDER, required=True, help="Folder to write the rescored runs to.")
def rescore(paths: tuple[Path, ...], out: Path) -> None:
    """Parse the answers in the runs of PATH again, with the installed version and without a model.

    PATH is a log of Inspect, lm-eval's results logged with --log_samples, or a folder of these. OUT
    gets files of the same names with the new outcomes and metrics, for `bias-tasks results OUT`.
    The notes of each run name the version that parsed its answers. Likelihoods (tasks `*_ll`) are
    compared again. Verdicts of a grader and failed samples are unchanged. Runs of `probe` are
    copied, because the probed task's own scorer parses their answers. Runs that did not finish and
    unreadable files are listed on standard error, and the command fails after it writes the rest.
    """
    check_folder(paths, out)
    runs, problems = split_problems(read_runs(paths))
    frameworks = {path: run.framework for run in runs for path in run.shard_paths or (run.path,)}
    check_names(frameworks)
    for path, framework in frameworks.items():
        rescore_file = _rescore_log if framework == "inspect" else _rescore_results
        try:
            rescore_file(path, out)
        except (UnusableRunError, ValueError, LookupError, TypeError, AttributeError) as error:
            reason = str(error) if isinstance(error, UnusableRunError) else repr(error)
            problems.append(Problem(path, f"cannot be parsed again ({reason})", failed=True))
    report_problems(problems, paths, any_run=bool(runs))


def _rescore_log(path: Path, out: Path) -> None:
    """Write a log of Inspect with scores by the installed version."""
    log, name = read_eval_log(str(path)), outcome.__name__
    metadata = log.eval.metadata or {}
    record = current_record(metadata[RECORD])
    family, changes = load_family(record["family"]), Counter[str]()
    for sample in log.samples or ():
        scores = sample.scores or {}
        if sample.error is not None or name not in scores:  # another scorer's, such as of `probe`
            continue
        scored = find_logged_outcome(scores[name], sample.metadata, load_family)
        logged = None if scored is None else scored.outcome  # None without a grader's verdict
        parsed = _parsed_again(
            family, scoring_data_of(family, sample.metadata), read_answer(sample), logged
        )
        changes[_change(logged, parsed)] += 1
        if scored is not None or parsed.answer is not None:
            digest = record["digest"] if scored is None else scored.run_digest
            scores[name] = build_score(parsed, family.name, digest, sample.metadata)
    if changes:
        record["notes"] = [*dict.fromkeys([*record["notes"], _NOTE])]
        metadata[RECORD] = record  # with today's names, as the outcomes
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
    summary = f"{changes.total():,} answers, {counts}" if changes else "copied unchanged"
    click.echo(f"{name}: {summary}. In {out}")
