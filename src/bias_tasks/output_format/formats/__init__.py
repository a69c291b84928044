"""The output formats: how each is asked for, whether an answer follows it, and what it holds."""

from collections.abc import Mapping

from bias_tasks.output_format.formats.base import Format, FormatReading
from bias_tasks.output_format.formats.choices import CHOICES
from bias_tasks.output_format.formats.lists import LISTS
from bias_tasks.output_format.formats.mappings import MAPPINGS
from bias_tasks.output_format.formats.wrappings import WRAPPINGS
from bias_tasks.output_format.items import FormatItem

__all__ = ["FORMATS", "Format", "FormatReading", "formats_of"]

_ALL: tuple[Format, ...] = (*CHOICES, *WRAPPINGS, *LISTS, *MAPPINGS)
FORMATS: Mapping[str, Format] = {fmt.name: fmt for fmt in _ALL}
"""Every format by its name, in the paper's order."""


def formats_of(item: FormatItem) -> tuple[Format, ...]:
    """The formats in which this item's answer can be given."""
    return tuple(fmt for fmt in FORMATS.values() if fmt.holds(item))
