"""Fills the recipe's quotas from candidates: in hash order, the same for every seed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from bias_tasks.binary_qa.data.candidates import Candidate
from bias_tasks.binary_qa.data.sources import MOST_PER_ANSWER, BinarySource
from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryItem
from bias_tasks.data.errors import DataError

Accept = Callable[[BinaryItem], bool]


def select(
    source: BinarySource, candidates: Iterable[Candidate], accept: Accept
) -> tuple[list[BinaryItem], int]:
    """The questions of a source that are asked, and how many were passed over on the way.

    Each cell (answer and stratum) is filled in order of the ids, which are hashes; a question
    that `accept` refuses gives way to the next of its cell.

    Raises:
        DataError: a quota can't be filled.
    """
    cells = _cells(candidates)
    if source.quotas is None:
        return _balanced(source, cells, accept)
    chosen: list[BinaryItem] = []
    refused = 0
    for stratum, wanted in source.quotas.items():
        for label in BINARY_LABELS:
            there = cells[label, stratum]
            taken, passed = _take(there, wanted, accept)
            if len(taken) < wanted:
                raise DataError(
                    f"{source.name}: {wanted} {f'{stratum} ' if stratum else ''}questions with "
                    f"the answer {label} are wanted; {len(there)} are there, of which "
                    f"{len(taken)} can be asked"
                )
            chosen += taken
            refused += passed
    return chosen, refused


def _balanced(
    source: BinarySource, cells: Mapping[tuple[str, str], list[BinaryItem]], accept: Accept
) -> tuple[list[BinaryItem], int]:
    taken = [_take(cells[label, ""], MOST_PER_ANSWER, accept) for label in BINARY_LABELS]
    each = min(len(items) for items, _ in taken)
    if each == 0:
        raise DataError(f"{source.name}: no question with each of the two answers can be asked")
    return [item for items, _ in taken for item in items[:each]], sum(n for _, n in taken)


def _take(items: Iterable[BinaryItem], n: int, accept: Accept) -> tuple[list[BinaryItem], int]:
    """The first `n` accepted items, and how many were refused before the last of them."""
    refused = 0

    def accepted(item: BinaryItem) -> bool:
        nonlocal refused
        good = accept(item)
        refused += not good
        return good

    return list(islice(filter(accepted, items), n)), refused


def _cells(candidates: Iterable[Candidate]) -> dict[tuple[str, str], list[BinaryItem]]:
    """The items of each answer and stratum, in order of the ids, repeated ones once.

    A question that occurs with different answers has no right one, and is left out.
    """
    by_question: dict[object, dict[str, Candidate]] = defaultdict(dict)
    for candidate in candidates:
        by_question[candidate.asks].setdefault(candidate.item.id, candidate)
    cells: dict[tuple[str, str], list[BinaryItem]] = defaultdict(list)
    agreed = [next(iter(same.values())) for same in by_question.values() if len(same) == 1]
    for candidate in sorted(agreed, key=lambda candidate: candidate.item.id):
        cells[candidate.item.answer, candidate.stratum].append(candidate.item)
    return cells
