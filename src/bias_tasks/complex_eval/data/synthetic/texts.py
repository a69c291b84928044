"""Generated pairs of reports, worked solutions and stories, whose quality is known by rule.

Pairs report who keeps what from notes, in full or badly. Solutions of arithmetic and of linear
equations have one planted error or none. Stories tell what was asked for in full, in brief, or not
at all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from bias_tasks.complex_eval.attacks.layout import steps_text
from bias_tasks.complex_eval.items import CHOSEN, ORIGINAL, REJECTED, Criterion, JudgedItem
from bias_tasks.data.files import read_yaml
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.names import content_hash

_PEOPLE = 9  # in the notes
_COUNTS = (4, 5, 6)  # how many of them a request names
_FACT = re.compile(r"\b(\w{1,40}) keeps the (\w{1,40})\b")
_ASK = "Report what each of these keeps: "


class FactCount(NamedTuple):
    """What a response reports of what was asked."""

    asked: int
    right: int
    wrong: int


def fact_pair(rng: random.Random, kind: str) -> JudgedItem:
    """A pair whose rejected response is `missing` some, reports some `wrong`, or `both`."""
    kept = dict(zip(names(rng, _PEOPLE), nouns(rng, _PEOPLE), strict=True))
    asked = rng.sample(list(kept), rng.choice(_COUNTS))
    notes = [_fact(who, kept[who]) for who in rng.sample(list(kept), _PEOPLE)]
    query = f"User: Notes:\n{_lines(notes)}\n\n{_ASK}{', '.join(asked)}."
    chosen = [_fact(who, kept[who]) for who in asked]
    rejected = _spoilt(rng, kept, asked, kind)
    identifier = f"synthetic-{content_hash('basic', query, chosen, rejected)}"
    return JudgedItem(
        id=identifier,
        family="basic",
        domain="synthetic",
        source="synthetic",
        cluster=identifier,
        query=query,
        responses={CHOSEN: _reported(rng, chosen), REJECTED: _reported(rng, rejected)},
        reference=_inventory(rng, chosen),
        rubric=_wording("facts")["rubric"],
    )


def count_facts(query: str, response: str) -> FactCount:
    """What the response to a generated query reports rightly and wrongly, by rule.

    A person of whom two things are reported counts as wrong; people that were not asked for
    count for nothing.
    """
    notes, _, asked = query.rpartition(_ASK)
    truth = dict(_FACT.findall(notes))
    wanted = [who for who in re.findall(r"\w+", asked) if who in truth]
    reported: dict[str, set[str]] = {}
    for who, what in _FACT.findall(response):
        reported.setdefault(who, set()).add(what)
    right = sum(reported.get(who) == {truth[who]} for who in wanted)
    return FactCount(len(wanted), right, sum(who in reported for who in wanted) - right)


def fact_score(query: str, response: str) -> float:
    """How good a response to a generated query is, on the scale of 1 to 10.

    A point that is reported wrongly costs as much as one that is missing, and as much again.
    """
    asked, right, wrong = count_facts(query, response)
    return 1 + 9 * max(0, right - wrong) / asked


def _spoilt(rng: random.Random, kept: dict[str, str], asked: list[str], kind: str) -> list[str]:
    """The report with one to all but one of its points spoilt (`both`: at least two)."""
    least = 2 if kind == "both" else 1
    spoilt = rng.sample(asked, rng.randint(least, len(asked) - 1))
    missing = {"missing": spoilt, "wrong": [], "both": spoilt[::2]}[kind]
    others = [what for who, what in kept.items() if who not in asked]
    return [
        _fact(who, rng.choice(others) if who in spoilt else kept[who])
        for who in asked
        if who not in missing
    ]


def _reported(rng: random.Random, facts: list[str]) -> str:
    """The facts in the order asked for, among sentences that say nothing."""
    told = list(facts)
    asides = _wording("facts")["asides"]
    for aside in rng.sample(asides, rng.randint(0, len(asides))):
        told.insert(rng.randint(0, len(told)), aside)
    return " ".join(told)


def _inventory(rng: random.Random, facts: list[str]) -> str:
    listed = [f"- **Finding:** {fact}" for fact in rng.sample(facts, len(facts))]
    opening = "Overall, the inventory documents these custodians."
    closing = "Consequently, the inventory is complete."
    return f"# Inventory of custodians\n\n{opening}\n\n{_lines(listed)}\n\n{closing}"


def _fact(who: str, what: str) -> str:
    return f"{who} keeps the {what}."


def _lines(parts: list[str]) -> str:
    return "\n".join(parts)


_CHAIN = (4, 8)
"""The fewest and the most operations on a running value."""
_SLIPS = (-3, -2, -1, 1, 2, 3)
"""What a wrong step's number may be off by."""


