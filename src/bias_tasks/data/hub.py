"""Data sets of the hub, kept in the cache at the revision that the first load found."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from bias_tasks.data.cache import CACHE_VARIABLE, cache_folder, matches
from bias_tasks.data.errors import DataError
from bias_tasks.data.sources import PinnedFile

_TIMEOUT = 5.0
"""Seconds to wait for the hub's answer when a revision is looked up."""


@dataclass(frozen=True, slots=True)
class HubPin:
    """What the first load found, and every later one is held to."""

    revision: str
    sha256: str
    """Of the local copy: one JSON object a line."""


def pin_path(repository: str, config: str, split: str) -> Path:
    """The file in the cache that records the pin."""
    return cache_folder() / repository / f"{config}-{split}.json"


def copy_path(repository: str, config: str, split: str) -> Path:
    """The local copy, in JSONL."""
    return pin_path(repository, config, split).with_suffix(".jsonl")


def recorded_pin(repository: str, config: str, split: str) -> HubPin | None:
    """The pin that the first load recorded, or None before it.

    Raises:
        DataError: the record is damaged.
    """
    path = pin_path(repository, config, split)
    if not path.is_file():
        return None
    try:
        return HubPin(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise DataError(f"{path} is damaged; delete it to record the revision anew") from error


def fetch_hub(repository: str, config: str, split: str) -> tuple[Path, HubPin]:
    """The verified local copy of a hub data set's split, loaded from the hub if it is not there.

    The first load takes the newest revision and records it; a copy that is there needs no
    network and may be read-only.

    Raises:
        DataError: the hub can't be reached, the copy can't be written, or its content is not
            what was first loaded.
    """
    pin = recorded_pin(repository, config, split)
    copy = copy_path(repository, config, split)
    if pin is None or not copy.is_file():
        pin = _load(repository, config, split, pin)
    if not matches(copy, PinnedFile(copy.name, sha256=pin.sha256)):
        raise DataError(
            f"{copy} is not what was first loaded (revision {pin.revision}): its content differs "
            f"from sha256 {pin.sha256}. Delete it to load it again."
        )
    return copy, pin


def _load(repository: str, config: str, split: str, pin: HubPin | None) -> HubPin:
    import datasets
    import huggingface_hub
    from huggingface_hub import errors

    # the base error of whichever HTTP library this version of the client uses
    network_error: type[Exception] = errors.HTTPError  # type: ignore[attr-defined]
    try:
        # Asked first, because it fails at once without a network, where load_dataset retries.
        info = huggingface_hub.dataset_info(
            repository, revision=pin.revision if pin else None, timeout=_TIMEOUT
        )
        revision = pin.revision if pin else str(info.sha)
        records = datasets.load_dataset(repository, config, split=split, revision=revision)
        content = "".join(json.dumps(record) + "\n" for record in records).encode()
        copy = copy_path(repository, config, split)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        if pin is None:
            pin = HubPin(revision, hashlib.sha256(content).hexdigest())
            pin_path(repository, config, split).write_text(json.dumps(asdict(pin)))
    except (OSError, ValueError, network_error, datasets.exceptions.DatasetsError) as error:
        reason = " ".join(str(error).split())[:160]
        raise DataError(
            f"cannot load {repository} from the hub ({type(error).__name__}: {reason}). Use "
            f"generated items with -T data=synthetic, leave this source out, or set "
            f"{CACHE_VARIABLE} to a cache folder into which it was loaded before."
        ) from error
    return pin
