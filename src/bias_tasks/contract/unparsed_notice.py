"""The notice at the end of a run with many unparsed answers: what they are, and what helps."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.data.files import RawRecord, read_yaml

MAX_UNPARSED_SHARE = 0.1
"""A run with a larger share of unparsed answers reports it."""


def unparsed_cause(outcome: Outcome[Extra]) -> str:
    """Return the cause of an unparsed answer, the first of `unparsed.yaml` with its reason."""
    causes: Mapping[str, RawRecord] = read_yaml(__package__, "unparsed")
    reasons = {outcome.unparsed_reason, outcome.reason}
    return next((name for name, row in causes.items() if reasons & {*row["reasons"]}), "other")


def unparsed_notice(family: AnyFamily, outcomes: Sequence[Outcome[Extra]]) -> str | None:
    """Return the notice of a run with more than `MAX_UNPARSED_SHARE` of its answers unparsed.

    For a family that measures the form of answers, an answer in another form is a finding and not
    a problem.

    Args:
        family: The family that scored the answers.
        outcomes: The outcomes of the run.

    Returns:
        None if fewer answers are unparsed.
    """
    causes = Counter(unparsed_cause(outcome) for outcome in outcomes if outcome.answer is None)
    declared, total = read_yaml(__package__, "unparsed"), causes.total()
    forms = [name for name in causes if family.measures_form and declared[name].get("finding")]
    form = sum(causes.pop(name) for name in forms)
    if total - form <= MAX_UNPARSED_SHARE * len(outcomes):
        return None
    advice = declared[causes.most_common(1)[0][0]]["advice"]
    counts = [*causes.most_common(), *([("form", form)] if form else [])]
    listed = ", ".join(f"{count:,} {declared[name]['description']}" for name, count in counts)
    return (
        f"{total:,} of {len(outcomes):,} answers are unparsed: {listed}. What probably helps most: "
        f"{advice}."
    )
