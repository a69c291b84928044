"""The phrases and words of `phrases.yaml`, by kind."""

from __future__ import annotations

from functools import cache

from bias_tasks.data.files import read_yaml


def phrases(kind: str) -> tuple[str, ...]:
    """The phrases of one kind, such as `hedges`."""
    return tuple(read_yaml(__package__, "phrases")[kind])


def pairs(kind: str) -> tuple[tuple[str, str], ...]:
    """The wordings of one kind that stand for each other, such as `terms`."""
    return tuple((one, other) for one, other in read_yaml(__package__, "phrases")[kind])


@cache
def words_of(kind: str) -> frozenset[str]:
    """The words of one kind, such as `traits`."""
    return frozenset(read_yaml(__package__, "phrases")[kind].split())


def used_in(text: str, kind: str) -> list[str]:
    """The phrases of a kind that the text uses, whatever the case."""
    folded = text.casefold()
    return [phrase for phrase in phrases(kind) if phrase.casefold().rstrip(",") in folded]
