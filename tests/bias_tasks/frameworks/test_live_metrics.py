"""Figures while a run goes on are worked out rarely; those that stay, always."""

from types import SimpleNamespace

from inspect_ai.scorer import SampleScore, Score

from bias_tasks.scorers import run_metrics as live
from bias_tasks.scorers.run_metrics import compute_rarely

SCORES = [SampleScore(score=Score(value=1), sample_id=each) for each in "ab"]


def test_live_figures_take_at_most_a_fiftieth_of_the_time(monkeypatch):
    now, found = [0.0], iter(range(1, 100))

    def compute(scores, going_on):
        now[0] += 2.0
        return next(found)

    monkeypatch.setattr(live, "perf_counter", lambda: now[0])
    shown = compute_rarely(compute)

    def ended(**changed):
        """The figures at the end of the sample `b`."""
        sample = {"model": "m", "sample_id": "b", "completed": True, "scores": {"outcome": 1}}
        monkeypatch.setattr(live, "sample_state", lambda: SimpleNamespace(**sample | changed))
        return shown(SCORES)

    assert ended() == 1
    now[0] = 101.0  # due 100 seconds after 2, when the first ones were there
    assert [ended(), ended()] == [1, 1]
    assert ended(model="another") == 2  # the same task on two models shows each its own
    assert ended() == 3
    # What is logged: within another's sample, in its solver, in its scorer, at the end.
    assert [ended(sample_id="a"), ended(completed=False), ended(scores={})] == [4, 5, 6]
    monkeypatch.setattr(live, "sample_state", lambda: None)
    assert shown(SCORES) == 7
