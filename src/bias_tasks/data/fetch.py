"""Fetches a pinned data set, from a repository's files or from the hub."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from bias_tasks.data import cache, hub
from bias_tasks.data.pinned import PinnedFile, Source


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
