"""Fetches pinned files once and verifies them every time."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from bias_tasks.data.errors import DataError
from bias_tasks.data.pinned import PinnedFile
from bias_tasks.data.regular_files import open_to_read, read_whole, stands_there

CACHE_VARIABLE = "BIAS_TASKS_DATA"

# Seconds to connect and to wait for data. A name can have several addresses, each tried in turn.
_TIMEOUT = (2.0, 10.0)
_RAW_FILES = "https://raw.githubusercontent.com"
_SHA256 = re.compile(r"[0-9a-f]{64}")


class UnreachableError(DataError):
    """A source that can't be had from where it is published; the message is one line.

    Attributes:
        answered: whether the place where it is published answered at all, as far as is known.
    """

    def __init__(self, reason: str, *, answered: bool = True) -> None:
        super().__init__(reason)
        self.answered = answered


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

    A copy that is there is never written to, so the cache folder may be read-only. Of a file
    without a known hash the first load records the sha256 beside it.

    Raises:
        UnreachableError: the file can't be fetched.
        DataError: its content is not the pinned one, something else than a file stands in its
            place, or the hash can't be read or recorded.
    """
    path = cached_path(repository, commit, file)
    known = as_recorded(repository, commit, file)
    if not in_cache(path):
        _download(repository, commit, known)
    elif not matches(path, known):
        raise DataError(
            f"{path} is not the pinned file: its content differs from "
            f"{_pin(known)}. Delete it to fetch it again"
        )
    if _unknown(known):
        _record(path)
    return path


def as_recorded(repository: str, commit: str, file: PinnedFile) -> PinnedFile:
    """The file with the sha256 that its first load recorded, if that is the only one known.

    Raises:
        DataError: the record can't be read, or is damaged.
    """
    record = _record_path(cached_path(repository, commit, file))
    if not _unknown(file) or not in_cache(record):
        return file
    sha256 = read_whole(record, most=1000).decode("ascii", "replace").strip()
    if not _SHA256.fullmatch(sha256):
        raise DataError(f"{record} is damaged; delete it to record the hash anew")
    return replace(file, sha256=sha256)


def in_cache(path: Path) -> bool:
    """Whether a file of the cache is there.

    Raises:
        DataError: something else stands in its place.
    """
    try:
        return stands_there(path)
    except DataError as error:
        raise DataError(f"{error}. Take it away to have the file made anew") from error


def _unknown(file: PinnedFile) -> bool:
    return file.sha256 is None and file.git_blob is None


def _record_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _record(path: Path) -> None:
    digest = _digest(path, "sha256")
    try:
        _record_path(path).write_text(f"{digest}\n", encoding="ascii")
    except OSError as error:
        raise DataError(
            f"cannot record the hash of {path} ({error.strerror}): write {digest} to "
            f"{_record_path(path)}, or set {CACHE_VARIABLE} to a folder that can be written to."
        ) from error


def matches(path: Path, file: PinnedFile) -> bool:
    """Whether the content of `path` is the pinned file's, as far as its hash is known."""
    if _unknown(file):
        return True  # nothing to compare with yet
    if file.sha256 is not None:
        return _digest(path, "sha256") == file.sha256
    # git hashes a header with the size before the content
    return _digest(path, "sha1", f"blob {path.stat().st_size}\0".encode()) == file.git_blob


def _digest(path: Path, algorithm: str, header: bytes = b"") -> str:
    digest = hashlib.new(algorithm, header, usedforsecurity=False)
    with open_to_read(path) as stream:
        try:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
        except OSError as error:
            raise DataError(f"cannot read {path}: {error.strerror}") from error
    return digest.hexdigest()


def _download(repository: str, commit: str, file: PinnedFile) -> None:
    import pooch
    import requests

    pooch.get_logger().setLevel("WARNING")  # it tells every address, whether it answers or not
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
        _remove_empty(cached_path(repository, commit, file).parent)
        silent = isinstance(error, requests.ConnectionError | requests.Timeout)
        # The network's own chain of causes says nothing that its last one doesn't.
        raise UnreachableError(
            f"cannot fetch {file.path} of {repository} ({_brief(error)})", answered=not silent
        ) from None


def _remove_empty(folder: Path) -> None:
    """Remove the folders that were made for a file that never came, up to the cache's own."""
    with suppress(OSError):  # a folder that can't be removed is no reason to hide the first error
        while folder != cache_folder() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent


def _pin(file: PinnedFile) -> str:
    return f"sha256 {file.sha256}" if file.sha256 is not None else f"git blob id {file.git_blob}"


def _brief(error: Exception) -> str:
    """The error on one line; of a long one the end, where the network's errors say why."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text if len(text) <= 250 else '...' + text[-150:]}"
