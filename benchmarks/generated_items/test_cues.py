"""The words and characters of generated items do not reveal the answers.

A naive Bayes classifier of words, pairs of words and 3- and 4-grams of characters is trained on
four fifths of the puzzles and tested on the others, over several seeds.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest

from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.items import ChoiceItem, Item

SEEDS = range(5)
N_ITEMS = 180
MAX_ACCURACY = 1 / 3 + 2.5 * math.sqrt(2 / 9 / (N_ITEMS * len(SEEDS)))
"""Chance is a third; 2.5 standard errors above it."""


def list_grams(text: str) -> set[str]:
    """Return the words, pairs of words, and 3- and 4-grams of characters of a text."""
    text = text.lower()
    words = text.split()
    characters = {text[i : i + n] for n in (3, 4) for i in range(len(text) - n + 1)}
    return characters | set(words) | {" ".join(pair) for pair in pairwise(words)}


def read(item: Item) -> str:
    """Return what an item shows."""
    options = item.options if isinstance(item, ChoiceItem) else ()
    return " ".join([item.context or "", item.question, *options])


def count_right(items: Sequence[Item], fold: int) -> int:
    """Return how many items of one fifth of the puzzles are classified right."""
    puzzles = sorted({item.cluster for item in items})
    tested = set(puzzles[fold::5])
    grams = {item.id: list_grams(read(item)) for item in items}
    trained = [item for item in items if item.cluster not in tested]
    labels = Counter(item.label for item in trained)
    counts = {label: Counter[str]() for label in labels}
    for item in trained:
        counts[item.label].update(grams[item.id])

    def score(item: Item, label: str) -> float:
        seen, n = counts[label], labels[label]
        return sum(math.log((seen[gram] + 0.5) / (n + 1)) for gram in grams[item.id])

    return sum(
        max(labels, key=lambda label: score(item, label)) == item.label
        for item in items
        if item.cluster in tested
    )


@pytest.mark.parametrize("form", ["judging", "choice"])
@pytest.mark.parametrize("level", [1, 4, 7])
def test_classifiers_stay_at_chance(form: str, level: int) -> None:
    right = 0
    for seed in SEEDS:
        items = load_items("generated", form=form, n=N_ITEMS, level=level, seed=seed).items
        right += sum(count_right(items, fold) for fold in range(5))
    assert right / (N_ITEMS * len(SEEDS)) < MAX_ACCURACY
