"""The prompt formats that a search compares, and the items that can be asked in all of them.

The grammar is that of Sclar et al. (2024), as far as a finished prompt shows where its parts stand.
Fields such as `Question:` are left as they are: the task's own scorer looks for the one that asks
for the answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import product

from bias_tasks.data.files import read_yaml
from bias_tasks.probing.items import PLAIN, ProbedItem
from bias_tasks.probing.options import (
    LETTERS,
    OptionStyle,
    find_options,
    holds_any,
    refer_to_others,
)
from bias_tasks.probing.probes.options import SCHEMES
from bias_tasks.prompts.templates import seeded

_GRAMMAR: Mapping[str, Mapping[str, str]] = read_yaml(__package__, "format_grammar")
_MOST = 0.8
"""Share of the items that take other labels at least; else no format has them."""
_FEWEST = 4
"""Items at least: two to search with and two to hold out."""


@dataclass(frozen=True, slots=True)
class Format:
    """One way to print options; an empty part is the task's own, as are all of the plain format."""

    labels: str = ""
    descriptor: str = ""
    around: str = ""
    behind: str = ""
    between: str = ""

    @property
    def name(self) -> str:
        """The parts that are not the task's own, in the grammar's words."""
        return "+".join(part for part in astuple(self) if part) or PLAIN

    @property
    def style(self) -> OptionStyle:
        """What puts it into a finished prompt."""
        parts = ("descriptor", "around", "behind") if self.around else ()
        mark = "".join(_GRAMMAR[part][getattr(self, part)] for part in parts)
        labels = tuple(_GRAMMAR["labels"][self.labels].split())
        return OptionStyle(labels, mark, _GRAMMAR["between"][self.between])


def every_format() -> list[Format]:
    """All formats of the grammar, the plain one first."""
    marks = product(*(_GRAMMAR[part] for part in ("descriptor", "around", "behind")))
    # `A forty`: a number would pass for a word
    told = [("", "", ""), *(each for each in marks if each[1:] != ("bare", ""))]
    every = product(_GRAMMAR["labels"], told, _GRAMMAR["between"])
    return [Format(labels, *mark, *between) for labels, mark, *between in every]


def searchable(items: Sequence[ProbedItem]) -> tuple[list[ProbedItem], list[Format], list[str]]:
    """The items that all formats are asked, so that none is better by its items; these formats; and
    in words what is left out. A ValueError where fewer than four items print choices."""
    chosen = [item for item in items if 2 <= len(item.choices) <= len(LETTERS)]
    if len(chosen) < _FEWEST:
        raise ValueError(
            f"a search for formats needs {_FEWEST} items or more whose prompt prints choices: of "
            f"{len(items):,} items {len(chosen):,} have 2 to 26 of them"
        )
    formats, notes = every_format(), []
    taking = [item for item in chosen if _takes_labels(item)]
    if len(taking) >= max(_MOST * len(chosen), _FEWEST):
        chosen = taking
    else:
        formats = [each for each in formats if not each.labels]
        where = f"{len(taking):,} of {len(chosen):,} items"
        notes.append(f"no format changes labels: it can be done in {where}")
    if left_out := len(items) - len(chosen):
        notes.append(f"{left_out:,} of {len(items):,} items can't be asked in every format")
    return chosen, formats, notes


def sampled_formats(
    formats: Sequence[Format], count: int, seed: int, prompts: Sequence[tuple[str, int]]
) -> list[Format]:
    """Up to `count` formats, drawn by the seed, the plain one first, no two of which look alike.

    `formats` has the plain one first; `prompts` are some of the task's own, as a model is sent
    them, each with the number of its choices; a ValueError where none prints options that can be
    found. Formats that leave one as it is are passed over."""
    taking = [each for each in prompts if find_options(*each) is not None]
    if not taking:
        told = "the task's prompts do not print the choices behind labels on lines of their own"
        raise ValueError(f"no format can be put in: {told}")
    plain = tuple(prompt for prompt, _ in taking)
    found = {plain: Format()}
    for each in seeded(seed, "formats").sample(formats[1:], len(formats) - 1):
        looks = tuple(each.style.prompt(*prompt) for prompt in taking)
        if len(found) < count and set(looks).isdisjoint(plain):
            found.setdefault(looks, each)
    return list(found.values())


def _takes_labels(item: ProbedItem) -> bool:
    """Whether no choice speaks of another, or holds what could be a label."""
    count = len(item.choices)
    return (
        count <= len(SCHEMES[0])
        and not refer_to_others(item.choices)
        and not any(holds_any(item.choices, scheme[:count]) for scheme in SCHEMES)
    )
