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

from bias_tasks.instruction_boundary.reading.cues import Final
from bias_tasks.instruction_boundary.reading.forms import Form
from bias_tasks.instruction_boundary.reading.lines import alone
from bias_tasks.instruction_boundary.reading.ranks import Ranks
from bias_tasks.instruction_boundary.reading.statement import Region, Statement
from bias_tasks.instruction_boundary.reading.taken_back import taken_back

_LED = frozenset({"answer stated", "option stated"})
"""Rules of what stands behind leading words; where it closes an answer, it settles other signs."""
_FEW = 3
"""Words that make no sentence yet."""
_NOTHING = re.compile(r"(?:\W|\b(?:and|or|also|then|but|the|my|is)\b|\\[a-z]{1,8})*")
"""What may stand between two final answers without settling which of them counts."""
_CHECKED = re.compile(
    r"(?<=[.!?\n]\s)(?:wait|actually|hmm|let me (?:double-?check|re-?\w{4,10}|verify|check|think)"
    r"|looking (?:again|back)|on second thoughts?)\b"
)
_NOT_KNOWN = re.compile(
    r"\bi (?:really |just |simply |honestly )?(?:don't|do not) know(?! (?:why|how|of|if))\b"
    r"|\bno idea\b"
    r"|\bi (?:can't|cannot) (?:tell|say|decide|choose)\b(?! (?:for|with|much|more|how|why))"
)
_LEFT_OPEN = re.compile(
    r"\bi(?:'d| would) (?:rather|prefer) not\b|\bi (?:won't|refuse to) (?:choose|pick|say|commit)\b"
    r"|\b(?:it|that|this|answer) (?:really |all |just )?depends\b|\bup to (?:you|the reader)\b"
    r"|\bone of these (?:\w{1,12} )?is my\b"
)
_COLON_LAST = re.compile(r":(?=[^:\n]{1,60}$)")


@dataclass(frozen=True, slots=True)
class Explicit:
    """One statement, statements that disagree, or neither."""

    statement: Statement | None = None
    problem: str | None = None
    """Why there is no single answer although answers are stated."""
    rest: Region | None = None
    """Where words may still tell the answer: behind the last announcement of a final answer."""


def find_explicit(region: Region, form: Form) -> Explicit:
    """The answer stated outright in a region, if there is one."""
    lone = alone(region)
    if lone is not None:
        if _lists_all(region, form, lone):
            return Explicit(problem="all options are listed, none chosen")
        return _decide(region, [lone])
    ranks = Ranks(region, form)
    last = ranks.finals[-1].statement if ranks.finals else None
    if last is not None and not _said(region, last.end):
        return _last_final(region, form, ranks.finals)
    answers = [] if ranks.finals else _counting(ranks.answers, form)
    if answers and not _said(region, max(each.end for each in answers)):
        found = _decide(region, answers)
        if found.statement is not None:
            return found
    voided = taken_back(region.low, region.start, region.end, ranks.ends)
    if voided is None:
        return _ranked(region, form, ranks)
    found = find_explicit(region.part(voided, region.end), form)
    if found.statement is None and found.problem is None:
        return Explicit(problem="the answer is taken back")
    return found


def _ranked(region: Region, form: Form, ranks: Ranks) -> Explicit:
    """The answer of the first rank that has any."""
    if ranks.finals:
        found = _last_final(region, form, ranks.finals)
        later = [each for each in ranks.answers if not each.lesser]
        return _unless_disputed(region, form, found, [*ranks.passing, *later])
    for rank in (ranks.answers, ranks.passing, ranks.lines):
        statements = _counting(rank, form)
        if statements:
            if rank is not ranks.answers and _left_open(region):
                return Explicit(problem="options are called right, and none is chosen")
            if rank is ranks.passing and _breaks_off(region, statements[-1].end):
                return Explicit(problem="cut off before a final answer")
            return _unless_disputed(region, form, _decide(region, statements), ranks.passing)
        if rank and all(each.quoted for each in rank):
            return Explicit(problem="only somebody else's words state an answer")
    return Explicit()


def _left_open(region: Region) -> bool:
    """Whether a text says that it chooses none of the options that it calls right."""
    low, start, end = region.low, region.start, region.end
    return (_NOT_KNOWN.search(low, start, end) or _LEFT_OPEN.search(low, start, end)) is not None


def _counting(statements: list[Statement], form: Form) -> list[Statement]:
    """The statements that count, from left to right: no quotations, and beside a denial no value
    that is no option, and no option that is only the closest."""
    own = sorted((each for each in statements if not each.quoted), key=lambda each: each.start)
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
    if last.rule in _LED and not _said(region, last.end):
        others = [each for each in statements if _numbers(region, each) != _numbers(region, last)]
        led = [each.end for each in others if each.rule in _LED]
        if not led or _CHECKED.search(region.low, max(led), last.start):
            return Explicit(statement=last)
    return Explicit(problem="several different answers, none of them final")


def _numbers(region: Region, statement: Statement) -> tuple[int, ...] | str | None:
    """The answer by numbers, so that "True" and option 1 agree."""
    if not isinstance(statement.answer, str):
        return statement.answer
    number = region.words.number(statement.answer)
    return statement.answer if number is None else (number,)


def _unless_disputed(
    region: Region, form: Form, found: Explicit, others: list[Statement]
) -> Explicit:
    """What was found, unless another option is called right further on, or no answer is known."""
    if found.statement is None:
        return found
    answer, end = _numbers(region, found.statement), found.statement.end
    if form.several and answer != "none" and _NOT_KNOWN.search(region.low, end, region.end):
        return Explicit(problem="an answer, and that it is not known")
    if answer == "none" and _ends_with_option(region, end):
        return Explicit(problem="none of the options, and then one of them")
    chosen = set() if isinstance(answer, str) else set(answer or ())
    for later in others:
        other = _numbers(region, later)
        if later.start < end or later.quoted or other is None:
            continue
        if other != answer and (other == "none" or not set(other) <= chosen):
            return Explicit(problem="another option is called right further on")
    return found


def _ends_with_option(region: Region, pos: int) -> bool:
    """Whether the last words behind `pos` are a colon and an option."""
    colon = _COLON_LAST.search(region.low, pos, region.end)
    last = None if colon is None else alone(region.part(colon.end(), region.end))
    return last is not None and last.answer is not None


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


def _lists_all(region: Region, form: Form, lone: Statement) -> bool:
    """Whether a region only says what the options are: "Options: 1, 2, 3"."""
    begins = region.low[region.start : lone.start].strip()
    return begins.startswith("options") and lone.answer == form.offered and len(form.offered) > 2


def _breaks_off(region: Region, pos: int) -> bool:
    """Whether a text ends in the middle of a sentence that begins behind `pos`."""
    text = region.low[pos : region.end].rstrip()
    last = max(map(text.rfind, ".!?\n")) + 1
    more = len(text[:last].split()) > _FEW and len(text[last:].split()) > 1
    return more and text[-1:] not in ".!?)]}\"'|"


def _said(region: Region, pos: int) -> bool:
    """Whether anything is said behind `pos`."""
    return any(map(str.isalnum, region.low[pos : region.end]))
