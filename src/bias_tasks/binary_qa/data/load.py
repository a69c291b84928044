"""`load_binary`: the yes/no questions of a run, whatever they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from bias_tasks.binary_qa.data.files import QuestionRecord
from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    PAPER_DOMAINS,
    REFORMULATIONS,
    BinaryItem,
    Reformulation,
)
from bias_tasks.binary_qa.reformulation import grammar
from bias_tasks.data.errors import DataError, check_names, listed
from bias_tasks.data.loading import (
    SYNTHETIC_ITEMS,
    Found,
    Loaded,
    Names,
    check_sources,
    counted,
    from_file,
    in_turns,
)
from bias_tasks.data.sources import names_of
from bias_tasks.names import quoted

Reformulate = Literal["given", "grammar", "skip"]
_SHOWN = 10
"""How many questions a message names."""


def load_binary(
    data: str = "paper",
    *,
    variants: Collection[str],
    domains: Names = None,
    sources: Names = None,
    reformulate: Reformulate | None = None,
    seed: int = 0,
    n: int | None = None,
) -> Loaded[BinaryItem]:
    """The questions of a run.

    Provenance is first one record a source: source, n (questions of it that are used), passed_over
    (those that could not be reworded), and repository, revision and files with their hashes, or
    path and sha256, or seed. Last one record over all: questions, domains (questions by domain),
    paper_domains (how many of the paper's five are among them), rewordings (how many of those
    asked were given, or made by the grammar, a model, or with the question), passed_over.

    Args:
        data: `paper` for the paper's five domains, `synthetic` for generated questions, or the path
            of your own (JSONL, CSV or Parquet; see `bias_tasks.binary_qa.data.files`).
        variants: what is asked of each question; only rewordings among these are needed.
        domains: which domains, as a list or separated by commas; all without it.
        sources: with `data="paper"`, which data sets, as a list or separated by commas.
        reformulate: where the needed rewordings come from. `given` (unless `data="paper"`): those
            that stand in the file. `grammar` (with `data="paper"`): the grammar makes those that
            don't, where it can; a question is asked in the variants that it has. `skip`: and
            questions that lack one are passed over; with `data="paper"` the next ones take their
            place.
        seed, n: as in every loader (`bias_tasks.data.loading`); domains and labels take turns.

    Raises:
        DataError: questions can't be had, none of them has any needed rewording, or a domain is
            unknown.
    """
    mode: Reformulate = reformulate or ("grammar" if data == "paper" else "given")
    check_sources(data, sources)
    kinds = needed(variants)
    if data == "paper":
        records, origins = _paper(named(domains), named(sources), kinds, mode)
    elif data == "synthetic":
        records, origins = _synthetic(named(domains), seed, n)
    else:
        records, origins = _file(data, named(domains), kinds, mode)
    if not records:
        raise DataError(f"data={data!r} has no question that could be asked")
    by_id = {record.item.id: record for record in records}
    used = [by_id[item.id] for item in binary_order([r.item for r in records], seed)[:n]]
    if mode != "given":
        used = [by_grammar(record, kinds) for record in used]
    _require_some(used, kinds, data, mode)
    items = tuple(record.item for record in used)
    counts = Counter(item.domain for item in items)
    overall = {
        "questions": len(items),
        "domains": dict(sorted(counts.items())),
        "paper_domains": len({*counts} & {*PAPER_DOMAINS}),
        "rewordings": makers(used, kinds),
        "passed_over": sum(origin["passed_over"] for origin in origins),
    }
    return Loaded(items, (*counted(origins, [item.source for item in items]), overall))


def named(names: Names) -> list[str] | None:
    """The names, each once; a string separates them by commas. None where nobody chose."""
    return None if names is None else names_of(names)


def chosen_domains(domains: Sequence[str] | None, known: Sequence[str], data: str) -> list[str]:
    """The domains asked for, all of the known ones without a choice.

    Raises:
        DataError: one is unknown, or there is none; names those there are.
    """
    if domains is None:
        return list(known)
    check_names("domain", domains, known, of=f" of {data}")
    return list(domains)


def binary_order(items: Iterable[BinaryItem], seed: int) -> list[BinaryItem]:
    """The questions in seeded random order, so that a run that stops early is balanced.

    The first k, for any k, hold equally many of every domain, of Yes and No, and of both in each
    domain (give or take one), except for those of which there are no more.
    """
    items = list(items)
    domains = sorted({item.domain for item in items})
    # A round asks each domain twice. Labels alternate from domain to domain, and in the second
    # half of the round each domain has the label that it did not have in the first.
    turns = [
        (domain, BINARY_LABELS[(position + half) % 2])
        for half in range(2)
        for position, domain in enumerate(domains)
    ]
    return in_turns(items, seed, lambda item: (item.domain, item.answer), turns)


def record_to_dict(record: QuestionRecord) -> dict[str, Any]:
    """The record as a row of a JSONL file, without what is not there."""
    row = asdict(record.item)
    further: dict[str, Any] = row.pop("further")
    row["reformulations"] = _there(row["reformulations"])
    return _there(row) | further | {"provenance": dict(record.provenance)}


def _there(cells: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in cells.items() if value is not None}


def needed(variants: Collection[str]) -> tuple[Reformulation, ...]:
    """The rewordings among the variants."""
    return tuple(kind for kind in REFORMULATIONS if kind in variants)


def lacking(record: QuestionRecord, kinds: Iterable[Reformulation]) -> list[Reformulation]:
    """Those of the rewordings that the record does not have."""
    return [kind for kind in kinds if kind in record.item.reformulations.missing()]


def by_grammar(record: QuestionRecord, kinds: Iterable[Reformulation]) -> QuestionRecord:
    """The record with the lacking rewordings that the grammar can make."""
    for kind in lacking(record, kinds):
        text = grammar.reformulate(record.item.question, kind)
        if text is not None:
            record = record.reworded(kind, text, {"by": "grammar"})
    return record


def makers(records: Iterable[QuestionRecord], kinds: Sequence[Reformulation]) -> dict[str, int]:
    """How many of the rewordings each maker made."""
    return dict(Counter(record.maker(kind) or "missing" for record in records for kind in kinds))


def _paper(
    domains: list[str] | None,
    sources: list[str] | None,
    kinds: Sequence[Reformulation],
    mode: Reformulate,
) -> Found[QuestionRecord]:
    from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
    from bias_tasks.binary_qa.data.paper import DOMAIN_SOURCES, paper_items

    def accept(item: BinaryItem) -> bool:
        if isinstance(item, PendingNumberQuestion):
            return False  # it takes a model to turn it yes/no
        return mode != "skip" or not lacking(by_grammar(QuestionRecord(item), kinds), kinds)

    if domains is not None:
        domains = chosen_domains(domains, tuple(DOMAIN_SOURCES), "the paper and beside it")
    items, origins = paper_items(domains, sources, accept)
    return [QuestionRecord(item) for item in items], origins


def _synthetic(domains: list[str] | None, seed: int, n: int | None) -> Found[QuestionRecord]:
    from bias_tasks.binary_qa.data.synthetic import SYNTHETIC_DOMAINS, generate_binary

    chosen = chosen_domains(domains, SYNTHETIC_DOMAINS, "synthetic questions")
    items = generate_binary(n or SYNTHETIC_ITEMS * len(chosen), seed, chosen)
    records = [
        QuestionRecord(
            item,
            {kind: {"by": "construction", "output": item.wording(kind)} for kind in REFORMULATIONS},
        )
        for item in items
    ]
    return records, [{"source": "synthetic", "seed": seed, "passed_over": 0}]


def _file(
    path: str, domains: list[str] | None, kinds: Sequence[Reformulation], mode: Reformulate
) -> Found[QuestionRecord]:
    from bias_tasks.binary_qa.data.files import read_binary_file

    records, origins = from_file(read_binary_file, path)
    known = sorted({record.item.domain for record in records})
    chosen = chosen_domains(domains, known, path)
    records = [record for record in records if record.item.domain in chosen]
    kept = records
    if mode == "skip":
        kept = [record for record in records if not lacking(by_grammar(record, kinds), kinds)]
    return kept, [{**origin, "passed_over": len(records) - len(kept)} for origin in origins]


def _require_some(
    records: Sequence[QuestionRecord], kinds: Sequence[Reformulation], data: str, mode: Reformulate
) -> None:
    """Check that there is a rewording to compare with, where any is needed.

    Raises:
        DataError: no question has any of them; names questions, and says how to go on.
    """
    if not kinds or any(len(lacking(record, kinds)) < len(kinds) for record in records):
        return
    short = [
        f"{each.item.id} lacks {', '.join(kinds)}: {quoted(each.item.question)}" for each in records
    ]
    head = f"none of {len(records)} questions has a rewording"
    way = (
        f"run `bias-tasks reformulate {data} --out OUT.jsonl --model MODEL` and use data=OUT.jsonl"
    )
    if mode == "given":
        way = f"give reformulate=grammar, which rewords the usual shapes of a question, or {way}"
    else:
        head += " that the grammar could make"
    raise DataError(f"{listed(head, short, _SHOWN)}\n{way}")
