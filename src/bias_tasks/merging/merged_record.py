"""What a run that was made of several logs says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bias_tasks.family import JsonObject
from bias_tasks.merging.pieces import MERGED, Piece
from bias_tasks.merging.pool import Pooled
from bias_tasks.parameters import SHARD, of_whole_run


def merged_record(pieces: Sequence[Piece], pool: Pooled) -> JsonObject:
    """The record of the whole run, with a note on what it lacks."""
    record: dict[str, Any] = dict(pieces[0].record)
    whole = record.pop(SHARD, {"whole": {}})["whole"]
    notes = list(record["notes"])
    if pool.missing:
        notes.append(f"merged without all of its answers: {'; '.join(pool.missing)}")
    return record | {
        **whole,
        "parameters": of_whole_run(record["parameters"]),
        "changed": of_whole_run(record["changed"]),
        "notes": notes,
        MERGED: {"logs": len(pieces), "parts": pieces[0].part.of, "doubled": pool.doubled},
    }
