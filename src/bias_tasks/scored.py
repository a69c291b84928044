"""What a score of Inspect says of an answer in its metadata: written here, and read back here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bias_tasks.family import JsonObject, Outcome

_OUTCOME = "outcome"
_RUN = "run"


@dataclass(frozen=True, slots=True)
class Scored:
    """What an answer came to, and in which run."""

    family: str
    """The name of the family that read it."""
    outcome: Outcome
    asked: str | None = None
    """Digest of what the run asks; None where its task isn't ours."""

    def metadata(self) -> JsonObject:
        """The metadata of its score; `scored_in` reads it back.

        Two objects, and no text at the top: Inspect makes four summaries of every sample, and wraps
        each such text anew for each of them, which costs more than all else that stands here.
        """
        run = {"family": self.family, "asked": self.asked}
        return {_OUTCOME: self.outcome.to_dict(), _RUN: run}


def scored_in(metadata: Mapping[str, Any] | None) -> Scored | None:
    """What a score's metadata says of an answer; None in a score that isn't ours.

    Logs before 0.8.0 have the family and the digest beside the outcome.

    Raises:
        KeyError: an outcome lacks a value.
    """
    noted = metadata or {}
    run = noted.get(_RUN, noted)
    outcome = noted.get(_OUTCOME)
    if not (isinstance(outcome, Mapping) and isinstance(run, Mapping) and "family" in run):
        return None
    return Scored(run["family"], Outcome.from_dict(outcome), run.get("asked"))


def without_scored(metadata: Mapping[str, Any] | None) -> JsonObject:
    """What else a score's metadata says."""
    noted = metadata or {}
    own = {_OUTCOME, _RUN} if _RUN in noted else {_OUTCOME, "family", "asked"}
    return {name: value for name, value in noted.items() if name not in own}
