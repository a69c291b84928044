"""The data sets of binary question answering: the paper's five domains, and others to name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bias_tasks.binary_qa.items import BINARY_LABELS, PAPER_DOMAINS
from bias_tasks.data.pinned import LazyTable, Source, source_table

MOST_PER_ANSWER = 100
"""The paper's number of questions for each answer of a domain (section 2.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BinarySource(Source):
    """A data set whose records become yes/no questions."""

    domain: str
    questions: int
    """How many are asked, unless some have to be passed over and nothing takes their place."""
    quotas: Mapping[str, int] | None = None
    """Questions of *each* answer, by stratum (level, style, or "" for the only one).

    Only the sources of the paper's recipe have them. None takes as many Yes as No questions as
    there are, at most `MOST_PER_ANSWER` of each.
    """

    @property
    def facts(self) -> dict[str, Any]:
        """What `catalogue` tells of it beside what every source has."""
        return {
            "family": "binary_qa",
            "domain": self.domain,
            "unnamed": self.quotas is not None,
            "published": self.questions,
            "corrected": self.questions,
            "labels": dict.fromkeys(BINARY_LABELS, self.questions // 2),
        }


BINARY_SOURCES = source_table(__package__, BinarySource)
DOMAIN_SOURCES = LazyTable(lambda: {domain: _asked_from(domain) for domain in _domains()})
"""What a domain is asked from unless sources are named: the paper's, from its recipe alone."""


def _domains() -> tuple[str, ...]:
    """The paper's domains, then those of the other sources in their order."""
    others = (source.domain for source in BINARY_SOURCES.values())
    return tuple(dict.fromkeys((*PAPER_DOMAINS, *others)))


def _asked_from(domain: str) -> tuple[str, ...]:
    return tuple(
        name
        for name, source in BINARY_SOURCES.items()
        if source.domain == domain and (source.quotas is not None or domain not in PAPER_DOMAINS)
    )
