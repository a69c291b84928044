"""What a pinned data set is, whichever family of tasks it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from bias_tasks.data.errors import DataError


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file of a repository, known by its sha256 or, where that is unknown, its git blob id.

    Where neither is known, the first load records the sha256 and every later one is held to it.
    """

    path: str
    sha256: str | None = None
    git_blob: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One data set. Counts that nobody could check (the file was never at hand) are None."""

    name: str
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
    issues: tuple[str, ...] = ()

    @property
    def on_hub(self) -> bool:
        """Whether it is loaded from the hub, not fetched as files."""
        return not self.files


SourceT = TypeVar("SourceT", bound=Source)


def named(names: str | Iterable[str], among: Mapping[str, SourceT]) -> list[SourceT]:
    """The sources of these names, in order and each once; a string separates them by commas.

    Raises:
        DataError: a name is unknown, or there is none.
    """
    split = names.split(",") if isinstance(names, str) else names
    wanted = list(dict.fromkeys(name.strip() for name in split if name.strip()))
    unknown = [name for name in wanted if name not in among]
    if unknown or not wanted:
        found = ", ".join(map(repr, unknown)) or "none"
        raise DataError(f"unknown source {found}; the sources are {', '.join(among)}")
    return [among[name] for name in wanted]
