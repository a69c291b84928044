"""Items and prompts that the tests of the simulated respondents share."""

from bias_tasks.items import ChoiceItem, JudgingItem

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
