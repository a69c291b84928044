"""Benchmarks of judges on the hub."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.sources import Source, names_of, source_table

SYNTHETIC = "synthetic"
"""What `data=` calls made-up items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingSource(Source):
    """A data set of responses of which the better is known."""

    benchmark: str
    """The benchmark that it is a part of, whose name stands for all of its parts."""
    domain: str
    """Its domains, for people to read."""

    @property
    def facts(self) -> dict[str, Any]:
        """What `catalogue` tells of it beside what every source has."""
        return {"family": "judging", "domain": self.domain}


JUDGING_SOURCES = source_table(__package__, JudgingSource)


def known_names() -> list[str]:
    """What `data=` may name: each benchmark, and each of its parts."""
    benchmarks = (source.benchmark for source in JUDGING_SOURCES.values())
    return list(dict.fromkeys([*benchmarks, *JUDGING_SOURCES]))


def sources_named(names: str) -> list[JudgingSource]:
    """The sources of names separated by commas, in order and each once.

    Raises:
        DataError: a name is unknown, or there is none; or `synthetic` is among several.
    """
    wanted = names_of(names)
    check_names("data set", wanted, [*known_names(), SYNTHETIC], of=" beside files of your own")
    if SYNTHETIC in wanted:
        raise DataError(f"data={names!r}: {SYNTHETIC} stands alone, without other data sets")
    found = {
        source.name: source
        for name in wanted
        for source in JUDGING_SOURCES.values()
        if name in (source.name, source.benchmark)
    }
    return list(found.values())
