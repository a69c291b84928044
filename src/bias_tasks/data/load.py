"""`load_items`: the items of a run, whatever they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bias_tasks.data.errors import DataError
from bias_tasks.data.order import limit_friendly
from bias_tasks.data.paper import load_source, named_sources
from bias_tasks.data.sources import DEFAULT_SOURCES
from bias_tasks.items import FORMS, PROTOCOLS, Form, Item, Protocol

Forms = Literal["judging", "choice", "all"]

SYNTHETIC_ITEMS = 200
"""How many synthetic items of each form there are unless `n` says otherwise."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Items in the order they are to be asked, and where they come from."""

    items: tuple[Item, ...]
    provenance: tuple[Mapping[str, Any], ...]
    """One record a source, of plain JSON values: source, n (items of it that are used), and
    repository, revision and files with their hashes, or path and sha256, or seed."""


def load_items(
    data: str = "paper",
    *,
    form: Forms = "all",
    sources: str | Sequence[str] | None = None,
    protocol: Protocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    default_sources: Mapping[Form, Sequence[str]] | None = None,
    ten_options: bool = False,
) -> Loaded:
    """The items of a run.

    Args:
        data: `paper` for the paper's data sets, `synthetic` for generated items, or the path of
            your own items (JSONL, CSV or Parquet; see `bias_tasks.data.files`).
        form: which form's items to load.
        sources: with `data="paper"`, which data sets, as a list or separated by commas; without
            it `ib_choice` and `folio`. The others run only when named: `fld` has no pinned
            revision, and the columns of `ib_judging` are unchecked.
        protocol: `corrected` keeps a repeated record once, `published` every time.
        seed: orders the items, and generates the synthetic ones. It never changes which items
            of the paper's data sets are used, unless `n` cuts them.
        n: at most so many items, balanced over forms and labels as far as there are items;
            for synthetic items exactly so many.
        default_sources: a task's own sources for each form, used where `sources` is not given.
        ten_options: make synthetic choice items with one right option of ten.

    Raises:
        DataError: items can't be fetched or read, or there are none of this form.
        ValueError: an argument is not among the allowed ones.
    """
    _check(form, protocol, n)
    forms: tuple[Form, ...] = FORMS if form == "all" else (form,)
    if data == "paper":
        items, provenance = _paper(forms, sources, protocol, default_sources or DEFAULT_SOURCES)
    elif sources is not None:
        raise DataError(f"sources= picks among the paper's data sets; data={data!r} has none")
    elif data == "synthetic":
        items, provenance = _synthetic(forms, seed, n, ten_options)
    else:
        items, provenance = _file(data)
    items = [item for item in items if item.form in forms]
    if not items:
        raise DataError(f"data={data!r} has no {' or '.join(forms)} item")
    used = limit_friendly(items, seed)[:n]
    return Loaded(tuple(used), _with_counts(provenance, used))


def _check(form: str, protocol: str, n: int | None) -> None:
    if form not in (*FORMS, "all"):
        raise ValueError(f"form must be 'judging', 'choice' or 'all', not {form!r}")
    if protocol not in PROTOCOLS:
        raise ValueError(f"protocol must be 'corrected' or 'published', not {protocol!r}")
    if n is not None and n < 1:
        raise ValueError(f"n must be at least 1, not {n}")


def _paper(
    forms: Sequence[Form],
    sources: str | Sequence[str] | None,
    protocol: Protocol,
    default_sources: Mapping[Form, Sequence[str]],
) -> tuple[list[Item], list[dict[str, Any]]]:
    if sources is None:
        sources = [name for form in forms for name in default_sources[form]]
    loaded = [
        load_source(source, protocol) for source in named_sources(sources) if source.form in forms
    ]
    return [item for items, _ in loaded for item in items], [origin for _, origin in loaded]


def _synthetic(
    forms: Sequence[Form], seed: int, n: int | None, ten_options: bool
) -> tuple[list[Item], list[dict[str, Any]]]:
    from bias_tasks.data.synthetic import generate, generate_single

    each = SYNTHETIC_ITEMS if n is None else -(-n // len(forms))
    items: list[Item] = []
    for form in forms:
        many = form == "choice" and ten_options
        items += generate_single(each, seed) if many else generate(form, each, seed)
    return items, [{"source": "synthetic", "seed": seed}]


def _file(path: str) -> tuple[list[Item], list[dict[str, Any]]]:
    from bias_tasks.data.files import read_file

    items, sha256 = read_file(path)
    return items, [{"source": "file", "path": path, "sha256": sha256}]


def _with_counts(
    provenance: Iterable[Mapping[str, Any]], used: Iterable[Item]
) -> tuple[Mapping[str, Any], ...]:
    counts = Counter(item.source for item in used)
    return tuple({**origin, "n": counts[origin["source"]]} for origin in provenance)
