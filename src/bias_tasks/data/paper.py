"""The paper's data sets, fetched and turned into items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bias_tasks.data import cache, hub
from bias_tasks.data.converters import CONVERTERS
from bias_tasks.data.errors import DataError
from bias_tasks.data.repeats import settle_repeats, take_subset
from bias_tasks.data.sources import SOURCES, Source
from bias_tasks.items import Item, Protocol


def named_sources(names: str | Iterable[str]) -> list[Source]:
    """The sources of these names, in order and each once; a string separates them by commas.

    Raises:
        DataError: a name is unknown, or there is none.
    """
    split = names.split(",") if isinstance(names, str) else names
    wanted = list(dict.fromkeys(name.strip() for name in split if name.strip()))
    unknown = [name for name in wanted if name not in SOURCES]
    if unknown or not wanted:
        found = ", ".join(map(repr, unknown)) or "none"
        raise DataError(f"unknown source {found}; the sources are {', '.join(SOURCES)}")
    return [SOURCES[name] for name in wanted]


def load_source(source: Source, protocol: Protocol) -> tuple[list[Item], dict[str, Any]]:
    """One data set's items, and where they come from: source, repository, revision, files.

    Raises:
        DataError: it can't be fetched or read.
    """
    paths, origin = fetch_source(source)
    items = settle_repeats(CONVERTERS[source.name](paths), protocol)
    if source.subset is not None:
        # a repeat marked ~2 is never among the distinct records that a subset is taken from
        items = take_subset([item for item in items if "~" not in item.id], source.subset)
    return items, {"source": source.name, "repository": source.repository, **origin}


def fetch_source(source: Source) -> tuple[list[Path], dict[str, Any]]:
    """The verified local files of a data set, with its revision and the files' hashes.

    Raises:
        DataError: a file can't be fetched, or its content is not the pinned one.
    """
    if source.revision is None:
        path, pin = hub.fetch_hub(source.repository, source.config, source.split)
        files = [{"path": path.name, "sha256": pin.sha256}]
        return [path], {"revision": pin.revision, "files": files}
    paths = [cache.fetch(source.repository, source.revision, file) for file in source.files]
    files = [
        {name: value for name, value in asdict(file).items() if value is not None}
        for file in source.files
    ]
    return paths, {"revision": source.revision, "files": files}
