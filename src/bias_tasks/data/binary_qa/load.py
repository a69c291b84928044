"""`load_binary`: the yes/no questions of a run, whatever they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.data.binary_qa.order import binary_order
from bias_tasks.data.binary_qa.record import Record
from bias_tasks.data.binary_qa.rewording import (
    REFORMULATE,
    Reformulate,
    by_grammar,
    lacking,
    makers,
    needed,
    require,
)
from bias_tasks.data.errors import DataError
from bias_tasks.items.binary_qa import PAPER_DOMAINS, REFORMULATIONS, BinaryItem, Reformulation

SYNTHETIC_QUESTIONS = 200
"""How many synthetic questions of each domain there are unless `n` says otherwise."""


@dataclass(frozen=True, slots=True)
class LoadedBinary:
    """Questions in the order they are to be asked, and where they come from."""

    items: tuple[BinaryItem, ...]
    provenance: tuple[Mapping[str, Any], ...]
    """Plain JSON values. First one record a source: source, n (questions of it that are used),
    passed_over (those that could not be reworded), and repository, revision and files with their
    hashes, or path and sha256, or seed. Last one record over all: questions, domains (questions by
    domain), paper_domains (how many of the paper's five are among them), rewordings (how many of
    those asked were given, or made by the grammar, a model, or with the question), passed_over."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Everything that could be asked, and one record a source."""

    records: list[Record]
    origins: list[dict[str, Any]]


def load_binary(
    data: str = "paper",
    *,
    variants: Collection[str],
    domains: str | Sequence[str] | None = None,
    sources: str | Sequence[str] | None = None,
    reformulate: str | None = None,
    seed: int = 0,
    n: int | None = None,
) -> LoadedBinary:
    """The questions of a run.

    Args:
        data: `paper` for the paper's five domains, `synthetic` for generated questions, or the path
            of your own (JSONL, CSV or Parquet; see `bias_tasks.data.binary_qa.files`).
        variants: what is asked of each question; only rewordings among these are needed.
        domains: which domains, as a list or separated by commas; all without it.
        sources: with `data="paper"`, which data sets, as a list or separated by commas.
        reformulate: where the needed rewordings come from. `given` (unless `data="paper"`): they
            stand in the file. `grammar` (with `data="paper"`): the grammar makes those that don't.
            `skip`: and questions that it can't reword are passed over; with `data="paper"` the next
            ones take their place.
        seed: orders the questions, and generates the synthetic ones. It never changes which
            questions of the paper's data sets are used, unless `n` cuts them.
        n: at most so many questions, balanced over domains and labels as far as there are; for
            synthetic questions exactly so many.

    Raises:
        DataError: questions or needed rewordings can't be had, or a domain is unknown.
        ValueError: an argument is not among the allowed ones.
    """
    mode = _mode(data, reformulate)
    if n is not None and n < 1:
        raise ValueError(f"n must be at least 1, not {n}")
    if sources is not None and data != "paper":
        raise DataError(f"sources= picks among the paper's data sets; data={data!r} has none")
    kinds = needed(variants)
    if data == "paper":
        found = _paper(named(domains), named(sources), kinds, mode)
    elif data == "synthetic":
        found = _synthetic(named(domains), seed, n)
    else:
        found = _file(data, named(domains), kinds, mode)
    if not found.records:
        raise DataError(f"data={data!r} has no question that could be asked")
    used = _in_order(found.records, seed)[:n]
    if mode != "given":
        used = [by_grammar(record, kinds) for record in used]
    require(used, kinds, data, mode)
    return LoadedBinary(tuple(record.item for record in used), _provenance(found, used, kinds))


def named(names: str | Sequence[str] | None) -> list[str] | None:
    """The names, each once; a string separates them by commas."""
    if names is None:
        return None
    split = names.split(",") if isinstance(names, str) else names
    return list(dict.fromkeys(name.strip() for name in split if name.strip()))


