"""Says of a run that many of its answers could not be read, and why that may be."""

from __future__ import annotations

from bias_tasks.families import load_family
from bias_tasks.record import MOST, unread_notice
from bias_tasks.results.answers import UnusableRunError, answers_of
from bias_tasks.results.run import Run

_FIGURE = "unread"


def unread_in(run: Run) -> str | None:
    """What to say beside the figures; the samples are read only where many answers are unread."""
    share = next((figure.value for figure in run.metrics if figure.name == _FIGURE), 0.0)
    if not share > MOST:
        return None
    family = load_family(run.record["family"])
    try:
        outcomes = answers_of(run).outcomes()
    except UnusableRunError:
        return f"{share:.0%} of the answers could not be read; their samples are not here"
    return unread_notice(outcomes, in_form=family.measures_form)