class _Solved(NamedTuple):
    problem: str
    steps: list[str]
    reference: list[str]


def solution(rng: random.Random, kind: str) -> JudgedItem:
    """A solution with exactly one wrong step (`error`), or none (`none`).

    Every step behind the wrong one is right, given the wrong one's value.
    """
    make, count = rng.choice(((_chain, rng.randint(*_CHAIN)), (_equation, 4)))
    wrong = rng.randrange(count) if kind == "error" else -1
    solved = make(rng, count, wrong)
    return JudgedItem(
        id=f"synthetic-{content_hash('math', solved.problem, solved.steps, wrong)}",
        family="math",
        domain="synthetic",
        source="synthetic",
        cluster=f"synthetic-{content_hash('math', solved.problem)}",
        query=solved.problem,
        responses={ORIGINAL: steps_text(solved.steps)},
        reference=" ".join(solved.reference),
        first_error=wrong,
    )


def _chain(rng: random.Random, count: int, wrong: int) -> _Solved:
    """Operations on a running value."""
    start = value = truth = rng.randint(10, 60)
    told, steps, reference = [], [], []
    for position in range(count):
        sign, verb, amount = rng.choice(
            (
                ("+", "Add", rng.randint(3, 40)),
                ("-", "Subtract", rng.randint(3, 40)),
                ("*", "Multiply by", rng.randint(2, 4)),
            )
        )
        slip = rng.choice(_SLIPS) if position == wrong else 0
        result = _apply(sign, value, amount) + slip
        told.append(f"{verb.lower()} {amount}")
        steps.append(f"{verb} {amount}: {value} {sign} {amount} = {result}.")
        truth_before, truth = truth, _apply(sign, truth, amount)
        reference.append(
            f"By successive evaluation, the operation gives {truth_before} {sign} {amount} "
            f"= {truth}."
        )
        value = result
    problem = f"Start with {start}. {_as_sentence(told)} What is the result?"
    closing = f"Therefore, the iterated composition evaluates to {truth}."
    return _Solved(problem, steps, ["Let x denote the running total.", *reference, closing])


def _equation(rng: random.Random, count: int, wrong: int) -> _Solved:
    """a(x + b) + cx = d, solved in four steps."""
    a, b, c = rng.randint(2, 9), rng.randint(2, 9), rng.randint(2, 9)
    d = rng.randint(50, 150)
    problem = f"Solve for x: {a}(x + {b}) + {c}x = {d}."

    def slip(position: int) -> int:
        return rng.choice(_SLIPS) if position == wrong else 0

    product = a * b + slip(0)
    total = a + c + slip(1)
    rest = d - product + slip(2)
    root = Fraction(rest, total) + slip(3)
    steps = [
        f"Expand the bracket: {a}x + {product} + {c}x = {d}.",
        f"Collect the terms in x: {total}x + {product} = {d}.",
        f"Subtract {product} from both sides: {total}x = {rest}.",
        f"Divide both sides by {total}: x = {root}.",
    ]
    reference = [
        "Let x be the unknown.",
        f"By the distributive law, {a}x + {a * b} + {c}x = {d}.",
        f"Hence, by linearity, {a + c}x = {d - a * b}.",
        f"Therefore, by cancellation, x = {Fraction(d - a * b, a + c)}.",
    ]
    return _Solved(problem, steps, reference)


