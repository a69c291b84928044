"""Fetches pinned data sets into the cache, once, and verifies them every time.

A file whose hash is not known is held to the one that the first load records beside it. What is in
the cache is never written to, so that its folder may be read-only.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, parsed_json, read_whole, replacing
from bias_tasks.data.sources import PinnedFile, Source

CACHE_VARIABLE = "BIAS_TASKS_DATA"

_RAW_FILES = "https://raw.githubusercontent.com"
_TIMEOUT = (2.0, 10.0)
"""Seconds to connect (to each of a name's addresses), and to wait for data or the hub's answer."""


class UnreachableError(DataError):
    """A source that can't be had from where it is published; the message is one line."""


def fetch_source(source: Source) -> tuple[list[Path], dict[str, Any]]:
    """The verified local files of a data set, and where they come from, as plain JSON values. An
    UnreachableError where a file can't be fetched; a DataError where its content is not the pinned
    one, or can't be read or recorded."""
    found = [_verified(source, each) for each in cached_files(source)]
    hashes = [{k: v for k, v in asdict(each.file).items() if v is not None} for each in found]
    origin = {"repository": source.repository, "revision": found[0].revision, "files": hashes}
    return [each.path for each in found], origin


def fetch_missing(
    sources: Iterable[Source], instead: str = "the items of the core with data=core"
) -> None:
    """Fetch those data sets of a run that are not in the cache; `instead` is what can be used in
    their place, for the message. An UnreachableError where one can't be fetched; it and those
    behind it, not tried, are named; a DataError as `fetch_source` has it."""
    missing = [source for source in sources if not is_cached(source)]
    for place, source in enumerate(missing):
        try:
            fetch_source(source)
        except UnreachableError as error:
            names = [each.name for each in missing[place:]]
            sets = "1 data set is" if len(names) == 1 else f"{len(names)} data sets are"
            raise UnreachableError(
                f"{sets} not in the cache: {error}. Where there is a network run `bias-tasks data "
                f"fetch {' '.join(names)}`, and set {CACHE_VARIABLE} to the folder that it names; "
                f"or use {instead}"
            ) from None


def is_cached(source: Source) -> bool:
    """Whether a data set is in the cache, whole; its content is not looked at."""
    found = cached_files(source)
    return all(each.path.is_file() and (each.known or not source.on_hub) for each in found)


def cache_folder() -> Path:
    """The folder that holds fetched files: `BIAS_TASKS_DATA`, else the system's cache folder."""
    import pooch

    return Path(os.environ.get(CACHE_VARIABLE) or pooch.os_cache("bias-tasks")).expanduser()


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file of a data set in the cache, fetched or not.

    `pin` is the JSON file with the `revision` and the `sha256` that the first load found, which
    `file` and `revision` have where none was known.
    """

    path: Path
    pin: Path
    file: PinnedFile
    revision: str | None

    @property
    def known(self) -> str | None:
        """The hash that it is held to."""
        return self.file.sha256 or self.file.git_blob

    def matches(self) -> bool:
        """Whether the content is the pinned one, as far as a hash is known."""
        if self.file.sha256 is not None:
            return _digest(self.path, "sha256") == self.known
        # git hashes a header with the size before the content
        header = f"blob {self.path.stat().st_size}\0".encode()
        return self.known in (None, _digest(self.path, "sha1", header))


def cached_files(source: Source) -> list[CachedFile]:
    """The files of a data set; a hub data set has one, a JSON object a line. A DataError where what
    the first load recorded is damaged."""
    folder = cache_folder() / source.repository
    if source.on_hub:
        path = folder / f"{source.config or 'default'}-{source.split}.jsonl"
        pins = [(path, path.with_suffix(".json"), PinnedFile(path.name))]
    else:
        paths = [(folder / str(source.revision) / file.path, file) for file in source.files]
        pins = [(path, path.with_name(f"{path.name}.pin.json"), file) for path, file in paths]
    return [_as_recorded(CachedFile(*each, source.revision)) for each in pins]


def _as_recorded(cached: CachedFile) -> CachedFile:
    if cached.known or not cached.pin.exists():
        return cached
    try:
        row = parsed_json(read_whole(cached.pin, most=10_000))
        revision, sha256 = str(row["revision"]), str(row["sha256"])
    except (ValueError, TypeError, LookupError) as error:
        raise DataError(f"{cached.pin} is damaged; delete it to record the hash anew") from error
    if cached.revision not in (None, revision):
        return cached  # recorded when another revision was pinned
    return replace(cached, file=replace(cached.file, sha256=sha256), revision=revision)


def _verified(source: Source, cached: CachedFile) -> CachedFile:
    """The file as it is known then: fetched if it is not there, recorded if nothing is known."""
    fresh = not cached.path.exists() or (source.on_hub and not cached.known)
    if fresh:
        load = _load_from_hub if source.on_hub else _download
        cached = replace(cached, revision=load(source, cached))
    if not cached.matches():
        if fresh:
            cached.path.unlink()
        then = "what is published now is another" if fresh else "Delete it to fetch it again"
        raise DataError(
            f"{cached.path} is not the pinned file: its content differs from the hash "
            f"{cached.known}. {then}"
        )
    if not cached.known:
        pin = {"revision": cached.revision, "sha256": _digest(cached.path, "sha256")}
        with replacing(cached.pin) as stream:
            stream.write(json.dumps(pin).encode())
    return _as_recorded(cached)


def _download(source: Source, cached: CachedFile) -> str:
    """Downloads a public repository's file, and says of which commit."""
    import pooch

    revision, name = str(source.revision), cached.file.path
    pooch.get_logger().setLevel("WARNING")  # it tells every address, whether it answers or not
    try:
        pooch.retrieve(
            f"{_RAW_FILES}/{source.repository}/{revision}/{quote(name)}",
            known_hash=None,
            fname=cached.path.name,
            path=cached.path.parent,
            downloader=pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT),
        )
    except (OSError, ValueError) as error:  # the network's errors are OSErrors
        told = f"cannot fetch {name} of {source.repository} ({_brief(error)})"
        raise UnreachableError(told) from None
    return revision


