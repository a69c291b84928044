"""Fetch pinned data sets to the cache once, and verify them at every load.

If no sha256 is pinned, the first load records it in a file next to the data. A file that is pinned
by its git blob id alone has to match that id first, and the recorded sha256 from then on. Cached
files are never changed, so a cache that was filled by `bias-tasks data fetch` can be read-only.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, open_to_replace, parse_json, read_whole
from bias_tasks.data.sources import Origin, PinnedFile, Source, SourceT

CACHE_VARIABLE = "BIAS_TASKS_DATA"

_RAW_FILES = "https://raw.githubusercontent.com"
_TIMEOUT = (2.0, 10.0)
"""Seconds to connect (to each address of a server), and to wait for data or the hub."""


_ALTERNATIVE = "the items of the core with data=core"
ItemT = TypeVar("ItemT")
_unreachable: dict[tuple[Path, str], str] = {}
"""Why a data set could not be fetched, by its cache and name. A run of several tasks or forms needs
it several times, and each attempt would wait for the network; `fetch_source` always tries again."""


class UnreachableError(DataError):
    """A source that cannot be reached; the message is one line."""


def fetch_source(source: Source) -> tuple[list[Path], Origin]:
    """Fetch the files of a data set that are not cached, and verify all.

    Returns:
        The local files, and the origin as plain JSON values: `repository`, `revision`, and `files`
        with their hashes.

    Raises:
        UnreachableError: A file cannot be fetched.
        DataError: The content of a file is not the pinned one, or cannot be read or recorded.
    """
    verified = [_verify(source, cached) for cached in cached_files(source)]
    hashes = [
        {name: value for name, value in asdict(cached.file).items() if value is not None}
        for cached in verified
    ]
    origin = {"repository": source.repository, "revision": verified[0].revision, "files": hashes}
    return [cached.path for cached in verified], origin


def load_sources(
    sources: Sequence[SourceT],
    convert: Callable[[SourceT, Sequence[Path]], Iterable[ItemT]],
    alternative: str = _ALTERNATIVE,
) -> Iterator[tuple[SourceT, list[ItemT], Origin]]:
    """Yield each data set of a run, the items of its records, and its provenance.

    Args:
        sources: The data sets of the run. All are fetched before any is converted.
        convert: Returns the items in the files of a data set.
        alternative: What the user can use in their place, for the message.

    Raises:
        DataError: As `fetch_missing`, or a record does not have the expected columns.
    """
    fetch_missing(sources, alternative)
    for source in sources:
        paths, origin = fetch_source(source)
        try:
            items = list(convert(source, paths))
        except (KeyError, ValueError) as error:
            raise DataError(
                f"{source.name}: a record does not have the expected columns: {error}"
            ) from error
        yield source, items, {"source": source.name, **origin}


def fetch_missing(sources: Iterable[Source], alternative: str = _ALTERNATIVE) -> None:
    """Fetch the data sets of a run that are not in the cache, with one attempt per process.

    Args:
        sources: The data sets of the run.
        alternative: What the user can use in their place, for the message.

    Raises:
        UnreachableError: A data set cannot be fetched. The message names it and the later ones.
        DataError: As `fetch_source`.
    """
    missing = [source for source in sources if not is_cached(source)]
    for index, source in enumerate(missing):
        key = (cache_folder(), source.name)
        try:
            if key in _unreachable:
                raise UnreachableError(_unreachable[key])
            fetch_source(source)
        except UnreachableError as error:
            _unreachable[key] = str(error)
            names = [source.name for source in missing[index:]]
            subject = "1 data set is" if len(names) == 1 else f"{len(names)} data sets are"
            raise UnreachableError(
                f"{subject} not in the cache: {error}. With network access, run `bias-tasks "
                f"data fetch {' '.join(names)}`, and set {CACHE_VARIABLE} to the folder that it "
                f"prints; or use {alternative}"
            ) from None


def is_cached(source: Source) -> bool:
    """Return whether all files of a data set are in the cache; their content is not verified."""
    return all(
        cached.path.is_file() and (cached.expected_hash or not source.on_hub)
        for cached in cached_files(source)
    )


def cache_folder() -> Path:
    """Return the folder of fetched files: `BIAS_TASKS_DATA`, or by default the user's cache."""
    import pooch

    return Path(os.environ.get(CACHE_VARIABLE) or pooch.os_cache("bias-tasks")).expanduser()


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file of a data set in the cache, fetched or not."""

    path: Path
    pin: Path
    """JSON file with the `revision` and `sha256` that the first load recorded."""
    file: PinnedFile
    """The pinned file, with the recorded sha256 if none is pinned."""
    revision: str | None
    """The pinned or recorded revision."""

    @property
    def expected_hash(self) -> str | None:
        """The pinned or recorded hash; None if there is none yet."""
        return self.file.sha256 or self.file.git_blob

    def matches(self) -> bool:
        """Return whether the content has the expected hash; True if there is none."""
        if self.file.sha256 is not None:
            return _digest(self.path, "sha256") == self.expected_hash
        # Git hashes a header with the size before the content.
        header = f"blob {self.path.stat().st_size}\0".encode()
        return self.expected_hash in (None, _digest(self.path, "sha1", header))


def cached_files(source: Source) -> list[CachedFile]:
    """Return the files of a data set; a hub data set has one JSONL file.

    Raises:
        DataError: The record of the first load is damaged.
    """
    folder = cache_folder() / source.repository
    if source.on_hub:
        path = folder / f"{source.config or 'default'}-{source.split}.jsonl"
        located = [(path, path.with_suffix(".json"), PinnedFile(path.name))]
    else:
        paths = [folder / str(source.revision) / file.path for file in source.files]
        pins = [path.with_name(f"{path.name}.pin.json") for path in paths]
        located = list(zip(paths, pins, source.files, strict=True))
    return [_add_recorded(CachedFile(*parts, source.revision)) for parts in located]


def _add_recorded(cached: CachedFile) -> CachedFile:
    """Return the file with the recorded sha256 and revision, if no sha256 is pinned."""
    if cached.file.sha256 or not cached.pin.exists():
        return cached
    try:
        row = parse_json(read_whole(cached.pin, max_bytes=10_000))
        revision, sha256 = str(row["revision"]), str(row["sha256"])
    except (ValueError, TypeError, LookupError) as error:
        raise DataError(f"{cached.pin} is damaged; delete it to record the hash again") from error
    if cached.revision not in (None, revision):
        return cached  # The record is of an earlier pinned revision.
    return replace(cached, file=replace(cached.file, sha256=sha256), revision=revision)


def _verify(source: Source, cached: CachedFile) -> CachedFile:
    """Return the verified file: fetched if missing, its sha256 recorded if none is pinned."""
    is_new = not cached.path.exists() or (source.on_hub and not cached.expected_hash)
    if is_new:
        load = _load_from_hub if source.on_hub else _download
        cached = replace(cached, revision=load(source, cached))
    if not cached.matches():
        if is_new:
            cached.path.unlink()
        advice = "The published file has changed" if is_new else "Delete it to fetch it again"
        raise DataError(
            f"{cached.path} is not the pinned file: its content does not have the hash "
            f"{cached.expected_hash}. {advice}"
        )
    if not cached.file.sha256:
        pin = {"revision": cached.revision, "sha256": _digest(cached.path, "sha256")}
        with open_to_replace(cached.pin) as stream:
            stream.write(json.dumps(pin).encode())
    return _add_recorded(cached)


def _download(source: Source, cached: CachedFile) -> str:
    """Download a file of a public repository, and return its commit."""
    import pooch

    revision, name = str(source.revision), cached.file.path
    pooch.get_logger().setLevel("WARNING")  # It logs every address, reachable or not.
    try:
        pooch.retrieve(
            f"{_RAW_FILES}/{source.repository}/{revision}/{quote(name)}",
            known_hash=None,
            fname=cached.path.name,
            path=cached.path.parent,
            downloader=pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT),
        )
    except (OSError, ValueError) as error:  # Network errors are OSErrors.
        reason = _shorten_error(error)
        raise UnreachableError(f"cannot fetch {name} of {source.repository} ({reason})") from None
    return revision


def _load_from_hub(source: Source, cached: CachedFile) -> str:
    """Copy the selected records of a hub data set; return the revision: the known or newest one."""
    import datasets
    import huggingface_hub
    from huggingface_hub import errors

    # The base error of the HTTP library that this version of the client uses.
    network_error: type[Exception] = errors.HTTPError  # type: ignore[attr-defined]
    name, known_revision = source.repository, cached.revision
    try:
        # This comes first because it fails immediately offline, while load_dataset retries.
        info = huggingface_hub.dataset_info(name, revision=known_revision, timeout=_TIMEOUT[1])
        revision = known_revision or str(info.sha)
        config = source.config or None
        records = datasets.load_dataset(name, config, split=source.split, revision=revision)
        cached.path.parent.mkdir(parents=True, exist_ok=True)
        with open_to_replace(cached.path) as stream:
            for record in records:  # One at a time: a split can be larger than memory.
                if all(record.get(column) in values for column, values in source.keep.items()):
                    stream.write((json.dumps(record) + "\n").encode())
    except (OSError, ValueError, network_error, datasets.exceptions.DatasetsError) as error:
        raise UnreachableError(
            f"cannot load {name} from the hub ({_shorten_error(error)})"
        ) from None
    return revision


def _digest(path: Path, algorithm: str, header: bytes = b"") -> str:
    digest = hashlib.new(algorithm, header, usedforsecurity=False)
    with open_to_read(path) as stream:
        return hashlib.file_digest(stream, lambda: digest).hexdigest()


def _shorten_error(error: Exception) -> str:
    """Return the error on one line. A long one keeps its end, where network errors say why."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text if len(text) <= 250 else '...' + text[-150:]}"
