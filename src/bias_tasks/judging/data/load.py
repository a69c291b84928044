"""What a run asks about: `load_items` for judges under probes, `load_prompts` for two authors.

Items come from bias-core, benchmarks of judges on the hub, or the user's file.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from bias_tasks.data.core import core_origin, core_rows, repeated
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.files import jsonl
from bias_tasks.data.loading import SYNTHETIC_ITEMS, Loaded, Origin, in_turns
from bias_tasks.data.sources import Source, source_table
from bias_tasks.data.tables import filled, one_id, plain, read_rows
from bias_tasks.judging.data.layouts import (
    FILE,
    LAYOUT,
    PROMPT_LAYOUT,
    RowItems,
    items_of,
    prompts_of,
    same_prompt,
)
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.names import names_in

CORE, SYNTHETIC = "core", "synthetic"
_LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingSource(Source):
    """A data set of responses of which the better is known."""

    benchmark: str
    """The benchmark that it is a part of, whose name stands for all of its parts."""
    domain: str
    """Its domains, for people to read."""


JUDGING_SOURCES = source_table(__package__, JudgingSource)


def load_items(data: str, seed: int = 0, n: int | None = None) -> Loaded[JudgedPrompt]:
    """The items of a run, of one or two responses or more; domains take turns. `data` is `core`,
    names of data sets or of their parts (`sources.yaml`) separated by commas, the path of your own
    file (see `layouts`), or `synthetic` for the core's items repeated. A DataError where items
    can't be fetched or read, or there are none.

    Provenance is one record a source: source, n (items of it that are used), left_out (rows or
    pairs that were left out, by why), and repository, revision and files with their hashes, or path
    and sha256.
    """
    return _used(data, _found(data, n), seed, n)


def left_out(provenance: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """What to say of the rows and pairs that were left out, source by source."""
    found = []
    for origin in provenance:
        reasons = [f"{count:,} ({why})" for why, count in origin.get(_LEFT_OUT, {}).items()]
        if reasons:
            source = origin.get("path", origin["source"])
            found.append(f"of {source} left out: {', '.join(reasons)}")
    return tuple(found)


def load_prompts(data: str, seed: int = 0, n: int | None = None) -> Loaded[JudgedPrompt]:
    """The prompts of a run, each once; domains take turns.

    Arguments and errors are those of `load_items`. Rows of a file of your own may be without
    responses: `{id?, prompt, own?, other?, cluster?, domain?}`, whose answers `own` and `other` are
    then not asked for.
    """
    found = _found(data, n, prompts=True)
    alone = [(list(map(_prompt_of, items)), origin) for items, origin in found]
    return _used(data, alone, seed, n)


_Sources = Sequence[tuple[list[JudgedPrompt], Origin]]
"""The items of each source, and the record of it."""


def _used(data: str, found: _Sources, seed: int, n: int | None) -> Loaded[JudgedPrompt]:
    """At most `n` of the items, each once, in seeded order; domains take turns."""
    by_id = {item.id: item for items, _ in reversed(found) for item in reversed(items)}
    turns = sorted({item.domain or "" for item in by_id.values()})
    used = in_turns(by_id.values(), seed, lambda item: item.domain or "", turns)[:n]
    if not used:
        why = "; ".join(left_out(origin for _, origin in found)) or "it is empty"
        raise DataError(f"data={data!r} has nothing to judge: {why}")
    asked = {item.id for item in used}
    provenance = ({**origin, "n": len(asked & {i.id for i in items})} for items, origin in found)
    return Loaded(tuple(used), tuple(provenance))


def _found(data: str, n: int | None, *, prompts: bool = False) -> _Sources:
    if data in (CORE, SYNTHETIC):
        pairs = [_of_core(row) for row in core_rows("pairs")]
        if data == SYNTHETIC:
            pairs = repeated(pairs, n or SYNTHETIC_ITEMS, _again)
        return [(pairs, core_origin(data))]
    if Path(data).suffix or "/" in data:
        layout, of_row = (PROMPT_LAYOUT, prompts_of) if prompts else (LAYOUT, items_of)
        rows, sha256 = read_rows(
            data, layout, of_row, lambda row: (one_id(i.id) for i in row if not isinstance(i, str))
        )
        return [_gathered(rows, {"source": FILE, "path": data, "sha256": sha256})]
    benchmarks = (source.benchmark for source in JUDGING_SOURCES.values())
    known = list(dict.fromkeys([*benchmarks, *JUDGING_SOURCES, CORE, SYNTHETIC]))
    wanted = names_in(data)
    check_names("data set", wanted, known, of=" beside files of your own")
    if alone := {CORE, SYNTHETIC} & {*wanted}:
        raise DataError(f"data={data!r}: {min(alone)} stands alone, without other data sets")
    sources = {
        source.name: source
        for name in wanted
        for source in JUDGING_SOURCES.values()
        if name in (source.name, source.benchmark)
    }
    fetch_missing(list(sources.values()), instead="the core with data=core, or a file of your own")
    return [_of_source(source) for source in sources.values()]


def _of_core(row: Mapping[str, Any]) -> JudgedPrompt:
    return JudgedPrompt(
        id=row["id"],
        prompt=row["query"],
        responses=(row["chosen"], row["rejected"]),
        right=(0,),
        cluster=same_prompt(row["query"]),
        domain=row["domain"],
    )


def _again(item: JudgedPrompt, identifier: str) -> JudgedPrompt:
    """A copy that no judge takes for the same: its prompt is another."""
    prompt = f"{item.prompt}\n\n(Copy {identifier.rpartition('-')[2]}.)"
    return replace(item, id=identifier, prompt=prompt, cluster=same_prompt(prompt))


def _of_source(source: JudgingSource) -> tuple[list[JudgedPrompt], Origin]:
    paths, origin = fetch_source(source)
    try:
        return _gathered(
            map(partial(_of_record, source.name), jsonl(paths)), {"source": source.name, **origin}
        )
    except ValueError as error:
        raise DataError(
            f"{source.name}: a record is not as it was when this was written: {error}"
        ) from error


def _of_record(source: str, record: Mapping[str, Any]) -> RowItems:
    cells = {name: plain(value) for name, value in filled(record).items()}
    known = {name: value for name, value in cells.items() if name in LAYOUT.columns}
    return items_of(known, {n: v for n, v in cells.items() if n not in known}, source)


def _gathered(rows: Iterable[RowItems], origin: Origin) -> tuple[list[JudgedPrompt], Origin]:
    """The items of rows, each once, and the record with what was left out."""
    reasons: Counter[str] = Counter()
    items: dict[str, JudgedPrompt] = {}
    for row in rows:
        reasons.update(each for each in row if isinstance(each, str))
        items |= {each.id: each for each in row if not isinstance(each, str)}
    record = {**origin, _LEFT_OUT: dict(reasons)} if reasons else origin
    return list(items.values()), record


def _prompt_of(item: JudgedPrompt) -> JudgedPrompt:
    """The prompt of an item: the same, whichever of the prompt's responses the item has."""
    if not item.responses:
        return item
    return replace(item, id=same_prompt(item.prompt), responses=(), right=(), human=())
