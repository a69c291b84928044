"""`paper_items`: the paper's five domains, and the other sources that can be named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bias_tasks.binary_qa.data.converters import CONVERTERS
from bias_tasks.binary_qa.data.recipe import Accept, select
from bias_tasks.binary_qa.data.sources import BINARY_SOURCES, DOMAIN_SOURCES, BinarySource
from bias_tasks.binary_qa.items import PAPER_DOMAINS, BinaryItem
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import MissingError, fetch_missing, fetch_source
from bias_tasks.data.pinned import named

_SHOWN = 10
"""How many questions a message names."""


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
    fetched = _fetch_all(chosen)
    items: list[BinaryItem] = []
    provenance = []
    for source, (paths, origin) in zip(chosen, fetched, strict=True):
        mine, passed_over = select(source, CONVERTERS[source.name](paths), accept)
        items += mine
        provenance.append(
            {
                "source": source.name,
                "domain": source.domain,
                **origin,
                "n": len(mine),
                "passed_over": passed_over,
            }
        )
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


def _fetch_all(chosen: Sequence[BinarySource]) -> list[tuple[list[Path], dict[str, Any]]]:
    """Fetches each source; nothing takes the place of one that can't be had.

    Raises:
        DataError: some can't be had; the message says which domains are left.
    """
    try:
        fetch_missing(chosen)
    except MissingError as error:
        lost = {source.domain for source in chosen if source.name in error.names}
        left = [source.domain for source in chosen if source.domain not in lost]
        if not left:
            raise
        domains = ",".join(dict.fromkeys(left))
        raise DataError(f"{error}; or go on without them with domains={domains}") from None
    return [fetch_source(source) for source in chosen]
