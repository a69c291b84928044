"""Figures while a run goes on are worked out rarely; those that stay, always."""

from types import SimpleNamespace

import pytest
from inspect_ai.scorer import SampleScore, Score

from bias_tasks.scorers import live
from bias_tasks.scorers.live import Live


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def scores(*ids):
    return [SampleScore(score=Score(value=1), sample_id=each) for each in ids]


def counting(clock, seconds):
    """Figures that take so many seconds; each time they are the next number."""
    found = iter(range(1, 100))

    def compute():
        clock.now += seconds
        return next(found)

    return compute


def ended(monkeypatch, **changed):
    """Have the host ask at the end of the sample `b`."""
    sample = {"model": "m", "sample_id": "b", "completed": True, "scores": {"outcome": 1}}
    monkeypatch.setattr(live, "task_state", lambda: SimpleNamespace(**sample | changed))


def test_live_figures_take_at_most_a_fiftieth_of_the_time(monkeypatch):
    clock = Clock()
    shown = Live(clock)
    compute = counting(clock, 2.0)
    ended(monkeypatch)
    assert shown.of(scores("a", "b"), compute) == 1
    clock.now = 101.0  # due 100 seconds after 2, when the first ones were there
    assert shown.of(scores("a", "b"), compute) == 1
    ended(monkeypatch, model="another")  # the same task on two models shows each its own
    assert shown.of(scores("a", "b"), compute) == 2
    ended(monkeypatch)
    assert shown.of(scores("a", "b"), compute) == 3


@pytest.mark.parametrize(
    "changed",
    [None, {"sample_id": "a"}, {"completed": False}, {"scores": {}}],
    ids=["at the end", "within another's sample", "in its solver", "in its scorer"],
)
def test_figures_that_stay_are_worked_out_anew(monkeypatch, changed):
    clock = Clock()
    shown, compute = Live(clock), counting(clock, 2.0)
    ended(monkeypatch)
    shown.of(scores("a", "b"), compute)
    if changed is None:
        monkeypatch.setattr(live, "task_state", lambda: None)
    else:
        ended(monkeypatch, **changed)
    assert shown.of(scores("a", "b"), compute) == 2
