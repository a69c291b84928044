"""The data sets of judging and choice items: where each comes from, and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from bias_tasks.data.pinned import Source, source_table
from bias_tasks.instruction_boundary.items import Form
from bias_tasks.names import PaperProtocol

# Nothing unpinned runs unless asked for, so neither `fld` nor `ib_judging` (whose columns nobody
# has checked) is a default.
DEFAULT_SOURCES: Mapping[Form, tuple[str, ...]] = {"choice": ("ib_choice",), "judging": ("folio",)}
MISCELLANY_SOURCES: Mapping[PaperProtocol, Mapping[Form, tuple[str, ...]]] = {
    "corrected": {"choice": ("mmlu_pro",), "judging": ("folio",)},
    "published": {"choice": ("mmlu_pro_public",), "judging": ("folio",)},
}
"""Those of disturbing_miscellany, whose choice items need ten options; published, the questions
that the public code samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionBoundarySource(Source):
    """A data set of judging or choice items."""

    form: Form
    items: Mapping[str, int] | None = None
    """Items under each protocol: keys `published` and `corrected`."""
    labels: Mapping[str, int] | None = None
    """Items of each gold label, corrected."""
    subset: Mapping[str, int] | None = None
    """How many of each label are taken, in hash order of the ids; None takes everything."""

    @property
    def facts(self) -> dict[str, Any]:
        """What `catalogue` tells of it beside what every source has."""
        special = (by_form[self.form] for by_form in MISCELLANY_SOURCES.values())
        unnamed = (*DEFAULT_SOURCES[self.form], *chain.from_iterable(special))
        return {
            "family": "instruction_boundary",
            "form": self.form,
            "unnamed": self.name in unnamed,
            **(self.items or {}),
            "labels": self.labels and dict(self.labels),
        }


INSTRUCTION_BOUNDARY = source_table(__package__, InstructionBoundarySource)
