"""The data sets of output format bias (FormatEval, section 4 and appendix D.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bias_tasks.data.sources import LazyTable, Source, source_table
from bias_tasks.output_format.items import AnswerType
from bias_tasks.output_format.parameters import DATASETS


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSource(Source):
    """A data set whose questions are asked in several formats."""

    answer_type: AnswerType
    items: Mapping[str, int] | None = None
    """Items under each protocol: keys `published` and `corrected`."""

    @property
    def dataset(self) -> str:
        """What `dataset=` calls it: the name without what sets it apart from other families'."""
        return self.name.removeprefix("format_")

    @property
    def facts(self) -> dict[str, Any]:
        """What `catalogue` tells of it beside what every source has."""
        return {
            "family": "output_format",
            "answer_type": self.answer_type,
            "unnamed": self.dataset in DATASETS.values(),
            **(self.items or {}),
        }


FORMAT_SOURCES = source_table(__package__, FormatSource)
FORMAT_DATASETS = LazyTable(lambda: {source.dataset: source for source in FORMAT_SOURCES.values()})
"""By what `dataset=` calls them."""
