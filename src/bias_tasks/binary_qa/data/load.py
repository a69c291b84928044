"""`load_binary`: the yes/no questions of a run, whatever they come from."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

from bias_tasks.binary_qa.data.files import QuestionRecord, read_binary_file
from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    PAPER_DOMAINS,
    REFORMULATIONS,
    BinaryItem,
    Reformulation,
)
from bias_tasks.data.core import core_origin, core_rows, repeated
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.loading import (
    SYNTHETIC_ITEMS,
    Found,
    Loaded,
    Origin,
    check_sources,
    counted,
    from_file,
    in_turns,
)
from bias_tasks.names import Names, names_in

CORE, PAPER, SYNTHETIC = "core", "paper", "synthetic"
Reformulate = Literal["given", "skip", "live"]
_FOR_NUMBERS = (
    "the questions of {0} ask for numbers, and a model has to turn them yes/no: "
    "`bias-tasks reformulate {0} --model MODEL --out OUT.jsonl`"
)


def load_binary(
    data: str = CORE,
    *,
    variants: Collection[str],
    domains: Names = None,
    sources: Names = None,
    reformulate: Reformulate = "given",
    seed: int = 0,
    n: int | None = None,
) -> Loaded[BinaryItem]:
    """The questions of a run, by the values of the parameters of these names (`tasks.yaml`);
    domains and labels take turns. Of rewordings only those among the `variants`, which are asked of
    each question, are needed. A DataError where questions can't be had, a domain is unknown, or the
    variants compare nothing but rewordings and no question has one.

    Provenance is first one record a source: source, n (questions of it that are used), and name and
    digest of the core, or repository, revision and files with their hashes, or path and sha256, or
    why it is `left_out`. Last one record over all: questions, domains (questions by domain),
    paper_domains (how many of the paper's five), rewordings (how many of those asked were given,
    made by a model, or are missing), passed_over (questions that lack one).
    """
    check_sources(data, sources)
    kinds = needed(variants)
    records, origins = question_records(data, domains, sources)
    if data == SYNTHETIC:  # as many as are asked for, in the order of the seed over and over
        wanted = n or SYNTHETIC_ITEMS * len({record.item.domain for record in records})
        items = [record.item for record in binary_order(records, seed)]
        records = [QuestionRecord(item) for item in repeated(items, wanted)]
    skip = reformulate == "skip"
    kept = [record for record in records if not (skip and lacking(record, kinds))]
    bare = all(len(lacking(record, kinds)) == len(kinds) for record in kept)
    compared = set(variants) <= {"original", *REFORMULATIONS}
    if not kept or (kinds and bare and compared and reformulate != "live"):
        told = "all its rewordings" if skip else "a rewording"
        raise DataError(f"none of {len(records)} questions has {told}: {how_to_reword(data)}")
    used = binary_order(kept, seed)[:n]
    items = [record.item for record in used]
    counts = Counter(item.domain for item in items)
    overall = {
        "questions": len(items),
        "domains": dict(sorted(counts.items())),
        "paper_domains": len({*counts} & {*PAPER_DOMAINS}),
        "rewordings": makers(used, kinds),
        "passed_over": len(records) - len(kept),
    }
    return Loaded(tuple(items), (*counted(origins, [item.source for item in items]), overall))


def question_records(
    data: str, domains: Names = None, sources: Names = None, *, with_pending: bool = False
) -> Found[QuestionRecord]:
    """All questions that `load_binary` chooses from, and where they come from.

    `with_pending`: of the paper's data sets also those that ask for numbers. A DataError where they
    can't be had, or a domain is unknown."""
    chosen = None if domains is None else names_in(domains)
    if data == PAPER:
        return _paper(chosen, None if sources is None else names_in(sources), with_pending)
    if data in (CORE, SYNTHETIC):
        records = [_core_record(row, data) for row in core_rows("binary")]
        origins = [core_origin(data)]
    else:
        records, origins = from_file(read_binary_file, data)
    if chosen is not None:
        check_names("domain", chosen, sorted({r.item.domain for r in records}), of=f" of {data}")
        records = [record for record in records if record.item.domain in chosen]
    return records, origins


def binary_order(records: Iterable[QuestionRecord], seed: int) -> list[QuestionRecord]:
    """The questions in seeded random order, so that a run that stops early is balanced.

    The first k, for any k, hold equally many of every domain, of Yes and No, and of both in each
    domain (give or take one), except for those of which there are no more.
    """
    by_id = {record.item.id: record for record in records}
    items = [record.item for record in by_id.values()]
    domains = sorted({item.domain for item in items})
    # A round asks each domain twice. Labels alternate from domain to domain, and in the second
    # half of the round each domain has the label that it did not have in the first.
    turns = [
        (domain, BINARY_LABELS[(position + half) % 2])
        for half in range(2)
        for position, domain in enumerate(domains)
    ]
    ordered = in_turns(items, seed, lambda item: (item.domain, item.answer), turns)
    return [by_id[item.id] for item in ordered]


def needed(variants: Collection[str]) -> tuple[Reformulation, ...]:
    """The rewordings among the variants."""
    return tuple(kind for kind in REFORMULATIONS if kind in variants)


def lacking(record: QuestionRecord, kinds: Iterable[Reformulation]) -> list[Reformulation]:
    """Those of the rewordings that the record does not have."""
    return [kind for kind in kinds if not record.item.has(kind)]


def makers(records: Iterable[QuestionRecord], kinds: Sequence[Reformulation]) -> dict[str, int]:
    """How many of the rewordings each maker made."""
    return dict(Counter(record.maker(kind) or "missing" for record in records for kind in kinds))


def how_to_reword(data: str) -> str:
    """How questions get their rewordings."""
    return (
        f"a model in the role `reformulator` makes them: `bias-tasks reformulate {data} --model "
        "MODEL --out OUT.jsonl`, then data=OUT.jsonl; or in Inspect `-T reformulate=live "
        "--model-role reformulator=MODEL`"
    )


def _core_record(row: Mapping[str, Any], source: str) -> QuestionRecord:
    own = dict(row)
    reworded: dict[str, str] = {kind: own.pop(kind) for kind in REFORMULATIONS}
    item = BinaryItem(**own, source=source, cluster=row["id"], reformulations=reworded)
    return QuestionRecord(item)


def _paper(
    domains: list[str] | None, sources: list[str] | None, with_pending: bool
) -> Found[QuestionRecord]:
    from bias_tasks.binary_qa.data.paper import chosen_sources, paper_items

    chosen = chosen_sources(domains, sources)
    used = [source for source in chosen if with_pending or not source.for_numbers]
    left_out: list[Origin] = [
        {"source": each.name, "domain": each.domain, "left_out": _FOR_NUMBERS.format(each.name)}
        for each in chosen
        if each not in used
    ]
    if not used:
        raise DataError(left_out[0]["left_out"])
    items, origins = paper_items(used)
    return [QuestionRecord(item) for item in items], [*origins, *left_out]
