"""`paper_items`: the paper's five domains, and the other sources that can be named."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from bias_tasks.binary_qa.data.converters import CONVERTERS, Candidate
from bias_tasks.binary_qa.items import BINARY_LABELS, PAPER_DOMAINS, BinaryItem
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.sources import Source, named, source_table

MOST_PER_ANSWER = 100
"""The paper's number of questions for each answer of a domain (section 2.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BinarySource(Source):
    """A data set whose records become yes/no questions."""

    domain: str
    quotas: Mapping[str, int] | None = None
    """Questions of *each* answer, by stratum (level, style, or "" for the only one), of sources of
    the paper's recipe. None: as many as there are, at most `MOST_PER_ANSWER`.
    """
    for_numbers: bool = False
    """Whether its questions ask for numbers, so that a model has to turn them yes/no."""


BINARY_SOURCES = source_table(__package__, BinarySource)


def paper_items(chosen: Sequence[BinarySource]) -> tuple[list[BinaryItem], list[dict[str, Any]]]:
    """The questions of the paper's recipe (section 2.1), source by source, the same for every seed;
    those of a source `for_numbers` are each a `PendingNumberQuestion`.

    And one record a source of plain JSON values: source, domain, repository, revision, files with
    their hashes, n. A DataError where a source can't be reached or read, or a quota cannot be
    filled."""
    fetch_missing(chosen, instead="frozen questions with data=core")
    items: list[BinaryItem] = []
    provenance = []
    for source in chosen:
        paths, origin = fetch_source(source)
        mine = select(source, CONVERTERS[source.name](paths))
        items += mine
        record = {"source": source.name, "domain": source.domain, **origin, "n": len(mine)}
        provenance.append(record)
    return items, provenance


def chosen_sources(
    domains: Sequence[str] | None, sources: Sequence[str] | None
) -> list[BinarySource]:
    """The data sets of these names, or the recipe's of these domains, by default of all five. A
    DataError where a name is unknown, or no named source is of these domains."""
    known = dict.fromkeys((*PAPER_DOMAINS, *(each.domain for each in BINARY_SOURCES.values())))
    if domains is not None:
        check_names("domain", domains, known, of=" of the paper and beside it")
    if sources is None:
        return [source for domain in domains or PAPER_DOMAINS for source in of_domain(domain)]
    chosen = named(sources, BINARY_SOURCES)
    mine = [source for source in chosen if not domains or source.domain in domains]
    if not mine:
        told = ", ".join(f"{source.name} ({source.domain})" for source in chosen)
        raise DataError(f"no source is of the domain {', '.join(domains or ())}: {told}")
    return mine


def of_domain(domain: str) -> list[BinarySource]:
    """What a domain is asked from unless sources are named: the paper's, from its recipe alone."""
    mine = [source for source in BINARY_SOURCES.values() if source.domain == domain]
    return [each for each in mine if each.quotas is not None or domain not in PAPER_DOMAINS]


def select(source: BinarySource, candidates: Iterable[Candidate]) -> list[BinaryItem]:
    """The questions of a source that are asked: the first of each cell (answer and stratum) in
    order of the ids, which are hashes.

    One that occurs with different answers has no right one, and is left out. A DataError where a
    quota can't be filled."""
    by_question: dict[object, dict[str, Candidate]] = defaultdict(dict)
    for each in candidates:
        by_question[each.item.context, each.item.question].setdefault(each.item.id, each)
    agreed = [next(iter(same.values())) for same in by_question.values() if len(same) == 1]
    cells: dict[tuple[str, str], list[BinaryItem]] = defaultdict(list)
    for each in sorted(agreed, key=lambda each: each.item.id):
        cells[each.item.answer, each.stratum].append(each.item)
    quotas = source.quotas
    if quotas is None:
        there = min(len(cells[label, ""]) for label in BINARY_LABELS)
        quotas = {"": min(max(there, 1), MOST_PER_ANSWER)}
    chosen: list[BinaryItem] = []
    for (stratum, wanted), label in product(quotas.items(), BINARY_LABELS):
        found = cells[label, stratum]
        if len(found) < wanted:
            raise DataError(
                f"{source.name}: {wanted} {f'{stratum} ' if stratum else ''}questions with "
                f"the answer {label} are wanted; {len(found)} are there"
            )
        chosen += found[:wanted]
    return chosen
