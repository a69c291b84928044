"""Data sets of the hub, kept in the cache at the pinned revision or the one first found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bias_tasks.data.cache import UnreachableError, cache_folder, in_cache, matches
from bias_tasks.data.errors import DataError
from bias_tasks.data.json_text import parsed_json
from bias_tasks.data.pinned import PinnedFile
from bias_tasks.data.regular_files import open_to_write, read_whole

Keep = Mapping[str, tuple[str, ...]]
"""Values that a kept record may have, by column; empty keeps every record."""

_TIMEOUT = 5.0
"""Seconds to wait for the hub's answer when a revision is looked up."""
_LONGEST_PIN = 10_000
"""Bytes of a recorded pin."""


@dataclass(frozen=True, slots=True)
class HubPin:
    """What the first load found, and every later one is held to."""

    revision: str
    sha256: str
    """Of the local copy: one JSON object a line."""


def pin_path(repository: str, config: str, split: str) -> Path:
    """The file in the cache that records the pin."""
    return cache_folder() / repository / f"{config or 'default'}-{split}.json"


def copy_path(repository: str, config: str, split: str) -> Path:
    """The local copy, in JSONL."""
    return pin_path(repository, config, split).with_suffix(".jsonl")


def recorded_pin(repository: str, config: str, split: str) -> HubPin | None:
    """The pin that the first load recorded, or None before it.

    Raises:
        DataError: the record is damaged, or can't be read.
    """
    path = pin_path(repository, config, split)
    if not in_cache(path):
        return None
    try:
        row = parsed_json(read_whole(path, most=_LONGEST_PIN))
        if set(map(type, row.values())) != {str}:
            raise TypeError("a value is no text")
        return HubPin(**row)
    except (ValueError, TypeError, AttributeError) as error:
        raise DataError(f"{path} is damaged; delete it to record the revision anew") from error


def fetch_hub(
    repository: str, config: str, split: str, revision: str | None = None, keep: Keep | None = None
) -> tuple[Path, HubPin]:
    """The verified local copy of a hub data set's split, loaded from the hub if it is not there.

    The first load takes `revision`, or the newest one, and records it with the copy's hash; a
    copy that is there needs no network and may be read-only.

    Args:
        repository: owner and name on the hub.
        config: configuration; empty where the data set has only one.
        split: which split.
        revision: commit to load; None resolves the newest once.
        keep: which records the copy holds.

    Raises:
        UnreachableError: the hub can't be reached, or the copy can't be written.
        DataError: the copy's content is not what was first loaded, or something else than a file
            stands in its place or its pin's.
    """
    pin = recorded_pin(repository, config, split)
    if pin is not None and revision not in (None, pin.revision):
        pin = None  # recorded when another revision was pinned
    copy = copy_path(repository, config, split)
    if not in_cache(copy) or pin is None:
        pin = _load(repository, config, split, revision, pin, keep or {})
    if not matches(copy, PinnedFile(copy.name, sha256=pin.sha256)):
        raise DataError(
            f"{copy} is not what was first loaded (revision {pin.revision}): its content differs "
            f"from sha256 {pin.sha256}. Delete it to load it again."
        )
    return copy, pin


def _load(
    repository: str, config: str, split: str, revision: str | None, pin: HubPin | None, keep: Keep
) -> HubPin:
    import datasets
    import huggingface_hub
    from huggingface_hub import errors

    # the base error of whichever HTTP library this version of the client uses
    network_error: type[Exception] = errors.HTTPError  # type: ignore[attr-defined]
    wanted = pin.revision if pin else revision
    try:
        # Asked first, because it fails at once without a network, where load_dataset retries.
        info = huggingface_hub.dataset_info(repository, revision=wanted, timeout=_TIMEOUT)
        found = wanted or str(info.sha)
        records = datasets.load_dataset(repository, config or None, split=split, revision=found)
        digest = _write(records, keep, copy_path(repository, config, split))
        if pin is None:
            pin = HubPin(found, digest)
            pin_path(repository, config, split).write_text(json.dumps(asdict(pin)))
    except (OSError, ValueError, network_error, datasets.exceptions.DatasetsError) as error:
        reason = " ".join(str(error).split())[:160]
        # The client's own chain of causes says nothing that its last one doesn't.
        raise UnreachableError(
            f"cannot load {repository} from the hub ({type(error).__name__}: {reason})"
        ) from None
    return pin


def _write(records: Iterable[Mapping[str, Any]], keep: Keep, copy: Path) -> str:
    """Writes the kept records, one at a time because a split can be larger than memory.

    Returns the copy's sha256. The copy appears only once it is whole.
    """
    copy.parent.mkdir(parents=True, exist_ok=True)
    part = copy.with_suffix(".part")
    digest = hashlib.sha256()
    with open_to_write(part) as stream:
        for record in records:
            if all(record.get(column) in values for column, values in keep.items()):
                line = (json.dumps(record) + "\n").encode()
                digest.update(line)
                stream.write(line)
    part.replace(copy)
    return digest.hexdigest()
