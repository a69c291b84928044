"""Figures that the host shows while a run goes on: worked out no more often than they are worth;
what it logs in the end is always worked out of all answers."""

from collections.abc import Callable, Sequence
from time import perf_counter

from inspect_ai.scorer import Metric, SampleScore

from bias_tasks.solvers.inspect_host import sample_state

_SHARE = 50
"""Figures that took a second are worked out again after so many seconds at the earliest."""
Values = dict[str, float]


def rarely(compute: Callable[[Sequence[SampleScore], bool], Values]) -> Metric:
    """The metric that `compute` makes of scores, told whether the run goes on: for as long as it
    does, each model is shown what came out a while ago."""
    shown: dict[str, tuple[float, Values]] = {}

    def metric(scores: list[SampleScore]) -> Values:
        model = _asked_live(scores)
        if model is None:
            return compute(scores, False)
        began = perf_counter()
        if model not in shown or began >= shown[model][0]:
            found = compute(scores, True)
            ended = perf_counter()
            shown[model] = (ended + _SHARE * (ended - began), found)
        return shown[model][1]

    return metric


def _asked_live(scores: Sequence[SampleScore]) -> str | None:
    """The model of the sample whose end makes the host ask for figures, which is the last's; None
    where none does, as at the end of a run within another one's sample."""
    state = sample_state()
    if state is None or not scores or not state.completed or not state.scores:
        return None
    return str(state.model) if scores[-1].sample_id == state.sample_id else None