def _load_from_hub(source: Source, cached: CachedFile) -> str:
    """Copies the kept records of a hub data set; says of which revision, the known or newest."""
    import datasets
    import huggingface_hub
    from huggingface_hub import errors

    # the base error of whichever HTTP library this version of the client uses
    network_error: type[Exception] = errors.HTTPError  # type: ignore[attr-defined]
    name, wanted = source.repository, cached.revision
    try:
        # Asked first, because it fails at once without a network, where load_dataset retries.
        info = huggingface_hub.dataset_info(name, revision=wanted, timeout=_TIMEOUT[1])
        revision = wanted or str(info.sha)
        config = source.config or None
        records = datasets.load_dataset(name, config, split=source.split, revision=revision)
        cached.path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(cached.path) as stream:
            for record in records:  # one at a time: a split can be larger than memory
                if all(record.get(column) in values for column, values in source.keep.items()):
                    stream.write((json.dumps(record) + "\n").encode())
    except (OSError, ValueError, network_error, datasets.exceptions.DatasetsError) as error:
        raise UnreachableError(f"cannot load {name} from the hub ({_brief(error)})") from None
    return revision


def _digest(path: Path, algorithm: str, header: bytes = b"") -> str:
    digest = hashlib.new(algorithm, header, usedforsecurity=False)
    with open_to_read(path) as stream:
        return hashlib.file_digest(stream, lambda: digest).hexdigest()


def _brief(error: Exception) -> str:
    """The error on one line; of a long one the end, where the network's errors say why."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text if len(text) <= 250 else '...' + text[-150:]}"
