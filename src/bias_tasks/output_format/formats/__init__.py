"""The output formats: how each is asked for, whether an answer follows it, and what it holds.

A module of this folder with a `FORMAT` is a format; nothing else has to name it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from bias_tasks.output_format.formats.types import Format, FormatReading
from bias_tasks.output_format.items import CATEGORIES, Category, FormatItem

__all__ = ["FORMATS", "Format", "FormatReading", "formats_in", "formats_of"]

_ORDER_OF_PAPER = (
    *("character", "text"),
    *("special_character", "bolding", "italicizing", "brackets", "parentheses"),
    *("placeholder", "quoting"),
    *("python", "bullet", "sep", "newline"),
    *("json", "yaml"),
)


def _place(fmt: Format) -> tuple[int, int, str]:
    """By category, in it as the paper has them, and last those that it doesn't have, by name."""
    known = fmt.name in _ORDER_OF_PAPER
    rank = _ORDER_OF_PAPER.index(fmt.name) if known else len(_ORDER_OF_PAPER)
    return CATEGORIES.index(fmt.category), rank, fmt.name


def _discovered() -> dict[str, Format]:
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    formats: list[Format] = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    names = [fmt.name for fmt in formats]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two formats have one name: {', '.join(sorted(repeated))}")
    return {fmt.name: fmt for fmt in sorted(formats, key=_place)}


FORMATS: Mapping[str, Format] = _discovered()
"""Every format by its name, in the paper's order."""


def formats_of(item: FormatItem) -> tuple[Format, ...]:
    """The formats in which this item's answer can be given."""
    return tuple(fmt for fmt in FORMATS.values() if fmt.holds(item))


def formats_in(category: Category) -> tuple[Format, ...]:
    """The formats of a category."""
    return tuple(fmt for fmt in FORMATS.values() if fmt.category == category)
