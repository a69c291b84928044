"""What a search found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bias_tasks.family import JsonObject
from bias_tasks.probing.format_grammar import Format
from bias_tasks.probing.format_search import Tally
from bias_tasks.statistics.estimate import Estimate, written

if TYPE_CHECKING:
    from bias_tasks.commands.format_search.run import Wanted

_EXAMPLE = "Options:\nA) One\nB) Two"


@dataclass(frozen=True, slots=True)
class Found:
    """The best and the worst format that a search found, and what they come to elsewhere."""

    wanted: Wanted
    formats: tuple[Format, ...]
    """All that were searched, the plain one first."""
    tallies: tuple[Tally, ...]
    """What came of each while it was searched."""
    best: int
    """The place of the best format."""
    worst: int
    calls: int
    """Questions that were put, in every epoch, the held-out ones among them."""
    held_out: Mapping[str, Estimate]
    """`spread`, `change/best`, `change/worst` and `score/<format>` on the held-out items."""
    items: int
    """How many these are."""
    unscored: int
    """How many of their answers have no score."""
    notes: tuple[str, ...]
    log_dir: Path

    @property
    def spread_searched(self) -> float:
        """The best's mean less the worst's on the answers that chose them: too large."""
        best, worst = self.tallies[self.best].mean, self.tallies[self.worst].mean
        assert best is not None  # only formats with a score are chosen
        assert worst is not None
        return best - worst

    @property
    def tried(self) -> int:
        """How many formats were asked at all."""
        return sum(tally.asked > 0 for tally in self.tallies)

    def to_dict(self) -> JsonObject:
        """Plain JSON values; null where there is nothing to measure."""
        return {
            **{name: _plain(value) for name, value in asdict(self.wanted).items()},
            "calls": self.calls,
            "searched": {
                "formats": len(self.formats),
                "tried": self.tried,
                "calls": sum(tally.asked for tally in self.tallies),
                "spread_biased": self.spread_searched,
            },
            "best": self._format(self.best),
            "worst": self._format(self.worst),
            "held_out": {"items": self.items, "unscored": self.unscored, **written(self.held_out)},
            "notes": list(self.notes),
            "log_dir": str(self.log_dir),
        }

    def _format(self, place: int) -> JsonObject:
        tally = self.tallies[place]
        return {
            "name": self.formats[place].name,
            "looks": looks(self.formats[place]),
            "asked": tally.asked,
            "mean_searched": tally.mean,
        }


def looks(format_: Format) -> str:
    """Two options in a format, on one line: breaks and tabs are written out.

    What is the task's own stands as the host sets choices, `A) One`.
    """
    dressed = _EXAMPLE if format_.style is None else format_.style.prompt(_EXAMPLE)
    return dressed.removeprefix("Options:\n").replace("\n", "\\n").replace("\t", "\\t")


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value
