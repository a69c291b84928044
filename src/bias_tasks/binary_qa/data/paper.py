"""`paper_items`: the paper's five domains, and the other sources that can be named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from bias_tasks.binary_qa.data.converters import CONVERTERS, Candidate
from bias_tasks.binary_qa.items import BINARY_LABELS, PAPER_DOMAINS, BinaryItem
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import MissingError, fetch_missing, fetch_source
from bias_tasks.data.sources import LazyTable, Source, named, source_table

Accept = Callable[[BinaryItem], bool]
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


def _by_domain() -> dict[str, tuple[str, ...]]:
    """The paper's domains, then those of the other sources in their order."""
    sources = BINARY_SOURCES.values()
    return {
        domain: tuple(
            each.name
            for each in sources
            if each.domain == domain and (each.quotas is not None or domain not in PAPER_DOMAINS)
        )
        for domain in (*PAPER_DOMAINS, *(each.domain for each in sources))
    }


DOMAIN_SOURCES = LazyTable(_by_domain)
"""What a domain is asked from unless sources are named: the paper's, from its recipe alone."""


def paper_items(
    domains: Sequence[str] | None,
    sources: Sequence[str] | str | None,
    accept: Accept,
) -> tuple[list[BinaryItem], list[dict[str, Any]]]:
    """The questions of the paper's recipe (section 2.1), the same for every seed.

    Args:
        domains: names of domains; None for the paper's five, or all of `sources`.
        sources: names of data sets instead of the recipe's; only those of `domains`, if given.
        accept: whether an item can be asked: all rewordings that a run needs can be had. A
            refused item gives way to the next in hash order with the same answer and stratum. A
            `PendingNumberQuestion` is shown to it too, with its 'How many' question, which a model
            has to turn yes/no before it is asked.

    Returns:
        The items, source by source, and one record a source of plain JSON values: source,
        domain, repository, revision, files with their hashes, n, passed_over (refused items).

    Raises:
        DataError: a name is unknown, a source can't be reached or read,
            or a quota cannot be filled.
    """
    chosen = _chosen(domains, sources)
    items: list[BinaryItem] = []
    provenance = []
    for source, (paths, origin) in zip(chosen, _fetched(chosen), strict=True):
        mine, passed_over = select(source, CONVERTERS[source.name](paths), accept)
        items += mine
        counts = {"n": len(mine), "passed_over": passed_over}
        provenance.append({"source": source.name, "domain": source.domain, **origin, **counts})
    return items, provenance


def _chosen(
    domains: Sequence[str] | None, sources: Sequence[str] | str | None
) -> list[BinarySource]:
    if domains:
        check_names("domain", domains, DOMAIN_SOURCES)
    if sources is None:
        names = [name for domain in domains or PAPER_DOMAINS for name in DOMAIN_SOURCES[domain]]
        return named(names, BINARY_SOURCES)
    chosen = named(sources, BINARY_SOURCES)
    mine = [source for source in chosen if not domains or source.domain in domains]
    if not mine:
        told = ", ".join(f"{source.name} ({source.domain})" for source in chosen)
        raise DataError(f"no source is of the domain {', '.join(domains or ())}: {told}")
    return mine


def _fetched(chosen: Sequence[BinarySource]) -> list[tuple[list[Path], dict[str, Any]]]:
    """Fetches each source; nothing takes the place of one that can't be had.

    Raises:
        DataError: some can't be had; the message says which domains are left.
    """
    try:
        fetch_missing(chosen)
    except MissingError as error:
        lost = {source.domain for source in chosen if source.name in error.names}
        left = dict.fromkeys(each.domain for each in chosen if each.domain not in lost)
        if not left:
            raise
        told = f"{error}; or go on without them with domains={','.join(left)}"
        raise DataError(told) from None
    return [fetch_source(source) for source in chosen]


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
