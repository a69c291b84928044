"""Hashes of JSON values: ids of items and clusters, digests of runs."""

import hashlib
import json


def content_hash(*fields: object) -> str:
    """Return ten hex digits over the JSON of the fields, for the id of an item or a cluster."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def digest(*parts: object) -> str:
    """Return 16 hex digits over the JSON of the parts.

    Raises:
        TypeError: A part has values that JSON cannot hold.
    """
    sha256 = hashlib.sha256()
    for part in parts:
        text = json.dumps(part, ensure_ascii=False, sort_keys=True)
        sha256.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return sha256.hexdigest()[:16]
