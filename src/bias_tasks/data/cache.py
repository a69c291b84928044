"""Fetches pinned files once and verifies them every time."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

from bias_tasks.data.errors import DataError
from bias_tasks.data.sources import PinnedFile

CACHE_VARIABLE = "BIAS_TASKS_DATA"

# Seconds to connect and to wait for data. A name can have several addresses, each tried in turn.
_TIMEOUT = (2.0, 10.0)
_RAW_FILES = "https://raw.githubusercontent.com"


def cache_folder() -> Path:
    """The folder that holds fetched files: `BIAS_TASKS_DATA`, else the system's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    import pooch

    return Path(pooch.os_cache("bias-tasks"))


def cached_path(repository: str, commit: str, file: PinnedFile) -> Path:
    """Where the file stands in the cache, fetched or not."""
    return cache_folder() / repository / commit / file.path


def fetch(repository: str, commit: str, file: PinnedFile) -> Path:
    """The verified local copy of a public repository's file, downloaded if it is not there.

    A copy that is there is never written to, so the cache folder may be read-only.

    Raises:
        DataError: the file can't be fetched, or its content is not the pinned one.
    """
    path = cached_path(repository, commit, file)
    if not path.is_file():
        _download(repository, commit, file)
    elif not matches(path, file):
        raise DataError(
            f"{path} is not the pinned file: its content differs from "
            f"{_pin(file)}. Delete it to fetch it again{_ways_out(repository, commit, file)}"
        )
    return path


def matches(path: Path, file: PinnedFile) -> bool:
    """Whether the content of `path` is the pinned file's."""
    if file.sha256 is not None:
        return _digest(path, "sha256") == file.sha256
    # git hashes a header with the size before the content
    return _digest(path, "sha1", f"blob {path.stat().st_size}\0".encode()) == file.git_blob


def _digest(path: Path, algorithm: str, header: bytes = b"") -> str:
    digest = hashlib.new(algorithm, header, usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _download(repository: str, commit: str, file: PinnedFile) -> None:
    import pooch

    get = pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT)

    def get_and_verify(url: str, output_file: str, downloads: object) -> None:
        # pooch knows no git blob ids; it drops its temporary file when this raises
        get(url, output_file, downloads)
        if not matches(Path(output_file), file):
            raise ValueError(f"its content differs from {_pin(file)}")

    downloads = pooch.Pooch(
        path=cache_folder() / repository / commit,
        base_url="",
        registry={file.path: None},
        urls={file.path: f"{_RAW_FILES}/{repository}/{commit}/{quote(file.path)}"},
    )
    try:
        downloads.fetch(file.path, downloader=get_and_verify)
    except (OSError, ValueError) as error:  # the network's errors are OSErrors
        raise DataError(
            f"cannot fetch {file.path} of {repository} ({_brief(error)})"
            f"{_ways_out(repository, commit, file)}"
        ) from error


def _pin(file: PinnedFile) -> str:
    return f"sha256 {file.sha256}" if file.sha256 is not None else f"git blob id {file.git_blob}"


def _brief(error: Exception) -> str:
    """The error on one line; of a long one the end, where the network's errors say why."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text if len(text) <= 250 else '...' + text[-150:]}"


def _ways_out(repository: str, commit: str, file: PinnedFile) -> str:
    return (
        f". Use generated items with -T data=synthetic, or set {CACHE_VARIABLE} to a folder that "
        f"holds {repository}/{commit}/{file.path}."
    )
