"""`load_judged`: the items of a run, and the data sets that they are from (appendix A.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bias_tasks.complex_eval.data.core import CORE, SYNTHETIC, core_items, simulated_items
from bias_tasks.complex_eval.items import ORIGINAL, JudgedItem, JudgedKind
from bias_tasks.contract.parameters import ALL
from bias_tasks.data.core import core_origin
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.loading import (
    SYNTHETIC_ITEMS,
    Loaded,
    Origin,
    counted,
    from_file,
    in_turns,
)
from bias_tasks.data.sources import Source, named, source_table
from bias_tasks.names import Names, names_in

PAPER = "paper"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSource(Source):
    """A data set whose responses are judged."""

    judged: JudgedKind
    domain: str


JUDGED_SOURCES = source_table(__package__, JudgedSource)


def family_sources(family: JudgedKind) -> dict[str, JudgedSource]:
    """The family's data sets, by name."""
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
    """The items of a run, by the values of the parameters of these names (`tasks.yaml`); domains
    take turns, and in each its data sets. A DataError where they can't be fetched or read, or there
    are none; a ValueError where an argument is not among the allowed ones.

    Provenance is one record a source: source, n (items of it that are used), and repository,
    revision, files with their hashes, repeats and without_response (items that were left out), or
    path and sha256. A record `responses` names the file they are from.
    """
    if data != PAPER and (sources is not None or responses is not None):
        raise DataError(f"sources= and responses= belong to data='paper', not to data={data!r}")
    given: list[Origin] = []
    if data == PAPER:
        items, origins, given = _paper(family, sources, domains, responses)
    elif data == CORE:
        items, origins = core_items(family), [core_origin()]
    elif data == SYNTHETIC:
        items, origins = simulated_items(family, n or SYNTHETIC_ITEMS), [core_origin(data)]
    else:
        from bias_tasks.complex_eval.data.files import read_judged_file

        items, origins = from_file(lambda path: read_judged_file(path, family), data)
    used = _in_turns(_of_domains(items, domains), seed)[:n]
    return Loaded(tuple(used), (*counted(origins, [item.source for item in used]), *given))


def open_requests(family: JudgedKind) -> list[JudgedItem]:
    """The paper's items that have no response yet, and so wait for a file of responses."""
    loaded = _sources(family, None, None)
    return [item for items, _ in loaded for item in items if not item.responses]


def _in_turns(items: Sequence[JudgedItem], seed: int) -> list[JudgedItem]:
    """The items in seeded random order; domains take turns, and in each its data sets."""
    sources = sorted({item.source for item in items})
    domains: dict[str, list[JudgedItem]] = {}
    for item in sorted(items, key=lambda item: item.domain):
        domains.setdefault(item.domain, []).append(item)
    orders = (in_turns(each, seed, lambda item: item.source, sources) for each in domains.values())
    return [item for turn in zip_longest(*orders) for item in turn if item is not None]


def _sources(
    family: JudgedKind, sources: Names, domains: Names
) -> list[tuple[list[JudgedItem], Origin]]:
    known = family_sources(family)
    if sources is None:
        sources = [name for name, source in known.items() if source.unnamed]
    wanted = named(list(known) if sources == ALL else sources, known)
    if family == "basic" and domains is not None:
        # A pair's domain is its file's, so that others need not be fetched.
        wanted = [source for source in wanted if _folded(source.domain) in _names(domains)]
    fetch_missing(wanted)
    return [_source(source) for source in wanted]


def _source(source: JudgedSource) -> tuple[list[JudgedItem], Origin]:
    from bias_tasks.complex_eval.data.converters import converter

    paths, origin = fetch_source(source)
    converted = list(converter(source.name)(paths))
    distinct = {item.id: item for item in converted}
    repeats = len(converted) - len(distinct)
    return list(distinct.values()), {"source": source.name, **origin, "repeats": repeats}


def _paper(
    family: JudgedKind, sources: Names, domains: Names, responses: str | None
) -> tuple[list[JudgedItem], list[Origin], list[Origin]]:
    """The items that have a response, the records of their sources, and that of the responses."""
    loaded = _sources(family, sources, domains)
    items = list({item.id: item for found, _ in loaded for item in found}.values())
    given = []
    if responses is not None:
        items, origin = _with_responses(items, responses, family)
        given = [origin]
    missing = Counter(item.source for item in items if not item.responses)
    origins = [
        origin | ({"without_response": lacking} if (lacking := missing[origin["source"]]) else {})
        for _, origin in loaded
    ]
    items = [item for item in items if item.responses]
    if not items and missing:
        raise DataError(
            f"none of the {missing.total()} items has a response; give responses=, a file of rows "
            f"{{id, response}} to what `bias-tasks data requests {family}` prints"
        )
    return items, origins, given


def _with_responses(
    items: Iterable[JudgedItem], path: str, family: JudgedKind
) -> tuple[list[JudgedItem], Origin]:
    """The items with the user's responses, which stand before the source's own."""
    from bias_tasks.complex_eval.data.files import check_response, read_responses

    rows, sha256 = read_responses(path)
    given = {row.id: row for row in rows}
    answered = []
    for item in items:
        row = given.pop(item.id, None)
        if row is not None:
            try:
                check_response(family, row.response)
            except ValueError as error:
                raise DataError(f"{path}: the response to {row.id}: {error}") from error
            reference = row.reference or item.reference
            item = replace(item, responses={ORIGINAL: row.response}, reference=reference)
        answered.append(item)
    if given:
        raise DataError(f"{path}: {len(given)} ids are no item's, such as {next(iter(given))!r}")
    return answered, {"source": "responses", "path": path, "sha256": sha256, "n": len(rows)}


def _of_domains(items: Sequence[JudgedItem], domains: Names) -> list[JudgedItem]:
    if domains is None:
        return list(items)
    wanted = _names(domains)
    check_names("domain", wanted, sorted({_folded(item.domain) for item in items}))
    return [item for item in items if _folded(item.domain) in wanted]


def _names(domains: Names) -> list[str]:
    return list(dict.fromkeys(map(_folded, names_in(domains))))


def _folded(domain: str) -> str:
    return domain.strip().casefold().replace("_", " ")
