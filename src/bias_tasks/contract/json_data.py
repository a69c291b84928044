"""Dataclasses that convert to JSON and back: what logs hold of a question and an outcome."""

import os
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter

JsonObject = dict[str, Any]
"""Plain JSON values by name."""
SelfT = TypeVar("SelfT", bound="JsonData")
_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


class JsonData:
    """Base of a frozen dataclass whose fields JSON can hold.

    Fields are texts, numbers, tuples, mappings, `None` or further dataclasses. A subclass is
    declared with `@dataclass(frozen=True, slots=True, kw_only=True)`.
    """

    __slots__ = ()

    def to_dict(self) -> JsonObject:
        """Return the fields as plain JSON values, without those that are None."""
        values: JsonObject = _adapter(type(self)).dump_python(self, mode="json", exclude_none=True)
        return values

    @classmethod
    def from_dict(cls: type[SelfT], values: Mapping[str, object]) -> SelfT:
        """Return the object that `to_dict` wrote.

        Args:
            values: Plain JSON values by field. Names of no field are ignored, so that a log may
                hold more beside them.

        Raises:
            ValueError: A field is missing, or a value is not of the field's type.
        """
        data: SelfT = _adapter(cls).validate_python(values)
        return data


def _adapter(data_type: Any) -> TypeAdapter[Any]:
    """Return what converts one class. Building it takes milliseconds, so each is built once."""
    if data_type not in _ADAPTERS:
        _ADAPTERS[data_type] = TypeAdapter(data_type)
    return _ADAPTERS[data_type]


def paths_as_text(value: object) -> Any:
    """Return a value with its paths, such as a `pathlib.Path`, as texts, which logs can store."""
    if isinstance(value, list | tuple):
        return type(value)(map(paths_as_text, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else value
