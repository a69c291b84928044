"""Loads the items of a run from the paper's data sets, the core set or a user's file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bias_tasks.data import loading
from bias_tasks.data.core import core_origin, repeat_items
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import load_sources
from bias_tasks.data.loading import ItemsAndOrigins, Loaded
from bias_tasks.data.sources import Source, select_sources, source_table
from bias_tasks.generated.source import HARD, generated_origin, is_hard, select_levels
from bias_tasks.instruction_boundary.data.converters import CONVERTERS
from bias_tasks.instruction_boundary.data.core import core_items
from bias_tasks.instruction_boundary.data.files import read_file
from bias_tasks.instruction_boundary.items import FORMS, LABELS, Form, Item
from bias_tasks.instruction_boundary.settings import select_forms
from bias_tasks.protocols import CORE, SYNTHETIC, DesignSource, PaperProtocol, check_paper_only
from bias_tasks.user_names import Names

_TEN_OPTIONS: Mapping[PaperProtocol, str] = {
    "corrected": "mmlu_pro",
    "published": "mmlu_pro_public",  # the questions that the public code samples
}
"""Sources of the choice items of disturbing miscellany."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionBoundarySource(Source):
    """A data set of judging or choice items."""

    form: Form
    source: DesignSource
    """Whose the data set is: the paper's or its authors', or made of theirs by this package."""
    subset: Mapping[str, int] | None = None
    """Number of items to take by label, in order of the ids (hashes); None for all items."""


INSTRUCTION_BOUNDARY = source_table(__package__, InstructionBoundarySource)


def load_items(
    data: str = "paper",
    *,
    form: str = "all",
    sources: Names = None,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    ten_options: bool = False,
    level: int | None = None,
) -> Loaded[Item]:
    """Load the items of a run; forms and labels take turns.

    Args:
        data: `paper`, `core`, `synthetic`, `generated`, `hard`, or the path of a user's file.
        form: A form, or `all`.
        sources: Names of the paper's data sets; None for the defaults.
        protocol: `corrected` keeps a repeated record once, `published` every time.
        seed: Seed of the order.
        n: Maximum number of items; None for all.
        ten_options: Whether choice items have ten options, one of them correct, unless `sources`
            names others.
        level: Level of generated items; None for the default.

    Returns:
        The items, and one provenance record per source: its name (`source`), the number of its
        items (`n`), and repository, revision and file hashes, or path, sha256 and perhaps a
        `note` for the user, or name and digest.

    Raises:
        DataError: Items cannot be fetched or read, or there are none.
    """
    loading.check_sources(data, sources)
    levels, forms = select_levels(data, level), select_forms(form)
    if data == "paper":
        # `fld` and `ib_judging` have no pinned revision, so they must be requested by name.
        choice = _TEN_OPTIONS[protocol] if ten_options else "ib_choice"
        defaults: dict[Form, str] = {"choice": choice, "judging": "folio"}
        names = [defaults[form] for form in forms] if sources is None else sources
        items, origins = _load_paper_items(forms, names, protocol)
    elif data in (CORE, SYNTHETIC):
        items = _load_core_items(data, forms, seed, n, ten_options)
        origins = [core_origin(data)]
    elif levels:
        items, origins = _generate(data, forms, levels, seed, n, ten_options)
    else:
        items, origin = read_file(data)
        origins = [origin]
    items = [item for item in items if item.form in forms]
    if not items:
        raise DataError(
            f"data={data!r} has no {' or '.join(forms)} item: set another form= or data="
        )
    selected = balance_labels(items, seed)[:n]
    return Loaded(tuple(selected), loading.add_counts(origins, [item.source for item in selected]))


def balance_labels(items: Iterable[Item], seed: int) -> list[Item]:
    """Sort items in a seeded random order in which the labels of both forms take turns.

    For any k, the first k items have equally many items of every label of every form (plus or
    minus one), except for labels that have no more items.
    """
    labels = zip_longest(*(LABELS[form] for form in FORMS))
    turns = [(form, label) for turn in labels for form, label in zip(FORMS, turn, strict=True)]
    return loading.interleave(items, seed, lambda item: (item.form, item.label), turns)


def select_subset(items: Iterable[Item], sizes: Mapping[str, int]) -> list[Item]:
    """Select the first items of each label in order of their ids, independent of any seed.

    Args:
        items: The items to select from.
        sizes: Number of items by label.

    Raises:
        DataError: There are fewer items of a label than requested.
    """
    subset: list[Item] = []
    by_id = sorted(items, key=lambda item: item.id)
    for label, size in sizes.items():
        selected = [item for item in by_id if item.label == label][:size]
        if len(selected) < size:
            raise DataError(
                f"expected {size} items with the label {label}, but there are {len(selected)}"
            )
        subset += selected
    return subset


def _load_paper_items(
    forms: Sequence[Form], sources: Names, protocol: PaperProtocol
) -> ItemsAndOrigins[Item]:
    """Load the items of the paper's data sets, fetching files that are not in the cache.

    Repeated records are dropped, but kept under `published`, as the paper has them. (An id hashes
    the whole record, so that a repeated record repeats its id.)
    """
    selected = [
        source for source in select_sources(sources, INSTRUCTION_BOUNDARY) if source.form in forms
    ]
    check_paper_only(protocol, [source.name for source in selected if source.source == "ours"])
    items, origins = [], []
    loaded = load_sources(selected, lambda source, paths: CONVERTERS[source.name](paths))
    for source, converted, origin in loaded:
        unique = loading.with_unique_ids(converted, "corrected" if source.subset else protocol)
        items += select_subset(unique, source.subset) if source.subset else unique
        origins.append(origin)
    return items, origins


def _generate(
    data: str,
    forms: Sequence[Form],
    levels: tuple[int, ...],
    seed: int,
    n: int | None,
    ten_options: bool,
) -> ItemsAndOrigins[Item]:
    """Generate the items of each form; for `hard`, half of them, besides items of the core."""
    from bias_tasks.instruction_boundary.data.generated import generate_items

    size = loading.SYNTHETIC_ITEMS if n is None else -(-n // len(forms))
    items: list[Item] = []
    for form in forms:
        core = core_items(form, ten_options=ten_options) if data == HARD else []
        hard = balance_labels((item for item in core if is_hard(item.columns)), seed)[: size // 2]
        n_per_level = -(-(size - len(hard)) // len(levels))
        items += hard
        for level in levels:
            items += generate_items(
                form, n_per_level, level=level, seed=seed, ten_options=ten_options
            )
    origins = [core_origin()] if data == HARD else []
    return items, [*origins, generated_origin(levels, seed)]


def _load_core_items(
    data: str, forms: Sequence[Form], seed: int, n: int | None, ten_options: bool
) -> list[Item]:
    items: list[Item] = []
    for form in forms:
        form_items = core_items(form, ten_options=ten_options)
        if data == SYNTHETIC:
            size = loading.SYNTHETIC_ITEMS if n is None else -(-n // len(forms))
            ordered = balance_labels(form_items, seed)
            form_items = repeat_items([replace(item, source=SYNTHETIC) for item in ordered], size)
        items += form_items
    return items
