"""Data sets of the hub, at a revision that is resolved once and then kept in the cache."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bias_tasks.data.cache import CACHE_VARIABLE, cache_folder
from bias_tasks.data.errors import DataError


def load_hub(repository: str, config: str, split: str) -> tuple[Iterable[Mapping[str, Any]], str]:
    """The records of a hub data set, and the revision (commit) they are of.

    Raises:
        DataError: the hub can't be reached, or the revision can't be recorded.
    """
    import datasets
    from huggingface_hub.errors import HfHubHTTPError

    try:
        revision = recorded_revision(repository) or _resolve(repository)
        records = datasets.load_dataset(repository, config, split=split, revision=revision)
    except (OSError, ValueError, datasets.exceptions.DatasetsError, HfHubHTTPError) as error:
        reason = " ".join(str(error).split())[:160]
        raise DataError(
            f"cannot load {repository} from the hub ({type(error).__name__}: {reason}). Use "
            f"generated items with -T data=synthetic, leave this source out, or set "
            f"{CACHE_VARIABLE} to a cache folder where it was loaded before."
        ) from error
    return records, revision


def revision_file(repository: str) -> Path:
    """Where the cache keeps the revision of a hub data set."""
    return cache_folder() / repository / "revision.json"


def recorded_revision(repository: str) -> str | None:
    """The revision that an earlier load resolved, or None."""
    path = revision_file(repository)
    if not path.is_file():
        return None
    return str(json.loads(path.read_text(encoding="utf-8"))["revision"])


def _resolve(repository: str) -> str:
    """Asks the hub for the newest revision and records it, so that later runs use the same."""
    from huggingface_hub import dataset_info

    revision = dataset_info(repository, timeout=10).sha
    if revision is None:
        raise ValueError("the hub names no revision")
    path = revision_file(repository)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"repository": repository, "revision": revision}), encoding="utf-8")
    return revision
