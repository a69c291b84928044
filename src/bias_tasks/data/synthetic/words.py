"""Invented words and names: no model has met them, so nothing but the text can settle an item."""

from __future__ import annotations

import itertools
import random

_NOUN_STARTS = (
    "blick", "bram", "chof", "crul", "drim", "fesh", "flun", "gleb", "gorv", "jask",
    "kleb", "lurg", "mosk", "nerf", "plov", "quib", "skorb", "snarv", "thrub", "tulk",
    "vash", "vrin", "yorb", "zelm",
)  # fmt: skip
_NOUN_ENDS = (
    "dax", "dov", "fep", "gim", "gorp", "huz", "kib", "lorp", "mup", "nid", "pog", "ruk",
    "sib", "teb", "vek", "wug", "yat", "zop",
)  # fmt: skip
_NAME_STARTS = (
    "Bel", "Cor", "Dru", "Fen", "Gal", "Hul", "Jor", "Kel", "Lum", "Mor",
    "Nev", "Pol", "Quor", "Ras", "Syl", "Tam", "Ul", "Ver", "Wen", "Zor",
)  # fmt: skip
_NAME_ENDS = (
    "biko", "chadu", "dripa", "fando", "gwyli", "havru", "jinko", "kezmi", "lodwa", "mufta",
    "nagri", "podzu", "rikva", "sulbe", "tozwi", "vandru",
)  # fmt: skip

# All nouns begin with a consonant, so "a" is always their article.
NOUNS = tuple(map("".join, itertools.product(_NOUN_STARTS, _NOUN_ENDS)))
NAMES = tuple(map("".join, itertools.product(_NAME_STARTS, _NAME_ENDS)))


def nouns(rng: random.Random, count: int) -> list[str]:
    """`count` different invented common nouns."""
    return rng.sample(NOUNS, count)


def names(rng: random.Random, count: int) -> list[str]:
    """`count` different invented names of people."""
    return rng.sample(NAMES, count)
