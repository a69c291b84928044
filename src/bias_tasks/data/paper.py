"""The paper's data sets, fetched and turned into items."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from bias_tasks.data import cache, hub
from bias_tasks.data.converters import CONVERTERS
from bias_tasks.data.pinned import PinnedFile, Source
from bias_tasks.data.repeats import settle_repeats, take_subset
from bias_tasks.data.sources import InstructionBoundarySource
from bias_tasks.items import Item, Protocol


def load_source(
    source: InstructionBoundarySource, protocol: Protocol
) -> tuple[list[Item], dict[str, Any]]:
    """One data set's items, and where they come from: source, repository, revision, files.

    Raises:
        DataError: it can't be fetched or read.
    """
    paths, origin = fetch_source(source)
    items = settle_repeats(CONVERTERS[source.name](paths), protocol)
    if source.subset is not None:
        # a repeat marked ~2 is never among the distinct records that a subset is taken from
        items = take_subset([item for item in items if "~" not in item.id], source.subset)
    return items, {"source": source.name, **origin}


def fetch_source(source: Source) -> tuple[list[Path], dict[str, Any]]:
    """The verified local files of a data set, and where they come from.

    That is, of plain JSON values: repository, revision, and files with their hashes.

    Raises:
        DataError: a file can't be fetched, or its content is not the pinned one.
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
