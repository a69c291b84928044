"""Which number a text gives."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.output_format.numbers import number_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("18", 18),
        ("18.", 18),
        ("18.0", 18),
        ("018", 18),
        ("$18.00", 18),
        ("18 $", 18),
        ("€18", 18),
        ("US$18", 18),
        ("18 dollars", 18),
        ("18kg", 18),
        ("18%", 18),
        ("18 percent", 18),
        ("about 18 apples", 18),
        ("x = 18", 18),
        ("(18)", 18),
        ("１８", 18),
        ("1,800", 1800),
        ("1,234,567.50", Fraction(2469135, 2)),
        ("12,34,567", 1234567),
        ("1800,", 1800),
        ("1.800", Fraction(9, 5)),
        ("1.5", Fraction(3, 2)),
        (".5", Fraction(1, 2)),
        ("1/5", Fraction(1, 5)),
        ("36/2", 18),
        ("1.8e1", 18),
        ("180E-1", 18),
        ("18½", Fraction(37, 2)),
        ("18 and a half", Fraction(37, 2)),
        ("15k", 15_000),
        ("1.5 million", 1_500_000),
        ("2 thousands", 2_000),
        ("-18", -18),
        ("−18", -18),
        ("−18 °C", -18),
        ("-$18", -18),
        ("$-18", -18),
        ("minus 18", -18),
        ("negative 18", -18),
        ("- 18", 18),  # a bullet
        ("Day-18", 18),
        ("COVID-19", 19),
    ],
)
def test_the_number(text, number):
    assert number_of(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "eighteen",
        "H2O",
        "9 and 18",
        "9-18",
        "1 800",
        "1,5",
        "18,00",
        "1,80,0",
        "1/0",
        "1e999",
        "9" * 61,
        "3 1/2",
    ],
)
def test_no_number_several_or_an_ill_formed_one(text):
    assert number_of(text) is None


@given(st.integers(-(10**15), 10**15), st.integers(0, 6))
def test_spellings_of_a_number_give_it(number, decimals):
    exact = Fraction(number, 10**decimals)
    plain = f"{'-' * (number < 0)}{abs(number) // 10**decimals}"
    if decimals:
        plain += f".{abs(number) % 10**decimals:0{decimals}d}"
    grouped = f"{'-' * (number < 0)}{abs(number) // 10**decimals:,}"
    grouped += plain[plain.find(".") :] if decimals else ""
    for spelled in (plain, grouped, f"It is {grouped}.", f"**{plain}** dollars"):
        assert number_of(spelled) == exact, spelled


@given(st.text(max_size=60))
def test_any_text_has_a_number_or_none(text):
    assert number_of(text) is None or isinstance(number_of(text), Fraction)
