"""The output formats: how each is requested, parsed and written."""

from collections.abc import Mapping

from bias_tasks.output_format.formats.base import OutputFormat, ParsedFormat
from bias_tasks.output_format.formats.choices import CHOICES
from bias_tasks.output_format.formats.lists import LISTS
from bias_tasks.output_format.formats.mappings import MAPPINGS
from bias_tasks.output_format.formats.wrappings import WRAPPINGS
from bias_tasks.output_format.items import FormatItem

__all__ = ["FORMATS", "OutputFormat", "ParsedFormat", "find_formats"]

_ALL: tuple[OutputFormat, ...] = (*CHOICES, *WRAPPINGS, *LISTS, *MAPPINGS)
FORMATS: Mapping[str, OutputFormat] = {fmt.name: fmt for fmt in _ALL}
"""All formats by name, in the paper's order."""


def find_formats(item: FormatItem) -> tuple[OutputFormat, ...]:
    """Return the formats that support the item's answer."""
    return tuple(fmt for fmt in FORMATS.values() if fmt.supports(item))
