"""Loads the items of a run: `load_items` for judges under probes, `load_prompts` for authors."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bias_tasks.data import loading
from bias_tasks.data.core import core_origin, core_rows, repeat_items
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import load_sources
from bias_tasks.data.files import RawRecord, read_jsonl
from bias_tasks.data.loading import Loaded
from bias_tasks.data.sources import Origin, Source, source_table
from bias_tasks.data.tables import RowKey, read_rows, split_columns
from bias_tasks.judge_bias.data.layouts import (
    COLUMNS,
    FILE,
    PROMPT_COLUMNS,
    convert_prompt_row,
    convert_row,
    hash_prompt,
)
from bias_tasks.judge_bias.items import JudgedPrompt
from bias_tasks.protocols import CORE, SYNTHETIC
from bias_tasks.user_names import parse_names

_EXCLUDED = "excluded"
"""Key of a source's provenance: the number of excluded rows or pairs by reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBiasSource(Source):
    """A data set of responses with labels of the better one."""

    benchmark: str
    """The benchmark that the data set is a part of; its name selects all of its parts."""
    domain: str
    """Its domains, for people."""


JUDGE_BIAS_SOURCES = source_table(__package__, JudgeBiasSource)
_SourceItems = Sequence[tuple[list[JudgedPrompt], Origin]]
"""The items of each source, and the source's provenance."""


def load_items(data: str, seed: int = 0, n: int | None = None) -> Loaded[JudgedPrompt]:
    """Load items with responses, in seeded order; domains take turns.

    Args:
        data: `core`, comma-separated names of data sets or of benchmarks (`sources.yaml`), the path
            of the user's file (see `layouts`), or `synthetic` for repeated items of the core.
        seed: Seed of the order of items.
        n: Maximum number of items; None for all of them.

    Returns:
        The items, and one record of provenance per source: source, n (its items that are used),
        excluded (number of excluded rows or pairs by reason), and repository, revision and files
        with their hashes, or path and sha256.

    Raises:
        DataError: The items cannot be fetched or parsed, or there are no items.
    """
    return _select_items(data, _load_sources(data, n), seed, n)


def load_prompts(data: str, seed: int = 0, n: int | None = None) -> Loaded[JudgedPrompt]:
    """Load prompts without their responses, each once; otherwise like `load_items`.

    Rows of a user's file need no responses: `{id?, prompt, own_answer?, other_answer?, cluster?,
    domain?}`. Recorded answers are used and not requested from models.
    """
    sources = _load_sources(data, n, prompts=True)
    prompts = [([_remove_responses(item) for item in items], origin) for items, origin in sources]
    return _select_items(data, prompts, seed, n)


def describe_exclusions(provenance: Iterable[RawRecord]) -> tuple[str, ...]:
    """Return one sentence per source with excluded rows or pairs: how many, and why."""
    sentences = []
    for origin in provenance:
        reasons = [f"{count:,} ({reason})" for reason, count in origin.get(_EXCLUDED, {}).items()]
        if reasons:
            source = origin.get("path", origin["source"])
            sentences.append(f"excluded from {source}: {', '.join(reasons)}")
    return tuple(sentences)


def _select_items(
    data: str, sources: _SourceItems, seed: int, n: int | None
) -> Loaded[JudgedPrompt]:
    """Return at most `n` items in seeded order; domains take turns."""
    by_id: dict[str, JudgedPrompt] = {}
    for items, _ in sources:
        for item in items:
            by_id.setdefault(item.id, item)
    domains = sorted({item.domain or "" for item in by_id.values()})
    selected = loading.interleave(by_id.values(), seed, lambda item: item.domain or "", domains)[:n]
    if not selected:
        reasons = describe_exclusions(origin for _, origin in sources)
        raise DataError(f"data={data!r} has no items: {'; '.join(reasons) or 'it is empty'}")
    selected_ids = {item.id for item in selected}
    provenance = (
        {**origin, "n": len(selected_ids & {item.id for item in items})}
        for items, origin in sources
    )
    return Loaded(tuple(selected), tuple(provenance))


