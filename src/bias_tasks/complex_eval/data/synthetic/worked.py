"""Worked solutions of arithmetic and of linear equations, with one planted error or none."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

from bias_tasks.complex_eval.attacks.layout import steps_text
from bias_tasks.complex_eval.items import ORIGINAL, JudgedItem
from bias_tasks.names import content_hash

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
    problem = f"Start with {start}. {_sentence(told)} What is the result?"
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


def _sentence(operations: list[str]) -> str:
    text = ", then ".join(operations)
    return f"{text[0].upper()}{text[1:]}."
