"""The sentences that simulated respondents say; they stand in `sentences.yaml`."""

from __future__ import annotations

from bias_tasks.data.pinned import LazyTable
from bias_tasks.data.yaml_files import read_yaml


def sentences(name: str) -> LazyTable[str]:
    """A group of sentences by their names; the file is read when one is first looked up."""
    return LazyTable(lambda: read_yaml(__package__, "sentences")[name])
