"""Hashes of content, by which items and clusters are known."""

from __future__ import annotations

import hashlib
import json


def content_hash(*fields: object) -> str:
    """Ten hex digits over the fields' JSON: the stable part of an item's or cluster's id."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
