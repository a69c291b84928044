"""What a sample of a log says about its run, so that `inspect score` needs no arguments."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from inspect_ai.event import ScoreEvent
from inspect_ai.log import transcript
from inspect_ai.scorer import Score

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.logged_outcomes import find_logged_outcome, scoring_data_of
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.data.files import RawRecord
from bias_tasks.families import FAMILY_NAMES, load_family

NO_VERDICT = "grader_failed"
"""`Score.reason` of a sample on whose answer a grader gave no verdict."""


class LoggedRun(NamedTuple):
    """The run of a sample, as far as the sample says what it is."""

    family: AnyFamily
    run_digest: str | None
    """Digest of the run; None if the sample was never scored."""
    options: ParameterValues
    """Values of parameters on which metrics depend, by name."""
    unknown: frozenset[str]
    """Names of such parameters whose values the sample does not say."""


def find_logged_run(metadata: RawRecord) -> LoggedRun:
    """Return the run of the sample that is being scored.

    An earlier score of the sample names its scorer's arguments. A sample without one is of the
    family that can read its metadata.

    Args:
        metadata: The sample's metadata.

    Raises:
        ValueError: The sample is of no family of the package.
    """
    arguments = _find_arguments()
    name, options = arguments.get("family"), arguments.get("options")
    family = _find_family(metadata) if name is None else load_family(name)
    digest = arguments.get("run_digest")
    if options is not None:
        return LoggedRun(family, digest, options, frozenset())
    parameters = (parameter for task in family.tasks.values() for parameter in task.parameters)
    names = {parameter.name for parameter in parameters if parameter.affects_metrics}
    known = {name: metadata[name] for name in names if name in metadata}
    return LoggedRun(family, digest, known, frozenset(names - known.keys()))


def find_logged_verdict(metadata: RawRecord) -> Score | None:
    """Return the earlier score of the sample if it is by a grader, or for want of its verdict.

    An event keeps the layout of the version that wrote it. One that cannot be read is no verdict.

    Args:
        metadata: The sample's metadata.
    """
    for event in _score_events():
        try:
            logged = find_logged_outcome(event.score, metadata, load_family)
        except (ValueError, LookupError):
            continue
        if event.score.reason == NO_VERDICT or (logged and logged.outcome.extra.graded):
            return event.score
    return None


def _find_arguments() -> Mapping[str, Any]:
    """Return the arguments of the scorer `outcome` that scored the sample; empty if none did."""
    return next((event.scorer_args or {} for event in _score_events()), {})


def _score_events() -> list[ScoreEvent]:
    """Return the sample's scores by `outcome` in its log, the last one first."""
    events = (event for event in transcript().events if isinstance(event, ScoreEvent))
    return [event for event in events if "family" in (event.scorer_args or {})][::-1]


def _find_family(metadata: RawRecord) -> AnyFamily:
    """Return the first family that can read the metadata; `judge_bias`, the last, reads any."""
    families = map(load_family, FAMILY_NAMES)
    family = next((family for family in families if _can_read(family, metadata)), None)
    if family is None:
        names = ", ".join(FAMILY_NAMES)
        raise ValueError(f"the sample does not say its family: add -S family=NAME, one of {names}")
    return family


def _can_read(family: AnyFamily, metadata: RawRecord) -> bool:
    try:
        scoring_data_of(family, metadata)
    except (ValueError, LookupError, TypeError):
        return False
    return True
