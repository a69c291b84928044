"""What the mapping formats share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bias_tasks.output_format.formats.types import Format
from bias_tasks.output_format.items import AnswerType, Category, Payload


class MappingFormat(Format):
    """A format in which the whole answer maps each asked key to a list."""

    category: ClassVar[Category] = "mapping"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset({"mapping"})


def plain_mapping(payload: Payload) -> dict[str, list[str]]:
    """A payload as plain dict of lists.

    Raises:
        ValueError: it is no mapping.
    """
    if not isinstance(payload, Mapping):
        raise ValueError(f"a mapping is needed, not {payload!r}")
    return {key: list(values) for key, values in payload.items()}