def _apply(sign: str, value: int, amount: int) -> int:
    return {"+": value + amount, "-": value - amount, "*": value * amount}[sign]


def _as_sentence(operations: list[str]) -> str:
    text = ", then ".join(operations)
    return f"{text[0].upper()}{text[1:]}."


_SCORES = (1.0, 5.5, 10.0)
"""Of an element that is told not at all, in brief and in full."""
_QUERY = (
    "Write a short story of about 200 words. Its hero is {hero}, it is set in {town}, and a "
    "{thing} is found and lost again."
)
_SLOTS = re.compile(r"Its hero is (\w+), it is set in (\w+), and a (\w+) is found")


def story(rng: random.Random, kind: str) -> JudgedItem:
    """A story in which every element is told in full, in brief or not at all."""
    hero, town = names(rng, 2)
    slots = {"hero": hero, "town": town, "thing": nouns(rng, 1)[0]}
    query = _QUERY.format(**slots)
    response = _written(slots, [rng.randint(0, 2) for _ in _elements()], rng)
    identifier = f"synthetic-{content_hash('creative_writing', query, response)}"
    return JudgedItem(
        id=identifier,
        family="creative_writing",
        domain="synthetic",
        source="synthetic",
        cluster=identifier,
        query=query,
        responses={ORIGINAL: response},
        reference=_sample_story(slots),
        criteria=tuple(
            Criterion(name, f"Whether {asked}.\n1-2: not at all\n5-6: in brief\n9-10: in full")
            for name, (_, _, asked) in _elements().items()
        ),
    )


def story_scores(query: str, response: str) -> dict[str, float]:
    """The score of each criterion, 1 to 10, of a response to a generated query, by rule.

    Capitals don't matter, as a sentence may have been given a beginning.

    Raises:
        ValueError: the query is not a generated one.
    """
    asked = _SLOTS.search(query)
    if asked is None:
        raise ValueError("the query is not one of the generated ones")
    slots = dict(zip(("hero", "town", "thing"), asked.groups(), strict=True))
    told = response.casefold()
    return {
        name: _SCORES[sum(part.format(**slots).casefold() in told for part in (brief, full))]
        for name, (brief, full, _) in _elements().items()
    }


def _written(slots: Mapping[str, str], levels: list[int], rng: random.Random) -> str:
    """The elements in order, with passages between them that tell nothing of them."""
    paragraphs = []
    passages = _wording("stories")["passages"]
    between = iter(rng.sample(passages, len(passages)))
    for level, (brief, full, _) in zip(levels, _elements().values(), strict=True):
        told = [sentence.format(**slots) for sentence in (brief, full)[:level]]
        paragraphs.append(" ".join([*told, next(between)]))
    return "\n\n".join([*paragraphs, next(between)])


def _sample_story(slots: Mapping[str, str]) -> str:
    told = [
        f"{brief.format(**slots)} {full.format(**slots)}" for brief, full, _ in _elements().values()
    ]
    told[2] = f"However, {told[2]} A silver compass glimmered beside."
    told[3] = f"Consequently, {told[3]} The compass trembled."
    return "\n\n".join(told)


def _elements() -> dict[str, tuple[str, str, str]]:
    """By element: what is told of it in brief, what besides in full, and what is asked of it."""
    rows = _wording("stories")["elements"].items()
    return {name: (row["brief"], row["full"], row["asked"]) for name, row in rows}


def _wording(part: str) -> Mapping[str, Any]:
    wording: Mapping[str, Any] = read_yaml(__package__, "wording")[part]
    return wording
