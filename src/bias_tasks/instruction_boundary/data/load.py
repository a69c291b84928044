"""`load_items`: the items of a run, whatever they come from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bias_tasks.data.core import core_origin, repeated
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.loading import (
    SYNTHETIC_ITEMS,
    Found,
    Loaded,
    check_sources,
    counted,
    from_file,
    in_turns,
    with_unique_ids,
)
from bias_tasks.data.sources import Source, named, source_table
from bias_tasks.instruction_boundary.data.converters import CONVERTERS
from bias_tasks.instruction_boundary.data.core import CORE, SYNTHETIC, core_items
from bias_tasks.instruction_boundary.items import FORMS, LABELS, Form, Item
from bias_tasks.instruction_boundary.settings import forms_of
from bias_tasks.names import Names, PaperProtocol

_TEN_OPTIONS: Mapping[PaperProtocol, str] = {
    "corrected": "mmlu_pro",
    "published": "mmlu_pro_public",  # the questions that the public code samples
}
"""The choice items of disturbing_miscellany."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionBoundarySource(Source):
    """A data set of judging or choice items."""

    form: Form
    subset: Mapping[str, int] | None = None
    """How many of each label are taken, in hash order of the ids; None takes everything."""


INSTRUCTION_BOUNDARY = source_table(__package__, InstructionBoundarySource)


def load_items(
    data: str = "paper",
    *,
    form: str = "all",
    sources: Names = None,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    miscellany: bool = False,
) -> Loaded[Item]:
    """The items of a run of one form or `all`, by the values of the parameters of these names
    (`tasks.yaml`); forms and labels take turns. `corrected` keeps a repeated record once,
    `published` every time; with `miscellany` choice items have one right option of ten, where
    `sources` names no others. A DataError where items can't be fetched or read, or there are none.

    Provenance is one record a source: source, n (items of it that are used), and repository,
    revision and files with their hashes, or path and sha256, or name and digest.
    """
    check_sources(data, sources)
    forms = forms_of(form)
    if data == "paper":
        # Nothing unpinned or unchecked runs unless asked for, as `fld` and `ib_judging` are.
        choice = _TEN_OPTIONS[protocol] if miscellany else "ib_choice"
        defaults: dict[Form, str] = {"choice": choice, "judging": "folio"}
        sources = [defaults[each] for each in forms] if sources is None else sources
        items, origins = _paper(forms, sources, protocol)
    elif data in (CORE, SYNTHETIC):
        items, origins = _core(data, forms, seed, n, miscellany), [core_origin(data)]
    else:
        from bias_tasks.instruction_boundary.data.files import read_file

        items, origins = from_file(read_file, data)
    items = [item for item in items if item.form in forms]
    if not items:
        raise DataError(f"data={data!r} has no {' or '.join(forms)} item")
    used = in_label_turns(items, seed)[:n]
    return Loaded(tuple(used), counted(origins, [item.source for item in used]))


def in_label_turns(items: Iterable[Item], seed: int) -> list[Item]:
    """The items in seeded random order, the labels of both forms taking turns.

    The first k items, for any k, hold equally many of every label of every form (give or take
    one), except for labels of which there are no more.
    """
    labels = zip_longest(*(LABELS[form] for form in FORMS))
    turns = [(form, label) for turn in labels for form, label in zip(FORMS, turn, strict=True)]
    return in_turns(items, seed, lambda item: (item.form, item.label), turns)


def take_subset(items: Iterable[Item], wanted: Mapping[str, int]) -> list[Item]:
    """So many items of each label, in order of their ids, which are hashes: no seed moves it. A
    DataError where there are fewer items of a label than wanted."""
    taken: list[Item] = []
    by_id = sorted(items, key=lambda item: item.id)
    for label, n in wanted.items():
        found = [item for item in by_id if item.label == label][:n]
        if len(found) < n:
            raise DataError(f"{n} items with the label {label} are wanted, {len(found)} are there")
        taken += found
    return taken


def _paper(forms: Sequence[Form], sources: Names, protocol: PaperProtocol) -> Found[Item]:
    """An id hashes the whole record: a repeated record repeats its id."""
    chosen = [source for source in named(sources, INSTRUCTION_BOUNDARY) if source.form in forms]
    fetch_missing(chosen)
    items, origins = [], []
    for source in chosen:
        paths, origin = fetch_source(source)
        found = CONVERTERS[source.name](paths)
        if source.subset is None:
            items += with_unique_ids(found, protocol)
        else:
            items += take_subset(with_unique_ids(found, "corrected"), source.subset)
        origins.append({"source": source.name, **origin})
    return items, origins


def _core(
    data: str, forms: Sequence[Form], seed: int, n: int | None, miscellany: bool
) -> list[Item]:
    found: list[Item] = []
    for form in forms:
        items = core_items(form, ten_options=miscellany)
        if data == SYNTHETIC:
            each = SYNTHETIC_ITEMS if n is None else -(-n // len(forms))
            ordered = in_label_turns(items, seed)
            items = repeated([replace(item, source=SYNTHETIC) for item in ordered], each)
        found += items
    return found
