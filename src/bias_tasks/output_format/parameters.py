"""What each task of output formats compares; its parameters stand in `tasks.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.output_format.items import CATEGORIES, Category
from bias_tasks.parameters import declared

PARAMETERS = declared(__package__).parameters
COMPARED: Mapping[str, tuple[Category, ...]] = {
    "format_mcq": ("mcq",),
    "format_wrapping": ("wrapping",),
    "format_list": ("list",),
    "format_mapping": ("mapping",),
    "format_bias": CATEGORIES,
}
"""The categories of formats that each task asks for; a format is compared within its own."""
DATASETS: Mapping[Category, str] = {
    "mcq": "bbh",
    "wrapping": "gsm8k",
    "list": "semeval2017",
    "mapping": "scirex_medium",
}
"""What is asked in a category's formats unless `dataset=` says otherwise."""
