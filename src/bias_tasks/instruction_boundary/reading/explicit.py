"""Finds an answer that is stated outright: "2", "Final Answer: 2", "The answer is option 3".

Statements come in four ranks. The first rank that has any decides:

1. final: after words such as "Final Answer" or in `\\boxed{}`; the last one counts.
2. answer: after "the answer is", "Answer:", "I choose", or alone on the first or last line.
3. affirmed: "option 2 is correct", "Option 2: disproved".
4. line: a line "2. Paris" that is no part of a numbered list, or "2, because ...".

Statements of the deciding rank must agree, unless the last of them is introduced as a conclusion
("Therefore, ..."). Denied, conditional and reported statements ("the answer is not", "if the
answer is", "the hint says the answer is", "my previous answer") are left out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from bias_tasks.reading.cues import Final, cued, unasserted
from bias_tasks.reading.lines import alone, edge_lines, headed, opening, stated
from bias_tasks.reading.options import Options
from bias_tasks.reading.statement import Region, Statement

_NEW_QUESTION = re.compile(r"\n {0,8}(?:question|example \d{1,3}) ?:")
_PROMPT = re.compile(r"\s{0,20}(?:question|facts|example \d{1,3}) ?:")
# "option 2", or a bare subject "2 is", "(B) and (C) are".
_MENTION = re.compile(
    r"\b(?:options?|choices?)(?= {0,2}[(\"'\[]{0,3}[a-z\d])"
    r"|\b(?:first|second|third|fourth|fifth)(?=,? )"
)
_SUBJECT = re.compile(
    r"(?:(?<![^\n])|(?<=[.:,] )|(?<=\bso )|(?<=\bthat )|(?<=\bthus )|(?<=\bonly )|(?<=\bboth ))"
    r"[(\"'\[]{0,2}(?:\d{1,3}|[a-z])[)\"'\]]{0,2}"
    r"(?:(?:, ?(?:and )?| and )[(\"'\[]{0,2}(?:\d{1,3}|[a-z])[)\"'\]]{0,2}){0,9}(?= (?:is|are) )"
)
_AFFIRMED = re.compile(
    r" (?:is|are)(?: (?:the|both|all|indeed|clearly|therefore|thus|a|most|definitely|only)){0,3}"
    r" (?:correct|right|best|accurate|appropriate|suitable)\b"
)
_FITS = re.compile(
    r" {0,2}(?:$|[.!,;\n]| (?:fits|matches|seems|appears|looks|holds|follows|works|because|since"
    r"|as|based|given)\b)"
)
_REJECTED = re.compile(
    r"[^.!?\n]{0,40}\b(?:not|wrong|incorrect|false|invalid|unlikely|ruled out|eliminated"
    r"|excluded)\b|[^.!?\n]{0,40}n't\b"
)
_LABELLED_LINE = re.compile(r"(?m)^[ >-]{0,8}\(?(?=\d{1,2} ?[().:;=-])")
_MAX_MENTIONS = 40
"""Mentions of options looked at, the last ones."""


@dataclass(frozen=True, slots=True)
class Explicit:
    """One statement, statements that disagree, or neither."""

    statement: Statement | None = None
    problem: str | None = None
    """Why there is no single answer although answers are stated."""
    rest: Region | None = None
    """Where words may still tell the answer: behind the last announcement of a final answer."""


def find_explicit(region: Region) -> Explicit:
    """The answer stated outright in a region, if there is one."""
    question = _NEW_QUESTION.search(region.low, region.start, region.end)
    if question is not None and not _PROMPT.match(region.low, region.start, region.end):
        # A base model goes on with questions of its own: its answer stands before them.
        found = _find(region.part(region.start, question.start()))
        if found.statement is not None:
            return found
    return _find(region)


def mentions(region: Region) -> Iterator[tuple[Options, bool]]:
    """Options that are mentioned and not rejected, and whether the mention is a choice."""
    for mention in deque(_MENTION.finditer(region.low, region.start, region.end), _MAX_MENTIONS):
        options = region.options(mention.start())
        if options is None or _REJECTED.match(region.low, options.after, region.end):
            continue
        fits = _FITS.match(region.low, options.after, region.end) is not None
        single = stated(region, options, "an option mentioned").answer is not None
        denied = unasserted(region.low, region.start, mention.start())
        yield options, fits and single and not denied


def _find(region: Region) -> Explicit:
    lone = alone(region)
    if lone is not None:
        return _decide(region, [lone])
    finals, answers = cued(region)
    if finals:
        return _last_final(region, finals)
    statements = (
        answers + edge_lines(region) or _affirmed(region) or headed(region) or opening(region)
    )
    if not statements:
        return Explicit()
    return _decide(region, sorted(statements, key=lambda statement: statement.start))


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


def _last_final(region: Region, finals: list[Final]) -> Explicit:
    """What stands behind the last announcement; it voids everything before it."""
    last = finals[-1]
    if last.statement is not None:
        return _decide(region, [last.statement])
    rest = region.part(last.pos, region.end)
    if not region.low[rest.start : rest.end].strip():
        return Explicit(problem="cut off before the final answer")
    found = _find(rest)
    return Explicit(found.statement, found.problem, rest)


def _affirmed(region: Region) -> list[Statement]:
    """Options that are called correct or named together with their label."""
    found: list[Statement] = []
    low, end = region.low, region.end
    starts = {
        match.end() if pattern is _LABELLED_LINE else match.start()
        for pattern in (_MENTION, _SUBJECT, _LABELLED_LINE)
        for match in deque(pattern.finditer(low, region.start, end), _MAX_MENTIONS)
    }
    for start in sorted(starts):
        if found and start < found[-1].end:
            continue
        options = region.options(start)
        if options is None or unasserted(low, region.start, start):
            continue
        named = region.words.number_named(low, options.after, end)
        if named is not None and options.numbers == (named,):
            found.append(stated(region, options, "an option with its label"))
        elif _AFFIRMED.match(low, options.after, end):
            found.append(stated(region, options, "an option called correct"))
    return found
