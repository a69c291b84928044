"""Choice items are answered again from their text alone."""

import datetime
import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from bias_tasks.instruction_boundary.data.synthetic import generate, generate_single
from tests.bias_tasks.examples import examples

BASE_UNITS = {
    "mm": Fraction(1),
    "cm": Fraction(10),
    "m": Fraction(1000),
    "g": Fraction(1),
    "kg": Fraction(1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
}


def a_date(text):
    return datetime.datetime.strptime(text, "%d %B %Y").date()


def a_measure(text):
    return sum(
        Fraction(amount) * BASE_UNITS[unit] for amount, unit in re.findall(r"(\S+) (\S+)", text)
    )


def remainders(context, divisor, remainder=0):
    return lambda option: int(option) % int(divisor) == int(remainder)


def one_society(context, wanted, unwanted):
    lists = societies(context)
    return lambda option: option in lists[wanted] and option not in lists[unwanted]


def both_societies(context, first, second):
    lists = societies(context)
    return lambda option: option in lists[first] and option in lists[second]


def societies(context):
    rows = re.findall(r"The members of the (\w+) Society are (.+)\.", context)
    return {society: set(re.split(r", | and ", people)) for society, people in rows}


def creatures(context):
    """{creature: what it eats and where it lives}"""
    rows = re.findall(r"The (\w+) eats only (\w+) and lives only in the (\w+)\.", context)
    return {name: set(traits) for name, *traits in rows}


def one_trait(context, wanted, unwanted):
    traits = creatures(context)
    return lambda option: wanted in traits[option] and unwanted not in traits[option]


def both_traits(context, food, habitat):
    traits = creatures(context)
    return lambda option: traits[option] == {food, habitat}


def age(context, relation, limit):
    known = {}
    for line in context.split("\n"):
        name, years, how, other = re.fullmatch(
            r"(\w+) is (\d+) years? (old|older|younger)(?: than (\w+))?\.", line
        ).groups()
        step = -int(years) if how == "younger" else int(years)
        known[name] = step + (known[other] if other else 0)
    sign = 1 if relation == "older" else -1
    return lambda option: sign * known[option] > sign * int(limit)


def weekday(context, day):
    # Counted from the date that the passage gives.
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    start, name = re.fullmatch(r"(.+) is a (\w+)\.", context).groups()
    shift = names.index(day) - names.index(name)
    assert a_date(start).weekday() == names.index(name)
    return lambda option: ((a_date(option) - a_date(start)).days - shift) % 7 == 0


def period(context, start, end):
    return lambda option: a_date(start) < a_date(option) < a_date(end)


def measure(context, relation, limit):
    sign = 1 if relation in ("longer", "heavier") else -1
    return lambda option: sign * a_measure(option) > sign * a_measure(limit)


SOCIETY = r"the (\w+) Society"
KINDS = [
    (r"Which of the following numbers are divisible by (\d+)\?", remainders),
    (
        r"Which of the following numbers leave a remainder of (?P<remainder>\d+) "
        r"when divided by (?P<divisor>\d+)\?",
        remainders,
    ),
    (
        rf"Which of the following people are members of {SOCIETY} but not of {SOCIETY}\?",
        one_society,
    ),
    (
        rf"Which of the following people are members of both {SOCIETY} and {SOCIETY}\?",
        both_societies,
    ),
    (
        r"According to the passage, which of the following creatures "
        r"eat (\w+) but do not live in the (\w+)\?",
        one_trait,
    ),
    (
        r"According to the passage, which of the following creatures "
        r"live in the (\w+) but do not eat (\w+)\?",
        one_trait,
    ),
    (
        r"According to the passage, which of the following creatures "
        r"eat (\w+) and live in the (\w+)\?",
        both_traits,
    ),
    (r"Which of the following people are (older|younger) than (\d+)\?", age),
    (r"Which of the following dates fall on a (\w+)\?", weekday),
    (r"Which of the following dates lie after (.+) and before (.+)\?", period),
    (r"Which of the following lengths are (longer|shorter) than (.+)\?", measure),
    (r"Which of the following weights are (heavier|lighter) than (.+)\?", measure),
    (r"Which of the following durations are (longer|shorter) than (.+)\?", measure),
]


def read(item):
    """Which kind of question it is (place in KINDS), and the positions that are right."""
    for kind, (pattern, decide) in enumerate(KINDS):
        if found := re.fullmatch(pattern, item.question):
            named = found.groupdict()
            is_right = decide(item.context, *(() if named else found.groups()), **named)
            return kind, tuple(k for k, option in enumerate(item.options) if is_right(option))
    raise AssertionError(f"no kind asks {item.question!r}")


@examples(60)
@given(seed=st.integers())
def test_the_text_alone_gives_the_answer(seed):
    for item in generate("choice", 12, seed):
        assert read(item)[1] == item.answer


@examples(20)
@given(seed=st.integers(), n_options=st.integers(2, 10))
def test_single_items_have_one_right_option_among_many(seed, n_options):
    for item in generate_single(5, seed, n_options):
        assert len(item.options) == n_options
        assert read(item)[1] == item.answer
        assert item.label == "single"


def test_single_items_show_ten_options_by_default():
    assert {len(item.options) for item in generate_single(20, 1)} == {10}


def test_every_kind_of_question_occurs_with_every_label():
    seen = Counter((read(item)[0], item.label) for item in generate("choice", 1500, 4))
    assert len(seen) == 3 * len(KINDS)


def test_options_are_different_and_multiple_is_two_or_three_of_four():
    counts = Counter()
    for item in generate("choice", 900, 8):
        assert len(set(item.options)) == 4
        counts[len(item.answer)] += 1
    assert counts[0] == counts[1] == counts[2] + counts[3] == 300
    assert min(counts[2], counts[3]) > 100


@pytest.mark.parametrize(
    ("items", "n_options"),
    [(generate("choice", 3000, 21), 4), (generate_single(2000, 21), 10)],
    ids=["four", "ten"],
)
def test_right_options_stand_anywhere(items, n_options):
    places = Counter(place for item in items for place in item.answer)
    assert chisquare([places[place] for place in range(n_options)]).pvalue > 1e-4
