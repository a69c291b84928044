"""The value `generated` of the parameter `data`: its level and its provenance."""

GENERATED = "generated"
DEFAULT_LEVEL = 4
MAX_LEVEL = 8
VERSION = 1
"""Another version draws other items from the same seed."""


def check_level(data: str, level: int | None) -> int:
    """Return the level of generated items.

    Args:
        data: The value of the parameter `data`.
        level: The value of the parameter `level`; None for the default.

    Raises:
        ValueError: A level is given for other data, or there is no such level.
    """
    if level is not None and data != GENERATED:
        raise ValueError(f"level={level} is for data=generated, but data={data!r}: omit it")
    if level is None:
        return DEFAULT_LEVEL
    if not 1 <= level <= MAX_LEVEL:
        raise ValueError(f"level={level}: expected a whole number from 1 to {MAX_LEVEL}")
    return level


def generated_origin(level: int, seed: int) -> dict[str, object]:
    """Return the provenance of generated items, as a run records it."""
    return {"source": GENERATED, "version": VERSION, "level": level, "seed": seed}
