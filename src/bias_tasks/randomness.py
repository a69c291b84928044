"""Random generators and marks that are the same for the same seed and texts."""

import itertools
import random
from collections.abc import Iterable

from bias_tasks.digests import content_hash


def seeded_random(seed: int, *names: str) -> random.Random:
    """Return a separate random generator for a seed and a purpose, which `names` identify."""
    return random.Random(content_hash(seed, *names))


def find_unused_mark(texts: Iterable[str]) -> str:
    """Return ten hex digits that occur in none of the texts, always the same for the same texts."""
    folded = [text.casefold() for text in texts]
    marks = (content_hash(attempt, *folded) for attempt in itertools.count())
    return next(mark for mark in marks if not any(mark in text for text in folded))
