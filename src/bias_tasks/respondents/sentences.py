"""The sentences that simulated respondents say; they stand in `sentences.yaml`."""

from __future__ import annotations

from bias_tasks.data.files import read_yaml
from bias_tasks.data.sources import LazyTable


def sentences(name: str) -> LazyTable[str]:
    """A group of sentences by their names; the file is read when one is first looked up."""
    return LazyTable(lambda: read_yaml(__package__, "sentences")[name])
