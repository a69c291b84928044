"""What the items of all families share."""

from __future__ import annotations

import hashlib
import json
from typing import Literal

Protocol = Literal["corrected", "published"]
PROTOCOLS: tuple[Protocol, ...] = ("corrected", "published")


def content_hash(*fields: object) -> str:
    """Ten hex digits over the fields' JSON: the stable part of an item's or cluster's id."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
