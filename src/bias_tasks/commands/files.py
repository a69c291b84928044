"""Files of one JSON object a line, which the commands write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bias_tasks.data.files import replacing


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]], *, ascii_only: bool = False) -> None:
    """Write a file anew; whoever reads it meanwhile finds the old content or the new.

    `ascii_only` is for texts that may hold half of a surrogate pair, as answers in a log do.

    Raises:
        DataError: the file can't be written.
    """
    with replacing(path) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=ascii_only).encode() + b"\n")


def write_json(path: Path, content: Mapping[str, Any], *, ascii_only: bool = False) -> None:
    """Write one JSON object, as `write_rows` writes several."""
    with replacing(path) as stream:
        stream.write(json.dumps(content, ensure_ascii=ascii_only, indent=2).encode() + b"\n")
