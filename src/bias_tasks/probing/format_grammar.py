"""The prompt formats that a search compares, and the items that can have all of them.

The grammar is that of Sclar et al. (2024), as far as a finished prompt shows where its parts are.
Fields such as `Question:` stay as they are, since the task's own scorer may look for the field that
requests the answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import product

from bias_tasks.data.files import read_yaml
from bias_tasks.data.option_texts import refers_to_options
from bias_tasks.probing.displayed_options import (
    LETTERS,
    OptionStyle,
    contain_label,
    find_options,
)
from bias_tasks.probing.items import BASELINE, ProbedItem
from bias_tasks.probing.probes.options import LABEL_SCHEMES, MAX_LABELS
from bias_tasks.prompts.templates import seeded_random

_GRAMMAR: Mapping[str, Mapping[str, str]] = read_yaml(__package__, "format_grammar")
_MIN_LABEL_SHARE = 0.8
"""Share of items that can have other labels, below which no format changes labels."""
_MIN_ITEMS = 4
"""Two items to search with, and two to hold out."""


@dataclass(frozen=True, slots=True)
class PromptFormat:
    """A way to display options. An empty part is the task's own, as are all of the baseline."""

    labels: str = ""
    descriptor: str = ""
    around: str = ""
    after: str = ""
    separator: str = ""

    @property
    def name(self) -> str:
        """The parts that are not the task's own, by the grammar's names."""
        return "+".join(part for part in astuple(self) if part) or BASELINE

    @property
    def style(self) -> OptionStyle:
        """The style of the options in a finished prompt."""
        mark = ""
        if self.around:
            mark = _GRAMMAR["descriptor"][self.descriptor]
            mark += _GRAMMAR["around"][self.around] + _GRAMMAR["after"][self.after]
        return OptionStyle(
            labels=tuple(_GRAMMAR["labels"][self.labels].split()) or None,
            mark=mark or None,
            separator=_GRAMMAR["separator"][self.separator] or None,
        )


def all_formats() -> list[PromptFormat]:
    """Return all formats of the grammar, the baseline first."""
    marks = product(_GRAMMAR["descriptor"], _GRAMMAR["around"], _GRAMMAR["after"])
    # Bare labels need a mark: in `A forty` the label looks like a word.
    usable = [("", "", ""), *(mark for mark in marks if mark[1:] != ("bare", ""))]
    return [
        PromptFormat(labels, descriptor, around, after, separator)
        for labels, (descriptor, around, after), separator in product(
            _GRAMMAR["labels"], usable, _GRAMMAR["separator"]
        )
    ]


def select_searchable(
    items: Sequence[ProbedItem],
) -> tuple[list[ProbedItem], list[PromptFormat], list[str]]:
    """Return the items that can have all formats, these formats, and notes on what is excluded.

    All formats get the same items, so that none is better by its items.

    Raises:
        ValueError: The prompts of fewer than four items display choices.
    """
    selected = [item for item in items if 2 <= len(item.choices) <= len(LETTERS)]
    if len(selected) < _MIN_ITEMS:
        raise ValueError(
            f"a search for formats needs at least {_MIN_ITEMS} items whose prompt displays 2 to 26 "
            f"choices; {len(selected):,} of {len(items):,} items have them. Name another task"
        )
    formats, notes = all_formats(), []
    relabelable = [item for item in selected if _can_have_other_labels(item)]
    if len(relabelable) >= max(_MIN_LABEL_SHARE * len(selected), _MIN_ITEMS):
        selected = relabelable
    else:
        formats = [format_ for format_ in formats if not format_.labels]
        count = f"{len(relabelable):,} of {len(selected):,} items"
        notes.append(f"no format changes labels: only {count} can have other labels")
    if n_excluded := len(items) - len(selected):
        notes.append(f"{n_excluded:,} of {len(items):,} items cannot have every format")
    return selected, formats, notes


def sample_formats(
    formats: Sequence[PromptFormat], count: int, seed: int, prompts: Sequence[tuple[str, int]]
) -> list[PromptFormat]:
    """Return up to `count` formats, drawn by the seed, the baseline first.

    No two of them look the same. Formats that do not change a prompt are skipped.

    Args:
        formats: The formats to draw from, the baseline first.
        count: The maximum number of formats.
        seed: The seed of the draw.
        prompts: Some of the task's prompts as a model gets them, each with its number of choices.

    Raises:
        ValueError: No prompt displays options that can be found.
    """
    usable = [prompt for prompt in prompts if find_options(*prompt) is not None]
    if not usable:
        raise ValueError(
            "no format can be applied: the task's prompts do not display the choices after labels "
            "on lines of their own. Name another task"
        )
    originals = tuple(prompt for prompt, _ in usable)
    by_look = {originals: PromptFormat()}
    for format_ in seeded_random(seed, "formats").sample(formats[1:], len(formats) - 1):
        look = tuple(format_.style.apply(*prompt) for prompt in usable)
        if len(by_look) < count and set(look).isdisjoint(originals):
            by_look.setdefault(look, format_)
    return list(by_look.values())


def _can_have_other_labels(item: ProbedItem) -> bool:
    """Return whether no choice refers to another, or contains a possible label."""
    count = len(item.choices)
    return (
        count <= MAX_LABELS
        and not any(refers_to_options(text, item.text) for text in item.choices)
        and not any(contain_label(item.choices, scheme[:count]) for scheme in LABEL_SCHEMES)
    )
