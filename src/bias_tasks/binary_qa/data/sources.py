"""The data sets of binary question answering: the paper's five domains, and others to name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bias_tasks.binary_qa.items import BINARY_LABELS, PAPER_DOMAINS
from bias_tasks.data.pinned import LazyTable, Source, source_table

MOST_PER_ANSWER = 100
"""The paper's number of questions for each answer of a domain (section 2.1)."""

_OTHER_DOMAINS = ("plausibility", "boolean_logic", "deduction")


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
DOMAIN_SOURCES = LazyTable(
    lambda: {
        domain: tuple(
            name
            for name, source in BINARY_SOURCES.items()
            if source.domain == domain
            and (source.quotas is not None or domain not in PAPER_DOMAINS)
        )
        for domain in (*PAPER_DOMAINS, *_OTHER_DOMAINS)
    }
)
"""What a domain is asked from unless sources are named: the paper's, from its recipe alone."""
