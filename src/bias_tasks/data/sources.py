"""What a pinned data set is, whichever family of tasks it belongs to, and the tables of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from pydantic import TypeAdapter

from bias_tasks.data.errors import check_names
from bias_tasks.data.files import read_yaml
from bias_tasks.names import Names, names_in

_CHECKED = {"extra": "forbid"}
"""Has pydantic refuse a key that is no field, where a source is read from a file."""


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file of a repository, known by its sha256, its git blob id or neither."""

    __pydantic_config__ = _CHECKED

    path: str
    sha256: str | None = None
    git_blob: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One data set. Counts that nobody could check (the file was never at hand) are None."""

    __pydantic_config__ = _CHECKED

    name: str
    family: str
    description: str
    repository: str
    revision: str | None
    """Commit; None for a hub data set whose revision is resolved once and then kept."""
    licence: str
    files: tuple[PinnedFile, ...] = ()
    """Files of a public git repository; a hub data set has none."""
    config: str = ""
    split: str = ""
    """Which part of a hub data set; no config where the data set has only one."""
    keep: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Which records of a large hub data set are kept in the cache: values allowed, by column."""
    records: int | None = None
    """Rows in the files, before anything is left out."""
    items: int | Mapping[str, int] | None = None
    """How many are asked; under the keys `published` and `corrected` where the protocols differ."""
    labels: Mapping[str, int] | None = None
    """Items of each gold label, corrected."""
    unnamed: bool = False
    """Whether it runs, under one protocol at least, and is fetched, without being named."""
    issues: tuple[str, ...] = ()

    @property
    def on_hub(self) -> bool:
        """Whether it is loaded from the hub, not fetched as files."""
        return not self.files


SourceT = TypeVar("SourceT", bound=Source)
ValueT = TypeVar("ValueT", covariant=True)


class LazyTable(Mapping[str, ValueT]):
    """Values by name, in a fixed order; the table is read when it is first looked into."""

    def __init__(self, read: Callable[[], Mapping[str, ValueT]]) -> None:
        self._read = cache(read)

    def __getitem__(self, name: str) -> ValueT:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


def source_table(package: str, kind: type[SourceT]) -> LazyTable[SourceT]:
    """The sources of a family's `data/sources.yaml`, by name; its keys are `kind`'s fields."""

    def read() -> dict[str, SourceT]:
        rows = read_yaml(package, "sources")["sources"]
        family = package.split(".")[1]
        found = {name: {"name": name, "family": family, **row} for name, row in rows.items()}
        return TypeAdapter(dict[str, kind]).validate_python(found)  # type: ignore[valid-type]

    return LazyTable(read)


def named(names: Names, among: Mapping[str, SourceT]) -> list[SourceT]:
    """The sources of these names; a DataError where one is unknown, or there is none."""
    wanted = names_in(names)
    check_names("source", wanted, among)
    return [among[name] for name in wanted]
