"""What a message shows of a value that was given: it, and never much of it."""

import math

import pytest

from bias_tasks.names import cli_values, nearest, quoted, unknown_name
from bias_tasks.parameters import Parameter, chosen_names

HUGE = "x" * 3_000_000
LINE = 600


@pytest.mark.parametrize("value", ["a\n", 3, -0.5, math.nan, True, None, [1, 2], {"a": 1}, (1,)])
def test_a_short_value_stands_as_python_writes_it(value):
    assert quoted(value) == repr(value)


LONG = {
    "text": HUGE,
    "list": [HUGE],
    "mapping": {HUGE: HUGE},
    "many": ["x"] * 100_000,
    "number": 10**400,
    "digits that Python refuses to write": -(10**10_000),
    "nested": [[[[[[[HUGE]]]]]]],
    "wide": [["x" * 150] * 10] * 10,
}
every_long = pytest.mark.parametrize("value", LONG.values(), ids=LONG)


@every_long
def test_a_long_one_is_cut(value):
    assert len(quoted(value)) <= LINE


@pytest.mark.parametrize("kind", ["shard", "number", "whole", "flag", "weights"])
@every_long
def test_parameters_refuse_it_in_a_short_line(kind, value):
    with pytest.raises(ValueError, match="expected") as refused:
        Parameter("it", kind, 0, "what it does", values=("word",)).check(value)
    assert len(str(refused.value)) <= LINE


@pytest.mark.parametrize("setting", [HUGE, f"n=[{'[' * 5_000}"])
def test_settings_are_refused_in_a_short_line(setting):
    with pytest.raises(ValueError, match=r"^-T ") as refused:
        cli_values("-T", [setting])
    assert len(str(refused.value)) <= LINE


def test_names_are_refused_in_a_short_line():
    with pytest.raises(ValueError, match="expected some of a, b") as refused:
        chosen_names("it", [f"{number}{HUGE}" for number in range(20)], ("a", "b"))
    assert len(str(refused.value)) <= 10 * LINE
    assert nearest(HUGE, ("xxx",)) is None
    assert len(unknown_name(HUGE, ("a",), "parameters")) <= LINE
