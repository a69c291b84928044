"""The grammar of formats in which a finished prompt can print its options.

After Sclar et al. (2024), as far as it can be told in a finished prompt where a part of it stands:
how options are numbered, what stands before, around and behind a number, what parts two options,
and their words' capitals. Fields such as `Question:` are left as they are: a prompt may say the
same word in its instructions or its examples, and the one that asks for the answer is what the
task's own scorer looks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from bias_tasks.probing.dress import Dress
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.probes.labels import SCHEMES

OWN = ""
"""The task's own way, in every part of a format."""
LABELS: Mapping[str, tuple[str, ...]] = {
    "digits": SCHEMES[0],
    "roman": SCHEMES[1],
    "letters-from-p": SCHEMES[2],
    "small-letters": tuple("abcdefghij"),
}
_DESCRIPTORS = (OWN, "Option", "OPTION", "option")
_AROUND = {
    "round": "({label})",
    "half": "{label})",
    "dot": "{label}.",
    "square": "[{label}]",
    "angle": "<{label}>",
    "bare": "{label}",
}
_BEHIND = {OWN: " ", "colon": ": ", "colons": " :: ", "dash": " - ", "tab": "\t"}
_BETWEEN = {
    "blank-line": "\n\n",
    "semicolon": "; ",
    "semicolon-line": ";\n",
    "comma": ", ",
    "bar": " | ",
    "bars": " || ",
    "dashes": " -- ",
}
_CAPITALS = ("upper", "lower")


@dataclass(frozen=True, slots=True)
class Format:
    """One way to print options; the plain one has the task's own way in every part."""

    labels: str = OWN
    descriptor: str = OWN
    around: str = OWN
    behind: str = OWN
    between: str = OWN
    capitals: str = OWN

    @property
    def name(self) -> str:
        """The parts that are not the task's own, in the grammar's words; the same in every run."""
        parts = (self.labels, self.descriptor, self.around, self.behind)
        return "+".join(part for part in (*parts, self.between, self.capitals) if part) or PLAIN

    @property
    def dress(self) -> Dress | None:
        """What puts it into a finished prompt; None for the plain one."""
        if self == Format():
            return None
        return Dress(
            labels=LABELS.get(self.labels, ()),
            mark=self._mark,
            between=_BETWEEN.get(self.between, ""),
            capitals=self.capitals,
        )

    @property
    def _mark(self) -> str:
        if not self.around:
            return ""
        descriptor = f"{self.descriptor} " if self.descriptor else ""
        return f"{descriptor}{_AROUND[self.around]}{_BEHIND[self.behind]}"


@cache
def every_format(labels: bool = True, capitals: bool = True) -> tuple[Format, ...]:
    """All formats of the grammar, the plain one first.

    Args:
        labels: whether options may be numbered otherwise.
        capitals: whether their words may be set in capitals, or without.
    """
    return tuple(
        Format(numbered, *mark, between, cased)
        for numbered, mark, between, cased in product(
            (OWN, *LABELS) if labels else (OWN,),
            tuple(_marks()),
            (OWN, *_BETWEEN),
            (OWN, *_CAPITALS) if capitals else (OWN,),
        )
    )


def _marks() -> Iterator[tuple[str, str, str]]:
    """Descriptor, what stands around a number and behind it; the task's own first."""
    yield OWN, OWN, OWN
    for mark in product(_DESCRIPTORS, _AROUND, _BEHIND):
        if mark[1:] != ("bare", OWN):  # `A forty`: a number would pass for a word
            yield mark