def _load_sources(data: str, n: int | None, *, prompts: bool = False) -> _SourceItems:
    if (names := parse_names(data)) in ([CORE], [SYNTHETIC]):
        [data] = names
        pairs = [_convert_core_row(row) for row in core_rows("pairs")]
        if data == SYNTHETIC:
            pairs = repeat_items(pairs, n or loading.SYNTHETIC_ITEMS, _copy_item)
        return [(pairs, core_origin(data))]
    if Path(data).suffix or "/" in data:
        columns = PROMPT_COLUMNS if prompts else COLUMNS
        rows, sha256 = read_rows(
            data,
            columns,
            convert_prompt_row if prompts else convert_row,
            lambda items: [_build_key(item) for item in items if not isinstance(item, str)],
        )
        return [_collect_items(rows, {"source": FILE, "path": data, "sha256": sha256})]
    loaded = load_sources(
        _find_sources(data), _convert_records, "the core with data=core, or your own file"
    )
    return [_collect_items(rows, origin) for _, rows, origin in loaded]


def _build_key(item: JudgedPrompt) -> RowKey:
    preferred = frozenset(item.responses[index] for index in item.preferred) or None
    responses = frozenset(item.responses)
    return RowKey(item.id, (item.prompt, responses), preferred, "prompt and responses")


def _find_sources(data: str) -> list[JudgeBiasSource]:
    """Find the public data sets that the parameter `data` names.

    Args:
        data: Comma-separated names. A name is that of a data set, or of a benchmark, which stands
            for all of its data sets.

    Raises:
        DataError: A name is unknown, or the core, which is loaded elsewhere, is combined with
            other data sets.
    """
    benchmarks = (source.benchmark for source in JUDGE_BIAS_SOURCES.values())
    valid_names = list(dict.fromkeys([*benchmarks, *JUDGE_BIAS_SOURCES, CORE, SYNTHETIC]))
    names = parse_names(data)
    check_names("data set", names, valid_names, owner=" besides your own files")
    if exclusive := {CORE, SYNTHETIC} & {*names}:
        raise DataError(
            f"data={data!r}: {min(exclusive)} cannot be combined with other data sets: name it "
            "alone"
        )
    sources = {
        source.name: source
        for name in names
        for source in JUDGE_BIAS_SOURCES.values()
        if name in (source.name, source.benchmark)
    }
    return list(sources.values())


def _convert_core_row(row: RawRecord) -> JudgedPrompt:
    return JudgedPrompt(
        id=row["id"],
        prompt=row["query"],
        responses=(row["chosen"], row["rejected"]),
        preferred=(0,),
        near_ties=tuple((row["rejected"], row[f"attack_{aux}"]) for aux in ("reference", "rubric")),
        cluster=hash_prompt(row["query"]),
        domain=row["domain"],
        extra_columns=row["columns"],
    )


def _copy_item(item: JudgedPrompt, item_id: str) -> JudgedPrompt:
    """Return a copy with another prompt, so that no cache and no judge confuses the two."""
    prompt = f"{item.prompt}\n\n(Copy {item_id.rpartition('-')[2]}.)"
    return replace(item, id=item_id, prompt=prompt, cluster=hash_prompt(prompt))


def _convert_records(
    source: JudgeBiasSource, paths: Sequence[Path]
) -> Iterator[list[JudgedPrompt | str]]:
    for record in read_jsonl(paths):
        cells, extra_columns = split_columns(record, COLUMNS)
        yield convert_row(cells, extra_columns, source.name)


def _collect_items(
    rows: Iterable[Iterable[JudgedPrompt | str]], origin: Origin
) -> tuple[list[JudgedPrompt], Origin]:
    """Return the items of rows, and the provenance with the excluded ones."""
    converted = [item for row in rows for item in row]
    reasons = Counter(item for item in converted if isinstance(item, str))
    record = {**origin, _EXCLUDED: dict(reasons)} if reasons else origin
    return [item for item in converted if not isinstance(item, str)], record


def _remove_responses(item: JudgedPrompt) -> JudgedPrompt:
    """Return the prompt of an item; the same for all items with the prompt."""
    if not item.responses:
        return item
    return replace(item, id=hash_prompt(item.prompt), responses=(), preferred=(), human_labels=())
