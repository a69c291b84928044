"""Draws that depend on a seed and on names alone, the same on every machine and in any order."""

from __future__ import annotations

import random

from bias_tasks.names import content_hash


def seeded(seed: int, *names: str) -> random.Random:
    """A generator of its own for one purpose (`names`) of one item under one seed."""
    return random.Random(content_hash(seed, *names))
