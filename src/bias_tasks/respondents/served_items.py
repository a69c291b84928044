"""Which items a served respondent knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import JUDGED_KINDS as FAMILIES
from bias_tasks.complex_eval.items import JudgedKind as Family
from bias_tasks.instruction_boundary.data.load import Forms, load_items
from bias_tasks.output_format.data.load import load_formats
from bias_tasks.output_format.formats import formats_in
from bias_tasks.output_format.items import CATEGORIES
from bias_tasks.protocols import PaperProtocol
from bias_tasks.respondents.known_items import KnownItems

Served = Literal["ib", "binaryqa", "format", "judge"]


def served_items(
    families: Sequence[Served],
    *,
    data: str,
    form: Forms,
    sources: str | None,
    domains: str | None,
    reformulate: str | None,
    variants: str,
    dataset: str | None,
    formats: str | None,
    judged: str | None,
    responses: str | None,
    n: int | None,
    seed: int,
    protocol: PaperProtocol,
) -> KnownItems:
    """The items that the options of `bias-tasks serve` name.

    Raises:
        ValueError: an option's value is unknown, or doesn't belong to the families.
        DataError: the items can't be had.
    """
    _check(families, domains, reformulate, dataset, formats, judged, responses)
    known = KnownItems()
    if "ib" in families:
        known.add(
            load_items(data, form=form, sources=sources, protocol=protocol, seed=seed, n=n).items
        )
    if "binaryqa" in families:
        known.add(
            load_binary(
                data,
                variants=_variants(variants),
                domains=domains,
                sources=sources,
                reformulate=reformulate,
                seed=seed,
                n=n,
            ).items
        )
    for name in _split(dataset or ""):
        chosen = _formats(formats)
        known.add(load_formats(name, protocol=protocol, seed=seed, n=n, formats=chosen).items)
    for family in _judged(judged):
        known.add(
            load_judged(
                family,
                data,
                domains=domains,
                sources=sources,
                responses=responses,
                seed=seed,
                n=n,
            ).items
        )
    return known


def _check(
    families: Sequence[Served],
    domains: str | None,
    reformulate: str | None,
    dataset: str | None,
    formats: str | None,
    judged: str | None,
    responses: str | None,
) -> None:
    """Refuses options without the family that they belong to."""
    if reformulate and "binaryqa" not in families:
        raise ValueError("--reformulate needs --family binaryqa")
    if domains and not {"binaryqa", "judge"} & set(families):
        raise ValueError("--domains: domains need --family binaryqa or judge")
    if ("format" in families) != bool(dataset) or (formats and not dataset):
        raise ValueError("--family format needs --dataset, and --dataset and --formats need it")
    if ("judge" in families) != bool(judged) or (responses and not judged):
        raise ValueError("--family judge needs --judged, and --judged and --responses need it")


def _variants(names: str) -> list[str]:
    """The variants that a list separated by commas names.

    Raises:
        ValueError: one is unknown.
    """
    variants = _split(names)
    unknown = [name for name in variants if name not in VARIANTS]
    if unknown:
        found = ", ".join(map(repr, unknown))
        raise ValueError(f"--variants: unknown {found}; expected some of {', '.join(VARIANTS)}")
    return variants


def _formats(names: str | None) -> list[str] | None:
    """The formats that a list of formats and categories names; None for all."""
    if names is None:
        return None
    of_category: Mapping[str, list[str]] = {
        category: [fmt.name for fmt in formats_in(category)] for category in CATEGORIES
    }
    return [fmt for name in _split(names) for fmt in of_category.get(name, [name])]


def _judged(names: str | None) -> list[Family]:
    """The families of what is judged that a list separated by commas names; none for None.

    Raises:
        ValueError: one is unknown.
    """
    given = _split(names or "")
    unknown = [name for name in given if name not in FAMILIES]
    if unknown:
        found = ", ".join(map(repr, unknown))
        raise ValueError(f"--judged: unknown {found}; expected some of {', '.join(FAMILIES)}")
    return [family for family in FAMILIES if family in given]


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
