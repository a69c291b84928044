"""The items of a run, and the data sets that they come from (appendix A.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bias_tasks.complex_eval.data.core import (
    load_core_items,
    load_simulated_items,
)
from bias_tasks.complex_eval.items import ORIGINAL, JudgedItem, JudgedKind
from bias_tasks.contract.parameters import ALL
from bias_tasks.data.core import core_origin
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.loading import (
    SYNTHETIC_ITEMS,
    Loaded,
    Origin,
    add_counts,
    interleave,
    load_file,
)
from bias_tasks.data.sources import Source, select_sources, source_table
from bias_tasks.messages import format_count
from bias_tasks.protocols import CORE, PAPER, SYNTHETIC, DesignSource
from bias_tasks.user_names import Names, parse_names


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSource(Source):
    """A data set whose responses are judged."""

    judged: JudgedKind
    domain: str
    source: DesignSource


JUDGED_SOURCES = source_table(__package__, JudgedSource)


def find_sources(family: JudgedKind) -> dict[str, JudgedSource]:
    """Return the data sets of a kind of items by name."""
    return {name: source for name, source in JUDGED_SOURCES.items() if source.judged == family}


def load_judged(
    family: JudgedKind,
    data: str,
    *,
    domains: Names = None,
    sources: Names = None,
    responses: str | None = None,
    seed: int = 0,
    n: int | None = None,
) -> Loaded[JudgedItem]:
    """Load the items of a run: domains take turns, and the data sets of each domain.

    Args:
        family: Kind of the items.
        data: `core`, `paper`, `synthetic` or a file, as the parameter of this name.
        domains: The domains; None for all.
        sources: The data sets of the paper; None for those that run by default.
        responses: A file of responses to requests without one.
        seed: Seed of the order.
        n: Maximum number of items; None for all.

    Returns:
        The items, and one record of provenance per source: `source`, `n` (used items), and either
        repository, revision, files with their hashes, `repeats` and `without_response` (excluded
        items), or path and sha256. A record `responses` names the file of responses.

    Raises:
        DataError: The items cannot be downloaded or read, or there are none.
        ValueError: An argument has a value that is not allowed.
    """
    if data != PAPER and (sources is not None or responses is not None):
        raise DataError(f"sources= and responses= need data='paper', not data={data!r}")
    response_origins: list[Origin] = []
    if data == PAPER:
        items, origins, response_origins = _load_paper(family, sources, domains, responses)
    elif data == CORE:
        items, origins = load_core_items(family), [core_origin()]
    elif data == SYNTHETIC:
        items, origins = load_simulated_items(family, n or SYNTHETIC_ITEMS), [core_origin(data)]
    else:
        from bias_tasks.complex_eval.data.files import read_judged_file

        items, origins = load_file(lambda path: read_judged_file(path, family), data)
    selected = _order_items(_select_domains(items, domains), seed)[:n]
    records = add_counts(origins, [item.source for item in selected])
    return Loaded(tuple(selected), (*records, *response_origins))


def load_unanswered(family: JudgedKind) -> list[JudgedItem]:
    """Load the paper's items without a response, which need a file of responses."""
    loaded = _load_sources(family, None, None)
    return [item for items, _ in loaded for item in items if not item.responses]


def _order_items(items: Sequence[JudgedItem], seed: int) -> list[JudgedItem]:
    """Return the items in seeded random order; domains take turns, and the data sets of each."""
    sources = sorted({item.source for item in items})
    domains: dict[str, list[JudgedItem]] = {}
    for item in sorted(items, key=lambda item: item.domain):
        domains.setdefault(item.domain, []).append(item)
    orders = (
        interleave(domain_items, seed, lambda item: item.source, sources)
        for domain_items in domains.values()
    )
    return [item for turn in zip_longest(*orders) for item in turn if item is not None]


def _load_sources(
    family: JudgedKind, sources: Names, domains: Names
) -> list[tuple[list[JudgedItem], Origin]]:
    by_name = find_sources(family)
    if sources is None:
        sources = [name for name, source in by_name.items() if source.unnamed]
    selected = select_sources(list(by_name) if sources == ALL else sources, by_name)
    if family == "basic" and domains is not None:
        # The domain of a pair is that of its file, so that other files need not be downloaded.
        folded = _fold_names(domains)
        selected = [source for source in selected if _fold(source.domain) in folded]
    fetch_missing(selected)
    return [_load_source(source) for source in selected]


def _load_source(source: JudgedSource) -> tuple[list[JudgedItem], Origin]:
    from bias_tasks.complex_eval.data.converters import find_converter

    paths, origin = fetch_source(source)
    items = list(find_converter(source.name)(paths))
    distinct = {item.id: item for item in items}
    repeats = len(items) - len(distinct)
    return list(distinct.values()), {"source": source.name, **origin, "repeats": repeats}


def _load_paper(
    family: JudgedKind, sources: Names, domains: Names, responses: str | None
) -> tuple[list[JudgedItem], list[Origin], list[Origin]]:
    """Return items with a response, the records of their sources, and that of the responses."""
    loaded = _load_sources(family, sources, domains)
    by_id = {item.id: item for source_items, _ in loaded for item in source_items}
    items, response_origins = list(by_id.values()), []
    if responses is not None:
        items, origin = _add_responses(items, responses, family)
        response_origins = [origin]
    missing = Counter(item.source for item in items if not item.responses)
    origins = []
    for _, origin in loaded:
        count = missing[origin["source"]]
        origins.append(origin | {"without_response": count} if count else origin)
    items = [item for item in items if item.responses]
    if not items and missing:
        raise DataError(
            f"none of the {missing.total()} items has a response: set responses= to a file of rows "
            f"{{id, response}} for the requests that `bias-tasks data requests {family}` prints"
        )
    return items, origins, response_origins


def _add_responses(
    items: Iterable[JudgedItem], path: str, family: JudgedKind
) -> tuple[list[JudgedItem], Origin]:
    """Return the items with the user's responses, which replace those of the data set."""
    from bias_tasks.complex_eval.data.files import check_response, read_responses

    rows, sha256 = read_responses(path)
    unused = {row.id: row for row in rows}
    answered = []
    for item in items:
        row = unused.pop(item.id, None)
        if row is not None:
            try:
                check_response(family, row.response)
            except ValueError as error:
                raise DataError(f"{path}: the response to {row.id}: {error}") from error
            reference = row.reference or item.reference
            item = replace(item, responses={ORIGINAL: row.response}, reference=reference)
        answered.append(item)
    if unused:
        example = next(iter(unused))
        raise DataError(
            f"{path}: {format_count(len(unused), 'id')} without an item, such as {example!r}; use "
            "ids of the data"
        )
    return answered, {"source": "responses", "path": path, "sha256": sha256, "n": len(rows)}


def _select_domains(items: Sequence[JudgedItem], domains: Names) -> list[JudgedItem]:
    if domains is None:
        return list(items)
    selected = _fold_names(domains)
    check_names("domain", selected, sorted({_fold(item.domain) for item in items}))
    return [item for item in items if _fold(item.domain) in selected]


def _fold_names(domains: Names) -> list[str]:
    return list(dict.fromkeys(map(_fold, parse_names(domains))))


def _fold(domain: str) -> str:
    return domain.strip().casefold().replace("_", " ")
