"""The data sets of ComplexEval (sections 4.2.1 and 4.2.2, appendix A.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.data.sources import Source, source_table


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSource(Source):
    """A data set whose responses are judged."""

    judged: JudgedKind
    domain: str
    items: int | None = None
    """Items that are made of the records."""
    further: bool = False
    """Whether it is used only where it is named, or all are."""

    @property
    def facts(self) -> dict[str, Any]:
        """What `catalogue` tells of it beside what every source has."""
        return {
            "family": "complex_eval",
            "domain": self.domain if self.judged == "basic" else self.judged,
            "unnamed": not self.further,
            "published": self.items,
            "corrected": self.items,
        }


JUDGED_SOURCES = source_table(__package__, JudgedSource)


def family_sources(family: JudgedKind) -> dict[str, JudgedSource]:
    """The family's data sets, by name."""
    return {name: source for name, source in JUDGED_SOURCES.items() if source.judged == family}
