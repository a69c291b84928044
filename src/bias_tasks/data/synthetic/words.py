"""Invented words and names: no model has met them, so nothing but the text can settle an item."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from functools import cache

from bias_tasks.data.files import read_yaml


def nouns(rng: random.Random, count: int) -> list[str]:
    """`count` different invented common nouns."""
    return rng.sample(all_nouns(), count)


def names(rng: random.Random, count: int) -> list[str]:
    """`count` different invented names of people."""
    return rng.sample(all_names(), count)


@cache
def all_nouns() -> tuple[str, ...]:
    """Every invented noun; all begin with a consonant, so "a" is always their article."""
    return tuple(map("".join, itertools.product(word_list("noun_starts"), word_list("noun_ends"))))


@cache
def all_names() -> tuple[str, ...]:
    """Every invented name of a person."""
    return tuple(map("".join, itertools.product(word_list("name_starts"), word_list("name_ends"))))


def word_list(name: str) -> Sequence[str]:
    """A list of `words.yaml`."""
    words: Sequence[str] = read_yaml(__package__, "words")[name]
    return words
