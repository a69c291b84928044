"""The items of a run, and the data sets that they come from (appendix A.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bias_tasks.complex_eval.data.converters import convert_records
from bias_tasks.complex_eval.data.core import load_core_items, load_simulated_items
from bias_tasks.complex_eval.data.files import check_response, read_judged_file, read_responses
from bias_tasks.complex_eval.items import ORIGINAL, JudgedItem, JudgedKind
from bias_tasks.contract.parameters import ALL
from bias_tasks.data import loading
from bias_tasks.data.core import core_origin
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import load_sources
from bias_tasks.data.loading import Loaded
from bias_tasks.data.sources import Origin, Source, select_sources, source_table
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
        items, origins = _load_sources(family, sources, domains)
        if responses is not None:
            items, response_origin = _add_responses(items, responses, family)
            response_origins.append(response_origin)
        items = _exclude_unanswered(items, origins, family)
    elif data == CORE:
        items, origins = load_core_items(family), [core_origin()]
    elif data == SYNTHETIC:
        items, origins = load_simulated_items(family, n), [core_origin(data)]
    else:
        items, origins = loading.load_file(lambda path: read_judged_file(path, family), data)
    selected = _order_items(_select_domains(items, domains), seed)[:n]
    records = loading.add_counts(origins, [item.source for item in selected])
    return Loaded(tuple(selected), (*records, *response_origins))


def load_unanswered(family: JudgedKind) -> list[JudgedItem]:
    """Load the paper's items without a response, which need a file of responses."""
    items, _ = _load_sources(family, None, None)
    return [item for item in items if not item.responses]


def _order_items(items: Sequence[JudgedItem], seed: int) -> list[JudgedItem]:
    """Return the items in seeded random order; domains take turns, and the data sets of each."""
    domains: dict[str, list[JudgedItem]] = {}
    for item in sorted(items, key=lambda item: item.domain):
        domains.setdefault(item.domain, []).append(item)
    sources = sorted({item.source for item in items})
    return loading.take_turns(
        loading.interleave(same_domain, seed, lambda item: item.source, sources)
        for same_domain in domains.values()
    )


def _load_sources(
    family: JudgedKind, sources: Names, domains: Names
) -> tuple[list[JudgedItem], list[Origin]]:
    """Load the items of the paper's data sets, each once, and the records of their sources."""
    by_name = find_sources(family)
    if sources is None:
        sources = [name for name, source in by_name.items() if source.unnamed]
    selected = select_sources(list(by_name) if sources == ALL else sources, by_name)
    if family == "basic" and domains is not None:
        # The domain of a pair is that of its file, so that other files need not be downloaded.
        folded = _fold_names(domains)
        selected = [source for source in selected if _fold(source.domain) in folded]
    by_id: dict[str, JudgedItem] = {}
    origins = []
    loaded = load_sources(selected, lambda source, paths: convert_records(source.name, paths))
    for _, items, origin in loaded:
        distinct = {item.id: item for item in items}
        by_id |= distinct
        origins.append({**origin, "repeats": len(items) - len(distinct)})
    return list(by_id.values()), origins


def _exclude_unanswered(
    items: Iterable[JudgedItem], origins: Iterable[Origin], family: JudgedKind
) -> list[JudgedItem]:
    """Return the items with a response, and add the number of others to their source's record."""
    answered: list[JudgedItem] = []
    missing: Counter[str] = Counter()
    for item in items:
        if item.responses:
            answered.append(item)
        else:
            missing[item.source] += 1
    if missing and not answered:
        raise DataError(
            f"none of the {missing.total()} items has a response: set responses= to a file of rows "
            f"{{id, response}} for the requests that `bias-tasks data requests {family}` prints"
        )
    for origin in origins:
        if missing[origin["source"]]:
            origin["without_response"] = missing[origin["source"]]
    return answered


def _add_responses(
    items: Iterable[JudgedItem], path: str, family: JudgedKind
) -> tuple[list[JudgedItem], Origin]:
    """Return the items with the user's responses, which replace those of the data set."""
    rows, sha256 = read_responses(path)
    by_id = {item.id: item for item in items}
    unused = [row.id for row in rows if row.id not in by_id]
    if unused:
        raise DataError(
            f"{path}: {format_count(len(unused), 'id')} without an item, such as {unused[0]!r}; "
            "use ids of the data"
        )
    for row in rows:
        try:
            check_response(family, row.response)
        except ValueError as error:
            raise DataError(f"{path}: the response to {row.id}: {error}") from error
        reference = row.reference or by_id[row.id].reference
        answer = {ORIGINAL: row.response}
        by_id[row.id] = replace(by_id[row.id], responses=answer, reference=reference)
    return list(by_id.values()), {
        "source": "responses",
        "path": path,
        "sha256": sha256,
        "n": len(rows),
    }


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
