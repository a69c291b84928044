"""The values `generated` and `hard` of the parameter `data`: levels and provenance."""

from collections.abc import Mapping

GENERATED = "generated"
HARD = "hard"
"""One half core items of levels 2 and 3, the other half generated items."""
_DEFAULT_LEVELS = {GENERATED: (4,), HARD: (4, 6, 8)}
"""Levels of generated items, equally many of each."""
_MIN_DIFFICULTY = 2
"""Lowest level of core items in `hard`; level 1 is clear at first sight."""
MAX_LEVEL = 8
VERSION = 1
"""Another version draws other items from the same seed."""


def select_levels(data: str, level: int | None) -> tuple[int, ...]:
    """Return the levels of generated items; empty for data without any.

    Args:
        data: The value of the parameter `data`.
        level: The value of the parameter `level`; None for the default.

    Raises:
        ValueError: A level is given for other data, or there is no such level.
    """
    if level is None:
        return _DEFAULT_LEVELS.get(data, ())
    if data != GENERATED:
        raise ValueError(f"level={level} is for data=generated, but data={data!r}: omit it")
    if not 1 <= level <= MAX_LEVEL:
        raise ValueError(f"level={level}: expected a whole number from 1 to {MAX_LEVEL}")
    return (level,)


def is_hard(columns: Mapping[str, object]) -> bool:
    """Return whether a core item with these columns is one of `hard`."""
    return int(str(columns["difficulty"])) >= _MIN_DIFFICULTY


def generated_origin(levels: tuple[int, ...], seed: int) -> dict[str, object]:
    """Return the provenance of generated items, as a run records it."""
    return {"source": GENERATED, "version": VERSION, "levels": list(levels), "seed": seed}
