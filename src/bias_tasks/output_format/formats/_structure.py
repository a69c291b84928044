"""What lists and mappings share: whether parsed values are the asked answer.

What is not the asked answer raises `NotFollowedError` with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from bias_tasks.output_format.formats._elements import is_layout
from bias_tasks.output_format.formats.types import Format, NotFollowedError
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload

MAX_ELEMENTS = 10_000
"""Elements of a list: a longer one follows no format."""
_NAMED_ENTITIES = re.compile(
    r"(?:list of )?(?P<key>.{1,50}?)(?:[ _-]name)?(?:[ _-]entit(?:y|ies))?[ _-]?(?P<number>\d{0,2})"
)


def text_elements(elements: Sequence[str], item: FormatItem) -> Payload:
    """Elements that were read as text, as a list of the item's answer type."""
    if item.answer_type == "binary_list":
        if any(element not in ("0", "1") for element in elements):
            raise NotFollowedError("an element is neither 0 nor 1")
        return binary_elements([int(element) for element in elements], item)
    if any(element.endswith((":", "：")) for element in elements):
        raise NotFollowedError("an element leads to others")
    found = strings(elements)
    if not all(any(map(str.isalnum, element)) for element in found):
        raise NotFollowedError("an element has neither letter nor digit")
    return found


def binary_elements(elements: Sequence[object], item: FormatItem) -> tuple[int, ...]:
    """The whole numbers 0 and 1, one for each candidate of the item."""
    # True equals 1, but is no number that was asked for.
    numbers = tuple(each for each in elements if type(each) is int and each in (0, 1))
    if len(numbers) != len(elements):
        raise NotFollowedError("an element is neither 0 nor 1")
    if len(numbers) != len(item.answer):
        raise NotFollowedError(f"{len(numbers)} elements for {len(item.answer)} candidates")
    return numbers


def strings(elements: object, *, empty: bool = False) -> tuple[str, ...]:
    """A list of non-empty strings; of none at all where `empty` allows that."""
    if not isinstance(elements, Sequence) or isinstance(elements, str):
        raise NotFollowedError("a value is not a list")
    if not elements and not empty:
        raise NotFollowedError("the list is empty")
    texts = tuple(each.strip() for each in elements if isinstance(each, str))
    if len(texts) != len(elements) or "" in texts:
        raise NotFollowedError("an element is not a string, or an empty one")
    if is_layout(texts):
        raise NotFollowedError("a layout is repeated, not filled in")
    return texts


def published_elements(elements: Sequence[object], item: FormatItem) -> Payload:
    """A list for the paper's scores, whatever its elements are: they count what equals 1."""
    if item.answer_type == "binary_list":
        return tuple(int(each == 1) for each in elements)
    return tuple(str(each) for each in elements)


def asked_mapping(value: object, item: FormatItem) -> dict[str, tuple[str, ...]]:
    """A mapping of exactly the asked keys, case included, to lists of strings or empty lists."""
    if not isinstance(value, dict):
        raise NotFollowedError("not a mapping")
    if set(value) != set(item.keys):
        raise NotFollowedError(f"its keys are not {', '.join(item.keys)}, each once")
    found = {key: strings(value[key], empty=True) for key in item.keys}
    named_after = [_named_after(key, text) for key, texts in found.items() for text in texts]
    if named_after and all(named_after):
        raise NotFollowedError("a layout is repeated, not filled in")
    return found


def _named_after(key: str, text: str) -> bool:
    """Whether an element is but the name of what it should be: `task 1`, `task name entities`."""
    found = _NAMED_ENTITIES.fullmatch(text.casefold())
    return found is not None and found["key"] == key.casefold() and found[0] != found["key"]


def published_mapping(value: dict[object, object], item: FormatItem) -> dict[str, tuple[str, ...]]:
    """What a mapping holds under the asked keys: nothing for a missing one, and single values."""
    found = {key: value.get(key, []) for key in item.keys}
    return {
        key: tuple(str(each) for each in (held if isinstance(held, list) else [held]))
        for key, held in found.items()
    }


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
