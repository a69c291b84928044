"""Which figures a run shows, and what stands beside a value."""

import math

import pytest

from bias_tasks.figures import BESIDE, block, brief, headline
from bias_tasks.parameters import TaskSpec
from bias_tasks.statistics.estimate import Estimate, standard_error

SPEC = TaskSpec("t", "s", (), headline=("a", "b/*"), beside=("c/*", "b/x", "d"))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["d", "a", "b/x"], ("a", "b/x", "d")),
        (["b/y", "b/x", "c/1", "c/2"], ("b/y", "c/1", "c/2", "b/x")),
        (["d", "e"], ("d",)),
        (["e"], ()),
        ([f"c/{place}" for place in range(9)] + ["a"], ("a", *(f"c/{n}" for n in range(BESIDE)))),
    ],
)
def test_the_first_pattern_that_a_run_has_is_its_headline(names, expected):
    assert block(SPEC, names) == expected
    assert headline(SPEC, names) == (expected[0] if expected and expected[0] != "d" else None)


def test_a_standard_error_is_that_of_the_normal_estimate_as_wide():
    assert standard_error(Estimate(0.5, 0.5 - 1.96, 0.5 + 1.96, 9)) == pytest.approx(1, abs=1e-4)
    assert math.isnan(standard_error(Estimate(0.5, math.nan, 0.6, 1)))


def test_what_a_host_shows_begins_with_the_headline():
    card = {
        "d": Estimate(0.25, 0.0, 0.5, 4),
        "a": Estimate(0.5, 0.3, 0.7, 4),
        "items": Estimate(4.0, math.nan, math.nan, 4),
    }
    shown = brief(SPEC, card)
    assert list(shown) == ["a", "stderr", "ci_low", "ci_high", "d", "items"]
    assert list(shown.values()) == pytest.approx([0.5, 0.4 / 3.919928, 0.3, 0.7, 0.25, 4])
    assert brief(SPEC, {"e": card["d"]}) == {}
