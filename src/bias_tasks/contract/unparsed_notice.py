"""The notice at the end of a run with many unparsed answers: what they are, and what helps."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.data.files import read_yaml
from bias_tasks.parsing.parsed_answer import UnparsedReason

MAX_UNPARSED_SHARE = 0.1
"""A run with a larger share of unparsed answers reports it."""
_CAUSES: Mapping[str, str] = {
    UnparsedReason.TRUNCATED.code: "truncated",
    UnparsedReason.UNFINISHED_REASONING.code: "truncated",
    UnparsedReason.RUNS_ON.code: "runs_on",
    UnparsedReason.ECHO.code: "runs_on",
    UnparsedReason.REFUSAL.code: "refused",
}
"""The cause of each reason, a key of `unparsed.yaml`."""
_CAUSES_BY_FRAMEWORK_REASON = {"refusal": "refused", "no_response": "empty"}


def unparsed_cause(outcome: Outcome[Extra]) -> str:
    """Return the cause of an unparsed answer, a key of `unparsed.yaml`."""
    by_reason = _CAUSES_BY_FRAMEWORK_REASON.get(outcome.reason or "", "other")
    return _CAUSES.get(outcome.unparsed_reason or "", by_reason)


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
    total, form = causes.total(), causes.pop("other", 0) if family.measures_form else 0
    if total - form <= MAX_UNPARSED_SHARE * len(outcomes):
        return None
    texts: Mapping[str, Mapping[str, str]] = read_yaml(__package__, "unparsed")
    advice = texts[causes.most_common(1)[0][0]]["advice"]
    counts = [*causes.most_common(), *([("form", form)] if form else [])]
    listed = ", ".join(f"{count:,} {texts[name]['description']}" for name, count in counts)
    return (
        f"{total:,} of {len(outcomes):,} answers are unparsed: {listed}. What probably helps most: "
        f"{advice}."
    )
