"""What a run is called in Every Eval Ever, and where its two files stand.

Records are found by their folder, `data/<collection>/<developer>/<model>`, and by a UUID.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from uuid import UUID

from bias_tasks.names import digest, encodable
from bias_tasks.results.run import Run

UNSTATED = "unstated"
"""The developer's folder where a model's name has no `developer/` before it: nobody is guessed."""
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_RESERVED = re.compile(r"(?i)(?:data|con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
"""Names that a folder of theirs, or of Windows, cannot have."""
_LONGEST = 200
"""Bytes of a folder's name."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The names of one run."""

    uuid: UUID
    """The same whenever the same run is exported."""
    evaluation: str
    """`evaluation_id`, by which an answer finds its run."""
    model: str
    """The model's id: its name in the host."""
    developer: str | None
    """What stands before the first slash of the model's name, or as given; None without both."""
    record: PurePosixPath
    """The run's file, below the folder that is exported to."""
    samples: PurePosixPath
    """The file of its answers."""

    @classmethod
    def of(cls, run: Run, retrieved: int, developer: str | None = None) -> Identity:
        """The names of a run.

        Args:
            run: with its figures.
            retrieved: when it is exported, in seconds since 1970.
            developer: of a model whose name has none before a slash.
        """
        told = {name: value for name, value in run.to_dict().items() if name != "log"}
        uuid = UUID(hex=digest("first half", told) + digest("second half", told), version=4)
        model = encodable(run.model)
        first, slash, rest = model.partition("/")
        name = rest if slash else first
        developer = first if slash else developer
        task = run.record["task"]
        folder = PurePosixPath(
            "data",
            _as_name(f"bias_tasks_{task}"),
            _as_name(developer or UNSTATED),
            _as_name(name),
        )
        return cls(
            uuid=uuid,
            evaluation=f"{task}-{uuid.hex[:8]}/{model.replace('/', '_')}/{retrieved}",
            model=model,
            developer=developer,
            record=folder / f"{uuid}.json",
            samples=folder / f"{uuid}_samples.jsonl",
        )


def _as_name(text: str) -> str:
    """The text as the name of a folder on any system."""
    short = _NOT_IN_NAMES.sub("_", text).encode()[:_LONGEST].decode(errors="ignore")
    name = short.rstrip(". ")
    return f"{name}_" if not name or _RESERVED.fullmatch(name) else name
