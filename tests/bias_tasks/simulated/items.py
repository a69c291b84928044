"""Items and prompts that the tests of the simulated respondents share."""

from bias_tasks.binary_qa.items import BinaryItem, Reformulations
from bias_tasks.instruction_boundary.items import ChoiceItem, JudgingItem

GOLD = {"single": (1,), "multiple": (0, 2), "none": ()}


def judging_item(number, answer):
    return JudgingItem(
        id=f"j{number}",
        context=f"Fact1: vosk {number} is lomar.\nFact2: everything lomar is tibbid.",
        question=f"Vosk {number} is tibbid.",
        answer=answer,
        source="test",
        cluster=f"j{number}",
    )


def choice_item(number, label, options=("Auk", "Bee", "Cod", "Doe")):
    return ChoiceItem(
        id=f"c{number}",
        question=f"Which of these live in zone {number}?",
        options=options,
        answer=GOLD[label],
        source="test",
        cluster=f"c{number}",
        context=f"Zone {number} is large.",
    )


def judging_items(count):
    """`count` items, their labels in turn."""
    return [judging_item(n, ("True", "False", "Unknown")[n % 3]) for n in range(count)]


def choice_items(count):
    """`count` items, their labels in turn."""
    return [choice_item(n, ("single", "multiple", "none")[n % 3]) for n in range(count)]


def binary_item(number, answer):
    """A question that all items share, about a context of its own, in all its wordings."""
    return BinaryItem(
        id=f"b{number}",
        question="Is the lamp lit?",
        answer=answer,
        domain=("reading", "numerical")[number % 4 // 2],
        source="test",
        cluster=f"b{number}",
        context=f"House {number} is old.\nIn house {number} the lamp is {_STATE[answer]}.",
        reformulations=Reformulations(
            synonym="Is the lamp alight?",
            polite="Would you say the lamp is lit?",
            contradictory="Is the lamp unlit?",
            false="Is it false that the lamp is lit?",
        ),
    )


def binary_items(count):
    """`count` items, Yes and No in turn, in two domains."""
    return [binary_item(n, ("Yes", "No")[n % 2]) for n in range(count)]


_STATE = {"Yes": "burning", "No": "out"}
