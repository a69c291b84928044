"""Finds an answer that is stated outright: "2", "Final Answer: 2", "No correct answer".

Statements come in four ranks. The first rank that has any decides:

1. final: after words such as "Final Answer" or in `\\boxed{}`; the last one counts. Two that
   differ, with nothing said between them, are no answer.
2. answer: after "the answer is", "Answer:", "I choose"; alone on the first or last line; a first
   or last sentence that says an option and nothing else; that none of the options is right, or
   all but some are, at an edge of the answer or of a line.
3. affirmed: "option 2 is correct", "that leaves option 3", "Option 2: disproved"; options judged
   one by one; the statements of all or none of the options elsewhere.
4. line: a line "2. Paris" that is no part of a numbered list, or "2, because ...".

Statements of the deciding rank must agree, unless the last of them is introduced as a conclusion
("Therefore, ..."). Denied, conditional, reported and quoted statements ("the answer is not", "if
the answer is", "the hint says the answer is", "my previous answer") are left out, and so is the
closest option beside "none of them". Words that take back what was said ("Scratch that", "Wait,
no") void everything before them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.instruction_boundary.reading.affirmed import affirmed
from bias_tasks.instruction_boundary.reading.bare import bare
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.one_by_one import one_by_one
from bias_tasks.instruction_boundary.reading.places import at_edge
from bias_tasks.instruction_boundary.reading.wholes import wholes
from bias_tasks.reading.cues import Final, cued
from bias_tasks.reading.lines import alone, edge_lines, headed, opening
from bias_tasks.reading.statement import Region, Statement
from bias_tasks.reading.taken_back import taken_back


_PASSING = 1
"""The rank of statements made in passing, behind the first."""
_FEW = 3
"""Words of a last line that needs no full stop."""
_COLON_LAST = re.compile(r":(?=[^:\n]{1,60}$)")
_NOTHING = re.compile(r"(?:\W|\b(?:and|or|also|then|but|the|my|is)\b|\\[a-z]{1,8})*")
"""What may stand between two final answers without settling which of them counts."""


@dataclass(frozen=True, slots=True)
class Explicit:
    """One statement, statements that disagree, or neither."""

    statement: Statement | None = None
    problem: str | None = None
    """Why there is no single answer although answers are stated."""
    rest: Region | None = None
    """Where words may still tell the answer: behind the last announcement of a final answer."""


@dataclass(frozen=True, slots=True)
class _Stated:
    """The statements of a region by rank."""

    finals: list[Final]
    ranks: tuple[list[Statement], ...]
    """From the second rank on."""

    @property
    def ends(self) -> list[int]:
        """Where the statements end."""
        finals = [each.statement for each in self.finals if each.statement is not None]
        return [each.end for rank in (finals, *self.ranks) for each in rank]


def find_explicit(region: Region, form: Form) -> Explicit:
    """The answer stated outright in a region, if there is one."""
    lone = alone(region)
    if lone is not None:
        if _lists_all(region, form, lone):
            return Explicit(problem="all options are listed, none chosen")
        return _decide(region, [lone])
    finals, answers = cued(region)
    last = finals[-1].statement if finals else None
    if last is not None and not any(map(str.isalnum, region.low[last.end : region.end])):
        return _last_final(region, form, finals)
    stated = _stated(region, form, finals, answers)
    voided = taken_back(region.low, region.start, region.end, stated.ends)
    if voided is None:
        return _ranked(region, form, stated)
    behind = region.part(voided, region.end)
    found = find_explicit(behind, form)
    if found.statement is None and found.problem is None:
        return Explicit(problem="the answer is taken back")
    return found


def _lists_all(region: Region, form: Form, lone: Statement) -> bool:
    """Whether a region only says what the options are: "Options: 1, 2, 3"."""
    begins = region.low[region.start : lone.start].strip()
    return begins.startswith("options") and lone.answer == form.offered and len(form.offered) > 2


def _stated(
    region: Region, form: Form, finals: list[Final], answers: list[Statement]
) -> _Stated:
    """All statements of a region, beside those behind leading words."""
    answers += _apart(bare(region, form), answers)
    inner: list[Statement] = []
    answers += [statement for statement, edge in form.denials(region) if edge]
    for statement in wholes(region, form) if form.several else ():
        edge = at_edge(region, statement.start, statement.end)
        (answers if edge else inner).append(statement)
    judged = one_by_one(region, form)
    answers += [] if judged else _apart(edge_lines(region), answers)
    inner += judged or affirmed(region, form)
    return _Stated(finals, (answers, inner, headed(region) or opening(region)))


def _ranked(region: Region, form: Form, stated: _Stated) -> Explicit:
    """The answer of the first rank that has any."""
    if stated.finals:
        found = _last_final(region, form, stated.finals)
        return _unless_disputed(region, found, stated)
    for number, rank in enumerate(stated.ranks):
        statements = _counting(rank, form)
        if statements:
            if number == _PASSING and _breaks_off(region, statements[-1].end):
                return Explicit(problem="cut off before a final answer")
            found = _decide(region, sorted(statements, key=lambda each: each.start))
            return _unless_disputed(region, found, stated)
        if rank and all(each.quoted for each in rank):
            return Explicit(problem="only somebody else's words state an answer")
    return Explicit()


def _unless_disputed(region: Region, found: Explicit, stated: _Stated) -> Explicit:
    """What was found, unless another option is called right further on."""
    if found.statement is None:
        return found
    answer = _numbers(region, found.statement)
    chosen = set() if isinstance(answer, str) else set(answer or ())
    closing = _COLON_LAST.search(region.low, found.statement.end, region.end)
    last = None if closing is None else alone(region.part(closing.end(), region.end))
    if answer == "none" and last is not None and last.answer is not None:
        return Explicit(problem="none of the options, and then one of them")
    for later in stated.ranks[1]:
        other = _numbers(region, later)
        if later.start < found.statement.end or later.quoted or not isinstance(other, tuple):
            continue
        if not set(other) <= chosen:
            return Explicit(problem="another option is called right further on")
    return found


def _breaks_off(region: Region, pos: int) -> bool:
    """Whether a text ends in the middle of a sentence that begins behind `pos`."""
    text = region.low[pos : region.end].rstrip()
    last = max(map(text.rfind, ".!?\n")) + 1
    more = min(len(text[:last].split()), len(text[last:].split())) > _FEW
    return more and text[-1:] not in ".!?)]}\"'|"


def _apart(lines: list[Statement], others: list[Statement]) -> list[Statement]:
    """Lines that are no part of a longer statement, as the last of a list is."""
    return [
        line
        for line in lines
        if not any(each.start <= line.start and line.end <= each.end for each in others)
    ]


def _counting(statements: list[Statement], form: Form) -> list[Statement]:
    """The statements that count: no quotations, and beside a denial no value that is no option,
    and no option that is only the closest."""
    own = [each for each in statements if not each.quoted]
    if not any(each.answer == "none" for each in own):
        return own
    return [each for each in own if not each.lesser and not _a_value(each, form)]


def _a_value(statement: Statement, form: Form) -> bool:
    """Whether a statement beside a denial says what the right answer were, not an option."""
    if statement.answer is None or isinstance(statement.answer, str):
        return False
    return statement.rule == "answer stated" and not set(statement.answer) & set(form.offered)


def _decide(region: Region, statements: list[Statement]) -> Explicit:
    """The one answer that all statements give, or that the last one concludes with.

    Alternatives weighed earlier ("2 or 3") are no answer beside one.
    """
    last = statements[-1]
    if last.answer is None:
        return Explicit(problem=last.rule)
    answers = {_numbers(region, statement) for statement in statements if not statement.weighing}
    if last.concluding or answers == {_numbers(region, last)}:
        return Explicit(statement=last)
    return Explicit(problem="several different answers, none of them final")


def _numbers(region: Region, statement: Statement) -> tuple[int, ...] | str | None:
    """The answer by numbers, so that "True" and option 1 agree."""
    if not isinstance(statement.answer, str):
        return statement.answer
    number = region.words.number(statement.answer)
    return statement.answer if number is None else (number,)


def _last_final(region: Region, form: Form, finals: list[Final]) -> Explicit:
    """What stands behind the last announcement; it voids everything before it."""
    last = finals[-1]
    if last.statement is not None:
        if any(_contradicts(region, final, last.statement, last.start) for final in finals[:-1]):
            return Explicit(problem="two final answers that differ")
        return _decide(region, [last.statement])
    rest = region.part(last.pos, region.end)
    if not region.low[rest.start : rest.end].strip():
        return Explicit(problem="cut off before the final answer")
    found = find_explicit(rest, form)
    return Explicit(found.statement, found.problem, rest)


def _contradicts(region: Region, final: Final, last: Statement, start: int) -> bool:
    """Whether a final answer differs from the last one, with nothing said between them."""
    if final.statement is None or _numbers(region, final.statement) == _numbers(region, last):
        return False
    return _NOTHING.fullmatch(region.low, final.statement.end, start) is not None
