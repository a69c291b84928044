"""What is known about every data set, for `bias-tasks data list`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bias_tasks.binary_qa.data.paper import BINARY_SOURCES
from bias_tasks.complex_eval.data.load import JUDGED_SOURCES
from bias_tasks.data.fetch import is_cached, recorded_revision
from bias_tasks.data.loading import SYNTHETIC_ITEMS
from bias_tasks.data.sources import LazyTable, Source
from bias_tasks.instruction_boundary.data.load import INSTRUCTION_BOUNDARY
from bias_tasks.judging.data.sources import JUDGING_SOURCES
from bias_tasks.output_format.data.sources import FORMAT_SOURCES

SOURCES: Mapping[str, Source] = LazyTable(
    lambda: {
        **INSTRUCTION_BOUNDARY,
        **BINARY_SOURCES,
        **FORMAT_SOURCES,
        **JUDGED_SOURCES,
        **JUDGING_SOURCES,
    }
)
"""The data sets of every family, by their names."""

_FAMILY_FACTS: dict[str, Any] = {
    **dict.fromkeys(("family", "form", "domain", "answer_type")),
    "unnamed": False,
    **dict.fromkeys(("published", "corrected", "labels")),
}
"""What a family tells of its data sets, with the value where one tells nothing."""


def catalogue() -> list[dict[str, Any]]:
    """The facts of each data set, as plain JSON values.

    Keys: name, family, form (Instruction Boundary), domain (binary questions, judged responses) or
    answer_type (output formats; `dataset=` has the name without `format_`), description, unnamed
    (runs under one protocol at least, and is fetched, without being named), repository,
    revision (None if not resolved yet), licence, records (rows in the files), published and
    corrected (items under each protocol), labels (items of each gold label, corrected), issues,
    cached. A figure that was never checked is None.
    """
    return [_facts(source) for source in SOURCES.values()] + [_synthetic()]


def _facts(source: Source) -> dict[str, Any]:
    return {
        "name": source.name,
        **_FAMILY_FACTS,
        **source.facts,
        "description": source.description,
        "repository": source.repository,
        "revision": source.revision or recorded_revision(source),
        "licence": source.licence,
        "records": source.records,
        "issues": list(source.issues),
        "cached": is_cached(source),
    }


def _synthetic() -> dict[str, Any]:
    return {
        "name": "synthetic",
        **_FAMILY_FACTS,
        "family": "instruction_boundary",
        "form": "judging, choice",
        "published": 2 * SYNTHETIC_ITEMS,
        "corrected": 2 * SYNTHETIC_ITEMS,
        "description": "deduction problems and choice questions, generated with exact labels",
        "repository": None,
        "revision": None,
        "licence": "MIT",
        "records": None,
        "issues": [f"as many items as asked for; {SYNTHETIC_ITEMS} of each form otherwise"],
        "cached": True,
    }
