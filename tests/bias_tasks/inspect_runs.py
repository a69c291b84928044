"""Runs of Inspect without a display, and what a log holds beside the few figures shown."""

from inspect_ai import eval as inspect_eval

from bias_tasks.contract.logged_outcomes import find_logged_outcome
from bias_tasks.contract.record import RECORD
from bias_tasks.families import load_family
from bias_tasks.statistics.estimate import flatten


def evaluate(task, folder, model="simulated/steadfast", *, status="success", **options):
    """The log of a run, which ends with this status; None is any."""
    quiet = {"display": "none", "log_realtime": False, "score_display": False}
    [log] = inspect_eval(task, model=model, log_dir=str(folder), **quiet | options)
    assert status in (None, log.status), log.error
    return log


def values(log):
    """Every figure of a log with its samples, as `flatten` has them; the shown ones agree."""
    record = log.eval.metadata[RECORD]
    family = load_family(record["family"])
    options = family.tasks[record["task"]].metric_options(record["parameters"])
    return flatten(family.compute_metrics([each for _, each in _scored(log)], options))


def outcomes(log):
    """What each answer came to, as plain JSON values, by the id of its sample."""
    return {sample.id: each.to_dict() for sample, each in _scored(log)}


def _scored(log):
    scores = [(s, each) for s in log.samples for each in (s.scores or {}).values()]
    found = [
        (sample, find_logged_outcome(score, sample.metadata, load_family))
        for sample, score in scores
    ]
    return [(sample, each.outcome) for sample, each in found if each is not None]
