"""Items of every type, and the answers of `reading_cases.yaml` with their expected values."""

from pathlib import Path

import yaml

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem


def item(answer_type, answer, options=()):
    return FormatItem("i", "d", "question", answer, answer_type, "c", options)


def formats_in(category):
    """Return the formats of a category."""
    return tuple(fmt for fmt in FORMATS.values() if fmt.category == category)


LETTER = item("option_letter", "B", ("yes", "no", "maybe"))
OPTION = item("option_text", "B", ("A red fox.", "a dog", "24"))
TEXT = item("text", "the fox")
NUMBER = item("number", "11")
BINARY = item("binary_list", (1, 0, 1))
STRINGS = item("string_list", ("a b", "c"))
EASY = item("mapping", {"Task": ("a",)})
MEDIUM = item("mapping", {"Task": ("a",), "Method": ("b",)})


def tuples(value):
    """Return lists as tuples, as in payloads."""
    if isinstance(value, dict):
        return {key: tuple(values) for key, values in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _load_item(raw):
    if isinstance(raw, str):
        return globals()[raw.upper()]
    return item(raw["answer_type"], tuples(raw["answer"]))


CASES = [
    (
        row["format"],
        _load_item(row["asked"]),
        row.get("prompting", "zs"),
        [tuple(map(tuples, case)) for case in row["cases"]],
    )
    for row in yaml.safe_load(Path(__file__).with_name("reading_cases.yaml").read_text("utf-8"))
]
"""A format, the item, the prompting, and cases: (text, payload) or (text, payload, follows in
published parsing, published payload)."""
