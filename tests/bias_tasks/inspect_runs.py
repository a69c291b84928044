"""What a finished run of Inspect holds beside the few figures that it shows."""

from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.record import RECORD
from bias_tasks.statistics.estimate import flatten


def values(log):
    """Every figure of a log with its samples, as `flatten` has them; the shown ones agree."""
    record = log.eval.metadata[RECORD]
    family = load_family(record["family"])
    options = family.tasks[record["task"]].for_figures(record["parameters"])
    scores = [score for sample in log.samples for score in (sample.scores or {}).values()]
    noted = [each.metadata["outcome"] for each in scores if "outcome" in (each.metadata or {})]
    return flatten(family.scorecard([Outcome.from_dict(each) for each in noted], options))
