"""What stands in for a clock tells quadratic work from linear work."""

import re

import pytest

from tests.bias_tasks.effort import TooMuchWorkError, cpu_limit, growth, steps

LARGE, HUGE = "a" * 100_000, "a" * 1_000_000


def linear(size):
    return lambda: [number * 2 for number in range(size)]


def pairs(size):
    return lambda: [a for a in range(size) for b in range(a) if b > size]


def scanned(size):
    def call():
        text, seen = "x" * size, []
        for start in range(size):
            seen.append(next((i for i in range(start, size) if text[i] == "y"), None))

    return call


def test_steps_are_the_same_each_time():
    call = pairs(30)
    assert steps(call) == steps(call) > 400


def test_linear_work_grows_with_its_input():
    assert growth(linear, 500) == pytest.approx(4, rel=0.05)


@pytest.mark.parametrize("quadratic", [pairs, scanned])
def test_quadratic_work_grows_faster(quadratic):
    assert growth(quadratic, 50) > 10


@pytest.mark.parametrize(
    "quadratic",
    [
        lambda: re.search(r"a*b", LARGE),
        lambda: re.search(r"[^b]*b", LARGE),
        lambda: [len(HUGE[start:]) for start in range(len(HUGE))],
        lambda: [HUGE.find("b", start) for start in range(len(HUGE))],
    ],
    ids=["a pattern", "another pattern", "slices", "find"],
)
def test_quadratic_work_in_c_is_ended(quadratic):
    with pytest.raises(TooMuchWorkError, match="this one: not done"), cpu_limit(0.3, "this one"):
        quadratic()


def test_an_exception_handler_does_not_hide_it():
    def swallowing():
        try:
            re.search(r"a*b", LARGE)
        except Exception:  # noqa: BLE001
            return None

    with pytest.raises(TooMuchWorkError), cpu_limit(0.3):
        swallowing()


def test_linear_work_is_not_ended():
    with cpu_limit(5):
        assert re.search(r"a+b", "a" * 1000 + "b")
    with cpu_limit(5):
        assert LARGE.find("b") == -1
