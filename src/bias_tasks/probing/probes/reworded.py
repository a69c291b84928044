"""The same question in other words, or in another language."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from bias_tasks.binary_qa.items import Reformulation
from bias_tasks.binary_qa.reformulation.grammar import reformulate
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe
from bias_tasks.probing.rewordings.file import HOW, Rewordings
from bias_tasks.probing.rewordings.row import Kind, Row

_SAME: tuple[Reformulation, ...] = ("synonym", "polite")


@dataclass(frozen=True, slots=True)
class _OfFile(Probe):
    """A probe for which a reviewed file says how items are asked."""

    rewordings: Rewordings | None = None

    kind: ClassVar[Kind]
    """Which of the file's rows are its own."""
    takes_rewordings = True

    def with_rewordings(self, rewordings: Rewordings | None) -> Probe:
        """The probe that takes a file's texts."""
        return replace(self, rewordings=rewordings)

    def notes(self, items: Sequence[ProbedItem]) -> tuple[str, ...]:
        """Who made them."""
        return () if self.rewordings is None else self.rewordings.notes(self.kind, items)

    def _row(self, item: ProbedItem) -> Row | None:
        return None if self.rewordings is None else self.rewordings.row(item, self.kind)


@dataclass(frozen=True, slots=True)
class Paraphrase(_OfFile):
    """Rewordings of a reviewed file, or by a grammar, of questions whose shape it knows."""

    name = kind = "paraphrase"
    meaning = "the question in other words: by the grammar, or those of a file (`rewordings`)"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """The file's rewording of the item; without one a synonym, or a polite frame about it."""
        row = self._row(item)
        if row is not None:
            return Asked(text=_taken(row, item))
        made = by_grammar(item, rng)
        if made is None:
            more = "" if self.rewordings is None else ", and the file has no rewording of it"
            raise DoesNotApplyError(f"the grammar can't reword it{more}")
        return Asked(text=made)


@dataclass(frozen=True, slots=True)
class Language(_OfFile):
    """Translations of a reviewed file. Choices, examples and instructions stay as they are."""

    name = kind = "language"
    meaning = "the question in another language, of a file (`rewordings`); its choices stay"

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """The file's translation of the item.

        An answer that is written in the original's words is asked for in its language; where
        choices are compared by their likelihood (`right` is known of an item without printed
        choices) nothing is written.
        """
        row = self._row(item)
        if row is None:
            raise DoesNotApplyError("the file has no translation of it")
        written = not (item.choices or item.right) and any(each.isalpha() for each in item.target)
        ending = f"Give your final answer in {row.original_language}." if written else ""
        return Asked(text=_taken(row, item), ending=ending)

    def lacking(self) -> str | None:
        """A file with translations."""
        if self.rewordings is None:
            return f"needs a file of translations, as rewordings=rewordings.jsonl: {HOW}"
        if self.name not in self.rewordings.kinds():
            return f"needs translations, and rewordings={self.rewordings.path!r} has none: {HOW}"
        return None


def by_grammar(item: ProbedItem, rng: random.Random) -> str | None:
    """One of the grammar's rewordings that keep the answer; None where it can make none."""
    made = [text for kind in _SAME if (text := reformulate(item.text, kind)) is not None]
    return rng.choice(made) if made else None


def _taken(row: Row, item: ProbedItem) -> str:
    """A row's text, between the blanks that the original has around it."""
    reason = row.refusal(item) if item.text.strip() else "it has no text of its own"
    if reason is not None or row.reworded is None:
        raise DoesNotApplyError(reason or "no text was made")
    text = item.text
    begin = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    return f"{text[:begin]}{row.reworded.strip()}{text[end:]}"
