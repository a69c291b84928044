"""Choice questions of several kinds, whose truth is computed.

A kind draws a question with a pool of right and a pool of wrong options before it is known how
many right ones the item will show: question and passage cannot give the label away. Wrong options
come from the same range as right ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from bias_tasks.data.synthetic.words import names, nouns, word_list


@dataclass(frozen=True, slots=True)
class Pool:
    """A question, and options that are right and wrong for it; all are different."""

    context: str | None
    question: str
    right: list[str]
    wrong: list[str]


class Choice(NamedTuple):
    """A question with its options, in random order."""

    context: str | None
    question: str
    options: tuple[str, ...]
    answer: tuple[int, ...]
    """Positions of the right options, counted from 0."""


Kind = Callable[[random.Random, int, int], Pool]
"""(generator, size of the right pool, size of the wrong pool) -> pool."""


MOST_RIGHT = 3
"""So many right options there may be in a question."""


def draw_choice(rng: random.Random, right_counts: Sequence[int], n_options: int) -> Choice:
    """A question of a random kind.

    Args:
        rng: the only source of chance.
        right_counts: how many options may be right, at most `MOST_RIGHT`.
        n_options: options shown, 2 to 10, and more than may be right.
    """
    pool = rng.choice(KINDS)(rng, MOST_RIGHT, n_options)
    right = rng.sample(pool.right, rng.choice(right_counts))
    options = right + rng.sample(pool.wrong, n_options - len(right))
    rng.shuffle(options)
    answer = tuple(place for place, option in enumerate(options) if option in right)
    return Choice(pool.context, pool.question, tuple(options), answer)


def numbers(rng: random.Random, n_right: int, n_wrong: int) -> Pool:
    """Divisibility and remainders of three-digit numbers."""
    divisor = rng.choice((3, 7, 9, 11, 13))  # coprime to 10: the last digit says nothing
    remainder = rng.randrange(divisor) if rng.random() < 0.5 else 0
    right = [m for m in range(100, 1000) if m % divisor == remainder]
    wrong = [m for m in range(100, 1000) if m % divisor != remainder]
    asked = (
        f"leave a remainder of {remainder} when divided by {divisor}"
        if remainder
        else f"are divisible by {divisor}"
    )
    return Pool(
        None,
        f"Which of the following numbers {asked}?",
        [str(m) for m in rng.sample(right, n_right)],
        [str(m) for m in rng.sample(wrong, n_wrong)],
    )


def members(rng: random.Random, n_right: int, n_wrong: int) -> Pool:
    """Who is a member of one society, of another, or of both, by the lists in the passage."""
    first, second = (noun.capitalize() for noun in nouns(rng, 2))
    only_first, only_second, both, asked = _three_groups(
        rng, names(rng, n_right + n_wrong), n_right
    )
    context = "\n".join(
        f"The members of the {society} Society are {_listed(rng, people)}."
        for society, people in ((first, only_first + both), (second, only_second + both))
    )
    question, right = (
        (f"members of the {first} Society but not of the {second} Society", only_first),
        (f"members of the {second} Society but not of the {first} Society", only_second),
        (f"members of both the {first} Society and the {second} Society", both),
    )[asked]
    wrong = [name for name in only_first + only_second + both if name not in right]
    return Pool(context, f"Which of the following people are {question}?", right, wrong)


def creatures(rng: random.Random, n_right: int, n_wrong: int) -> Pool:
    """Which invented creatures have which of two properties stated in the passage."""
    food, other_food = rng.sample(word_list("foods"), 2)
    habitat, other_habitat = rng.sample(word_list("habitats"), 2)
    eaters, dwellers, both, asked = _three_groups(rng, nouns(rng, n_right + n_wrong), n_right)
    rows = [
        *((creature, food, other_habitat) for creature in eaters),
        *((creature, other_food, habitat) for creature in dwellers),
        *((creature, food, habitat) for creature in both),
    ]
    rng.shuffle(rows)
    question, right = (
        (f"eat {food} but do not live in the {habitat}", eaters),
        (f"live in the {habitat} but do not eat {food}", dwellers),
        (f"eat {food} and live in the {habitat}", both),
    )[asked]
    return Pool(
        "\n".join(
            f"The {name} eats only {eats} and lives only in the {at}." for name, eats, at in rows
        ),
        f"According to the passage, which of the following creatures {question}?",
        right,
        [name for name, *_ in rows if name not in right],
    )


def ages(rng: random.Random, n_right: int, n_wrong: int) -> Pool:
    """Who is older or younger than an age, by differences of age stated in the passage."""
    older = rng.random() < 0.5
    limit = rng.randint(40, 60)
    above = [limit + years for years in range(1, 20)]
    below = [limit - years for years in range(1, 20)]
    right = rng.sample(above if older else below, n_right)
    wrong = rng.sample(below if older else above, n_wrong)
    people = dict(zip(names(rng, n_right + n_wrong), right + wrong, strict=True))
    told = list(people)
    rng.shuffle(told)
    sentences = [f"{told[0]} is {people[told[0]]} years old."]
    for place in range(1, len(told)):
        name, known = told[place], told[rng.randrange(place)]
        years = people[name] - people[known]
        unit = "year" if abs(years) == 1 else "years"
        relation = "older" if years > 0 else "younger"
        sentences.append(f"{name} is {abs(years)} {unit} {relation} than {known}.")
    return Pool(
        "\n".join(sentences),
        f"Which of the following people are {'older' if older else 'younger'} than {limit}?",
        list(people)[:n_right],
        list(people)[n_right:],
    )


def weekdays(rng: random.Random, n_right: int, n_wrong: int) -> Pool:
    """Which dates fall on a day of the week, counted from a date whose weekday is given."""
    start = _day(rng)
    days = [start + timedelta(days=offset) for offset in range(1, 71)]
    asked = rng.choice(days).weekday()
    names_of_days = word_list("weekdays")
    return Pool(
        f"{_printed(start)} is a {names_of_days[start.weekday()]}.",
        f"Which of the following dates fall on a {names_of_days[asked]}?",
        _sampled_days(rng, [day for day in days if day.weekday() == asked], n_right),
        _sampled_days(rng, [day for day in days if day.weekday() != asked], n_wrong),
    )


def periods(rng: random.Random, n_right: int, n_wrong: int) -> Pool:
    """Which dates lie strictly between two dates."""
    start = _day(rng)
    end = start + timedelta(days=rng.randint(20, 50))
    length = (end - start).days
    outside = [*range(-length, 0), *range(length + 1, 2 * length + 1)]
    return Pool(
        None,
        f"Which of the following dates lie after {_printed(start)} and before {_printed(end)}?",
        _sampled_days(rng, [start + timedelta(days=day) for day in range(1, length)], n_right),
        _sampled_days(rng, [start + timedelta(days=day) for day in outside], n_wrong),
    )


def measures(rng: random.Random, n_right: int, n_wrong: int) -> Pool:
    """Which lengths, weights or durations are above or below a limit given in another unit."""
    quantity, more, less, printers = rng.choice(_QUANTITIES)
    step = rng.randint(3, 90)  # one percent of the limit, in the smallest unit
    above = [step * percent for percent in range(101, 160)]
    below = [step * percent for percent in range(41, 100)]
    wanted, unwanted, asked = rng.choice(((above, below, more), (below, above, less)))

    def printed(amount: int) -> str:
        return rng.choice(printers)(amount)

    return Pool(
        None,
        f"Which of the following {quantity} are {asked} than {printed(step * 100)}?",
        [printed(amount) for amount in rng.sample(wanted, n_right)],
        [printed(amount) for amount in rng.sample(unwanted, n_wrong)],
    )


KINDS: tuple[Kind, ...] = (numbers, members, creatures, ages, weekdays, periods, measures)


def _three_groups(
    rng: random.Random, everybody: list[str], n_right: int
) -> tuple[list[str], list[str], list[str], int]:
    """Three groups, and which of them (0 to 2) is asked for: it alone has `n_right` members."""
    asked = rng.randrange(3)
    right, rest = everybody[:n_right], everybody[n_right:]
    groups = [rest[::2], rest[1::2]]
    groups.insert(asked, right)
    return groups[0], groups[1], groups[2], asked


def _listed(rng: random.Random, people: list[str]) -> str:
    *first, last = rng.sample(people, len(people))
    return f"{', '.join(first)} and {last}"


def _day(rng: random.Random) -> date:
    return date(2031, 1, 1) + timedelta(days=rng.randrange(7000))


def _printed(day: date) -> str:
    return f"{day.day} {word_list('months')[day.month - 1]} {day.year}"


def _sampled_days(rng: random.Random, days: list[date], count: int) -> list[str]:
    return [_printed(day) for day in rng.sample(days, count)]


def _scaled(unit: str, digits: int) -> Callable[[int], str]:
    """Prints an amount of the smallest unit in one `10 ** digits` times as large, exactly."""
    return lambda amount: f"{Decimal(amount).scaleb(-digits).normalize():f} {unit}"


def _hours(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min"


_QUANTITIES: tuple[tuple[str, str, str, tuple[Callable[[int], str], ...]], ...] = (
    ("lengths", "longer", "shorter", (_scaled("mm", 0), _scaled("cm", 1), _scaled("m", 3))),
    ("weights", "heavier", "lighter", (_scaled("g", 0), _scaled("kg", 3))),
    (
        "durations",
        "longer",
        "shorter",
        (_scaled("min", 0), lambda minutes: f"{minutes * 60} s", _hours),
    ),
)
