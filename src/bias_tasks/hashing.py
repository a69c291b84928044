"""Hashes of content, by which items, clusters and runs are known."""

from __future__ import annotations

import hashlib
import json


def content_hash(*fields: object) -> str:
    """Ten hex digits over the fields' JSON: the stable part of an item's or cluster's id."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def digest(*parts: object) -> str:
    """Sixteen hex digits over the JSON of parts, which are taken in one by one.

    Raises:
        TypeError: a part is not of plain JSON values.
    """
    found = hashlib.sha256()
    for part in parts:
        text = json.dumps(part, ensure_ascii=False, sort_keys=True)
        found.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()[:16]
