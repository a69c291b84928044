"""Tasks of one's own, to probe: sums, with choices, as free text, and as questions of yes or no.

inspect eval bias_tasks/probe -T task=examples/sums.py@sums --model simulated/calculator
"""

import random

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import choice, match
from inspect_ai.solver import generate, multiple_choice

from bias_tasks.simulated.sums import in_words


def _sums(n: int) -> tuple[random.Random, list[tuple[int, int]]]:
    rng = random.Random(0)
    pairs = [(a, b) for a in range(10, 45) for b in range(10, 45)]
    return rng, rng.sample(pairs, n)


@task
def sums(n: int = 200) -> Task:
    """Sums with four choices, in words."""
    rng, pairs = _sums(n)
    samples = []
    for a, b in pairs:
        values = [a + b, *rng.sample([a + b + d for d in (-10, -1, 1, 9)], 3)]
        shown = rng.sample(values, 4)
        samples.append(
            Sample(
                id=f"{a}+{b}",
                input=f"What number is the sum of {a} and {b}?",
                choices=[in_words(value) for value in shown],
                target="ABCD"[shown.index(a + b)],
            )
        )
    return Task(dataset=samples, solver=multiple_choice(), scorer=choice())


@task
def free_sums(n: int = 200) -> Task:
    """Sums whose answer is written."""
    samples = [
        Sample(id=f"{a}+{b}", input=f"What number is the sum of {a} and {b}?", target=str(a + b))
        for a, b in _sums(n)[1]
    ]
    return Task(dataset=samples, solver=generate(), scorer=match(numeric=True))


@task
def right_sums(n: int = 200) -> Task:
    """Sums to be called right or wrong."""
    rng, pairs = _sums(n)
    samples = []
    for a, b in pairs:
        told = a + b + rng.choice((0, 1))
        target = "yes" if told == a + b else "no"
        question = f"Is {told} the sum of {a} and {b}?"
        samples.append(Sample(id=f"{a}+{b}", input=question, target=target))
    return Task(dataset=samples, solver=generate(), scorer=match())
