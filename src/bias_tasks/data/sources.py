"""Pinned data sets of any family, and the tables that list them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from bias_tasks.data.errors import check_names
from bias_tasks.data.files import read_yaml
from bias_tasks.user_names import Names, parse_names

Origin = dict[str, Any]
"""The provenance of a source, as plain JSON values; `source` matches the `source` of its items."""
_CONFIG = {"extra": "forbid"}
"""Makes pydantic refuse unknown keys in a file of sources."""


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file of a repository, identified by its sha256, its git blob id or neither."""

    __pydantic_config__ = _CONFIG

    path: str
    sha256: str | None = None
    git_blob: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One data set. A count is None if the file was never available to verify it."""

    __pydantic_config__ = _CONFIG

    name: str
    family: str
    description: str
    repository: str
    revision: str | None
    """Commit; None for a hub data set whose revision the first load resolves and records."""
    licence: str
    files: tuple[PinnedFile, ...] = ()
    """Files of a public git repository; empty for a hub data set."""
    config: str = ""
    """Config of a hub data set; empty if it has only one."""
    split: str = ""
    """Split of a hub data set."""
    keep: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Allowed values by column, for a large hub data set of which only some records are cached."""
    records: int | None = None
    """Rows in the files, before any are excluded."""
    items: int | Mapping[str, int] | None = None
    """Number of items; by `published` and `corrected` if the protocols differ."""
    labels: Mapping[str, int] | None = None
    """Items of each gold label under the corrected protocol."""
    unnamed: bool = False
    """Whether some protocol uses and fetches it by default, without its name in `sources`."""
    issues: tuple[str, ...] = ()
    """What users should know about the data."""

    @property
    def on_hub(self) -> bool:
        """Whether the Hugging Face hub has it, and not a git repository."""
        return not self.files


SourceT = TypeVar("SourceT", bound=Source)
ValueT = TypeVar("ValueT", covariant=True)


class LazyTable(Mapping[str, ValueT]):
    """Values by name in a fixed order; the table is read on first use."""

    def __init__(self, read: Callable[[], Mapping[str, ValueT]]) -> None:
        self._read = cache(read)

    def __getitem__(self, name: str) -> ValueT:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


def source_table(package: str, kind: type[SourceT]) -> LazyTable[SourceT]:
    """Return the sources of a family by name.

    Args:
        package: Dotted name of the family's folder `data`, which has a `sources.yaml`.
        kind: The class of the sources; the keys in the file are its fields.
    """

    def read() -> dict[str, SourceT]:
        rows = read_yaml(package, "sources")["sources"]
        family = package.split(".")[1]
        values = {name: {"name": name, "family": family, **row} for name, row in rows.items()}
        return TypeAdapter(dict[str, kind]).validate_python(values)  # type: ignore[valid-type]

    return LazyTable(read)


def select_sources(names: Names, among: Mapping[str, SourceT]) -> list[SourceT]:
    """Return the sources of these names.

    Raises:
        DataError: A name is unknown, or there is none.
    """
    selected = parse_names(names)
    check_names("source", selected, among)
    return [among[name] for name in selected]
