"""`load_items`: the items of a run, whatever they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Literal

from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_missing
from bias_tasks.data.loading import (
    SYNTHETIC_ITEMS,
    Found,
    Loaded,
    Names,
    check_n,
    check_protocol,
    check_sources,
    counted,
    from_file,
)
from bias_tasks.data.order import in_turns
from bias_tasks.data.pinned import named
from bias_tasks.instruction_boundary.data.paper import load_source
from bias_tasks.instruction_boundary.data.sources import DEFAULT_SOURCES, INSTRUCTION_BOUNDARY
from bias_tasks.instruction_boundary.items import FORMS, LABELS, Form, Item
from bias_tasks.names import PaperProtocol

Forms = Literal["judging", "choice", "all"]


def load_items(
    data: str = "paper",
    *,
    form: Forms = "all",
    sources: Names = None,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    default_sources: Mapping[Form, Sequence[str]] | None = None,
    ten_options: bool = False,
) -> Loaded[Item]:
    """The items of a run.

    Provenance is one record a source: source, n (items of it that are used), and repository,
    revision and files with their hashes, or path and sha256, or seed.

    Args:
        data: `paper` for the paper's data sets, `synthetic` for generated items, or the path of
            your own items (JSONL, CSV or Parquet; see the module `files`).
        form: which form's items to load.
        sources: with `data="paper"`, which data sets, as a list or separated by commas; without
            it `ib_choice` and `folio`. The others run only when named: `fld` has no pinned
            revision, and the columns of `ib_judging` are unchecked.
        protocol: `corrected` keeps a repeated record once, `published` every time.
        seed, n: as in every loader (`bias_tasks.data.loading`); forms and labels take turns.
        default_sources: a task's own sources for each form, used where `sources` is not given.
        ten_options: make synthetic choice items with one right option of ten.

    Raises:
        DataError: items can't be fetched or read, or there are none of this form.
        ValueError: an argument is not among the allowed ones.
    """
    if form not in (*FORMS, "all"):
        raise ValueError(f"form must be 'judging', 'choice' or 'all', not {form!r}")
    check_protocol(protocol)
    check_n(n)
    check_sources(data, sources)
    forms: tuple[Form, ...] = FORMS if form == "all" else (form,)
    if data == "paper":
        items, origins = _paper(forms, sources, protocol, default_sources or DEFAULT_SOURCES)
    elif data == "synthetic":
        items, origins = _synthetic(forms, seed, n, ten_options)
    else:
        from bias_tasks.instruction_boundary.data.files import read_file

        items, origins = from_file(read_file, data)
    items = [item for item in items if item.form in forms]
    if not items:
        raise DataError(f"data={data!r} has no {' or '.join(forms)} item")
    used = limit_friendly(items, seed)[:n]
    return Loaded(tuple(used), counted(origins, [item.source for item in used]))


def _paper(
    forms: Sequence[Form],
    sources: Names,
    protocol: PaperProtocol,
    default_sources: Mapping[Form, Sequence[str]],
) -> Found[Item]:
    if sources is None:
        sources = [name for form in forms for name in default_sources[form]]
    chosen = [source for source in named(sources, INSTRUCTION_BOUNDARY) if source.form in forms]
    fetch_missing(chosen)
    loaded = [load_source(source, protocol) for source in chosen]
    return [item for items, _ in loaded for item in items], [origin for _, origin in loaded]


def _synthetic(forms: Sequence[Form], seed: int, n: int | None, ten_options: bool) -> Found[Item]:
    from bias_tasks.instruction_boundary.data.synthetic import generate, generate_single

    each = SYNTHETIC_ITEMS if n is None else -(-n // len(forms))
    items: list[Item] = []
    for form in forms:
        many = form == "choice" and ten_options
        items += generate_single(each, seed) if many else generate(form, each, seed)
    return items, [{"source": "synthetic", "seed": seed}]


def limit_friendly(items: Iterable[Item], seed: int) -> list[Item]:
    """The items in seeded random order, the labels of both forms taking turns.

    The first k items, for any k, hold equally many of every label of every form (give or take
    one), except for labels of which there are no more.
    """
    labels = zip_longest(*(LABELS[form] for form in FORMS))
    turns = [(form, label) for turn in labels for form, label in zip(FORMS, turn, strict=True)]
    return in_turns(items, seed, lambda item: (item.form, item.label), turns)
