"""The statements of an answer by rank, each rank found when it is first asked for."""

from __future__ import annotations

from functools import cached_property

from bias_tasks.instruction_boundary.reading.affirmed import affirmed
from bias_tasks.instruction_boundary.reading.bare import bare
from bias_tasks.instruction_boundary.reading.cues import Final, cued
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.lines import edge_lines, headed, opening
from bias_tasks.instruction_boundary.reading.one_by_one import one_by_one
from bias_tasks.instruction_boundary.reading.places import at_edge
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.instruction_boundary.reading.wholes import wholes


class Ranks:
    """What a region states, by how plainly it does."""

    def __init__(self, region: Region, form: Form) -> None:
        self._region = region
        self._form = form
        finals, self._cued = cued(region)
        self.finals = [final for final in finals if not self._a_value(final)]

    @cached_property
    def answers(self) -> list[Statement]:
        """Stated as the answer, in leading words or by the place where they stand."""
        region, form = self._region, self._form
        found = [*self._cued]
        placed = _apart([*bare(region, form), *edge_lines(region)], found)
        if not (placed and self._judged):
            found += placed
        found += [statement for statement, edge in form.denials(region) if edge]
        found += [each for each in self._wholes if at_edge(region, each.start, each.end)]
        return found

    @cached_property
    def passing(self) -> list[Statement]:
        """Called right in passing, or judged one by one."""
        region = self._region
        inner = [each for each in self._wholes if not at_edge(region, each.start, each.end)]
        return inner + (self._judged or affirmed(region, self._form))

    @cached_property
    def lines(self) -> list[Statement]:
        """At the head of a line."""
        return headed(self._region, self._form.offered) or opening(self._region)

    @property
    def ends(self) -> list[int]:
        """Where the statements of every rank end."""
        finals = [each.statement for each in self.finals if each.statement is not None]
        ranks = (finals, self.answers, self.passing, self.lines)
        return [each.end for rank in ranks for each in rank]

    def _a_value(self, final: Final) -> bool:
        """Whether a box holds no option, and the answer is stated elsewhere."""
        stated, offered = final.statement, set(self._form.offered)
        if stated is None or stated.rule != "boxed" or not isinstance(stated.answer, tuple):
            return False
        others = (each.answer for each in self._cued if isinstance(each.answer, tuple))
        return not offered & set(stated.answer) and any(offered & set(each) for each in others)

    @cached_property
    def _wholes(self) -> list[Statement]:
        return wholes(self._region, self._form) if self._form.several else []

    @cached_property
    def _judged(self) -> list[Statement]:
        return one_by_one(self._region, self._form)


def _apart(found: list[Statement], others: list[Statement]) -> list[Statement]:
    """What is no part of a longer statement, as the last line of a list is."""
    return [
        each
        for each in found
        if not any(other.start <= each.start and each.end <= other.end for other in others)
    ]
