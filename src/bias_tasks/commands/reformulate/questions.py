"""The questions that are to be reworded, in the order they are taken up."""

from __future__ import annotations

import os
from collections.abc import Iterable

from bias_tasks.binary_qa.data.load import QuestionRecord, binary_order, chosen_domains, named
from bias_tasks.binary_qa.items import REFORMULATIONS
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path
from bias_tasks.names import did_you_mean


def read_questions(source: str, domains: str | None) -> list[QuestionRecord]:
    """The questions of a user's file, or of the paper's recipe.

    What stands in a file already is noted as given, unless its provenance knows better. A question
    of the recipe may still be a `PendingNumberQuestion`.

    Args:
        source: path of the file; `paper`; or names of the recipe's data sets, separated by commas.
        domains: names of domains, separated by commas; all without it.

    Raises:
        DataError: the questions can't be had.
    """
    if source == "synthetic":
        raise DataError("synthetic questions come with all their rewordings")
    names = named(source)
    if names == ["paper"] or _are_sources(names or ()):
        return _recipe(None if names == ["paper"] else names, named(domains))
    return _file(source, named(domains))


def _are_sources(names: Iterable[str]) -> bool:
    from bias_tasks.binary_qa.data.paper import BINARY_SOURCES

    return all(name in BINARY_SOURCES for name in names)


def _recipe(sources: list[str] | None, domains: list[str] | None) -> list[QuestionRecord]:
    from bias_tasks.binary_qa.data.paper import paper_items

    items, _ = paper_items(domains, sources, lambda item: True)
    return [QuestionRecord(item) for item in binary_order(items, seed=0)]


def _file(path: str, domains: list[str] | None) -> list[QuestionRecord]:
    from bias_tasks.binary_qa.data.files import read_binary_file
    from bias_tasks.binary_qa.data.paper import BINARY_SOURCES

    if not os.path.lexists(as_path(path)):
        near = did_you_mean([path], ("paper", *BINARY_SOURCES))
        raise DataError(
            f"{path}{near} is neither a file, nor 'paper', nor the name of a data set of its recipe"
        )
    records, _ = read_binary_file(path)
    chosen = chosen_domains(domains, sorted({record.item.domain for record in records}), path)
    return [_noted(record) for record in records if record.item.domain in chosen]


def _noted(record: QuestionRecord) -> QuestionRecord:
    given = [kind for kind in REFORMULATIONS if record.maker(kind) == "given"]
    for kind in given:
        record = record.reworded(kind, record.item.wording(kind), {"by": "given"})
    return record
