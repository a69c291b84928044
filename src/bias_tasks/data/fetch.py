"""Fetches pinned data sets, from a repository's files or from the hub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bias_tasks.data import cache, hub
from bias_tasks.data.cache import CACHE_VARIABLE, UnreachableError
from bias_tasks.data.errors import DataError
from bias_tasks.data.pinned import PinnedFile, Source

_NOT_ASKED = "not asked for, since its place gave no answer to the request before"


class MissingError(UnreachableError):
    """Data sets of a run that are neither in the cache nor can be fetched.

    Attributes:
        names: which.
    """

    def __init__(self, names: Sequence[str], why: str, instead: str) -> None:
        sets = "1 data set is" if len(names) == 1 else f"{len(names)} data sets are"
        super().__init__(
            f"{sets} not in the cache: {why}. Where there is a network run `bias-tasks data fetch "
            f"{' '.join(names)}`, and set {CACHE_VARIABLE} to the folder that it names; or use "
            f"{instead}"
        )
        self.names = names


def is_cached(source: Source) -> bool:
    """Whether a data set is in the cache, whole; its content is not looked at."""
    if source.on_hub:
        copy = hub.copy_path(source.repository, source.config, source.split)
        return source.revision in (None, recorded_revision(source)) and copy.is_file()
    return all(
        cache.cached_path(source.repository, str(source.revision), file).is_file()
        for file in source.files
    )


def recorded_revision(source: Source) -> str | None:
    """The revision of the hub's that the first load recorded; None before it."""
    pin = hub.recorded_pin(source.repository, source.config, source.split)
    return None if pin is None else pin.revision


def fetch_missing(
    sources: Iterable[Source], instead: str = "generated items with data=synthetic"
) -> None:
    """Fetch those data sets of a run that are not in the cache.

    Args:
        sources: the run's.
        instead: what can be used in their place, for the message.

    Raises:
        MissingError: some can't be fetched; all of these are named.
        DataError: the content of one is not the pinned one, or it can't be written.
    """
    failed: dict[str, str] = {}
    for source, error in fetch_each(source for source in sources if not is_cached(source)):
        if isinstance(error, UnreachableError):
            failed[source.name] = str(error)
        elif error is not None:
            raise error
    if failed:
        raise MissingError(list(failed), next(iter(failed.values())), instead)


def fetch_each(sources: Iterable[Source]) -> Iterator[tuple[Source, DataError | None]]:
    """Fetch data sets one by one, and say of each why it can't be had; None where it can.

    Every one is tried, but the place of the public repositories is not asked again once it gave no
    answer: without a network each request may take long to fail.
    """
    silent = False
    for source in sources:
        if silent and not source.on_hub and not is_cached(source):
            yield source, UnreachableError(_NOT_ASKED, answered=False)
            continue
        try:
            fetch_source(source)
        except UnreachableError as error:
            silent = silent or not error.answered
            yield source, error
        except DataError as error:
            yield source, error
        else:
            yield source, None


def fetch_source(source: Source) -> tuple[list[Path], dict[str, Any]]:
    """The verified local files of a data set, and where they come from.

    That is, of plain JSON values: repository, revision, and files with their hashes.

    Raises:
        UnreachableError: a file can't be fetched.
        DataError: its content is not the pinned one.
    """
    if source.on_hub:
        path, pin = hub.fetch_hub(
            source.repository, source.config, source.split, source.revision, source.keep
        )
        paths, revision, known = [path], pin.revision, [PinnedFile(path.name, pin.sha256)]
    else:
        revision = str(source.revision)
        paths = [cache.fetch(source.repository, revision, file) for file in source.files]
        known = [cache.as_recorded(source.repository, revision, file) for file in source.files]
    files = [
        {name: value for name, value in asdict(file).items() if value is not None} for file in known
    ]
    return paths, {"repository": source.repository, "revision": revision, "files": files}