def chosen_domains(domains: Sequence[str] | None, known: Sequence[str], data: str) -> list[str]:
    """The domains asked for, all of the known ones without a choice.

    Raises:
        DataError: one is unknown, or there is none; names those there are.
    """
    if domains is None:
        return list(known)
    unknown = [domain for domain in domains if domain not in known]
    if unknown or not domains:
        found = ", ".join(map(repr, unknown)) or "none"
        raise DataError(f"unknown domain {found}; the domains of {data} are {', '.join(known)}")
    return list(domains)


def _mode(data: str, reformulate: str | None) -> Reformulate:
    if reformulate is None:
        return "grammar" if data == "paper" else "given"
    if reformulate not in REFORMULATE:
        raise ValueError(f"reformulate must be {' or '.join(REFORMULATE)}, not {reformulate!r}")
    return reformulate


def _paper(
    domains: list[str] | None,
    sources: list[str] | None,
    kinds: Sequence[Reformulation],
    mode: Reformulate,
) -> _Found:
    from bias_tasks.data.binary_qa.candidates import PendingNumberQuestion
    from bias_tasks.data.binary_qa.paper import paper_items
    from bias_tasks.data.binary_qa.sources import DOMAIN_SOURCES

    def accept(item: BinaryItem) -> bool:
        if mode != "skip":
            return True
        pending = isinstance(item, PendingNumberQuestion)
        return not pending and not lacking(by_grammar(Record(item), kinds), kinds)

    if domains is not None:
        domains = chosen_domains(domains, tuple(DOMAIN_SOURCES), "the paper and beside it")
    items, origins = paper_items(domains, sources, accept)
    return _Found([Record(item) for item in items], origins)


def _synthetic(domains: list[str] | None, seed: int, n: int | None) -> _Found:
    from bias_tasks.data.binary_qa.synthetic import SYNTHETIC_DOMAINS, generate_binary

    chosen = chosen_domains(domains, SYNTHETIC_DOMAINS, "synthetic questions")
    items = generate_binary(n or SYNTHETIC_QUESTIONS * len(chosen), seed, chosen)
    origin = {"source": "synthetic", "seed": seed, "passed_over": 0}
    return _Found([_constructed(item) for item in items], [origin])


def _constructed(item: BinaryItem) -> Record:
    rewordings = {kind: getattr(item.reformulations, kind) for kind in REFORMULATIONS}
    return Record(
        item, {kind: {"by": "construction", "output": text} for kind, text in rewordings.items()}
    )


def _file(
    path: str, domains: list[str] | None, kinds: Sequence[Reformulation], mode: Reformulate
) -> _Found:
    from bias_tasks.data.binary_qa.files import read_binary_file

    records, sha256 = read_binary_file(path)
    known = sorted({record.item.domain for record in records})
    chosen = chosen_domains(domains, known, path)
    records = [record for record in records if record.item.domain in chosen]
    kept = records
    if mode == "skip":
        kept = [record for record in records if not lacking(by_grammar(record, kinds), kinds)]
    passed_over = len(records) - len(kept)
    origin = {"source": "file", "path": path, "sha256": sha256, "passed_over": passed_over}
    return _Found(kept, [origin])


def _in_order(records: Sequence[Record], seed: int) -> list[Record]:
    by_id = {record.item.id: record for record in records}
    return [by_id[item.id] for item in binary_order([r.item for r in records], seed)]


def _provenance(
    found: _Found, used: Sequence[Record], kinds: Sequence[Reformulation]
) -> tuple[Mapping[str, Any], ...]:
    by_source = Counter(record.item.source for record in used)
    origins = [
        # a file's rows may name sources of their own
        {**origin, "n": len(used) if len(found.origins) == 1 else by_source[origin["source"]]}
        for origin in found.origins
    ]
    domains = Counter(record.item.domain for record in used)
    overall = {
        "questions": len(used),
        "domains": dict(sorted(domains.items())),
        "paper_domains": len(set(domains) & set(PAPER_DOMAINS)),
        "rewordings": makers(used, kinds),
        "passed_over": sum(origin["passed_over"] for origin in found.origins),
    }
    return (*origins, overall)
