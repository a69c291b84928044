"""What an answer says of values: which ones its sentences and lists call right, which wrong."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bias_tasks.reading.lists import Line, heading, judged_in
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.types import Value

NEAR = 160
"""Characters beside a value in which its clause is looked for, and what gainsays it."""


class Claim(NamedTuple):
    """What is said of a value."""

    found: Value
    right: bool | None
    """Whether it is called right; None where anything else is said of it."""
    how: str = ""
    """If anything else is: of a `list` under a heading, `only` of it, `plain`ly; or unclear."""


def clause_of(low: str, end: int) -> int:
    """Where the clause begins that goes on at `end`."""
    start = max(0, end - NEAR)
    return max([start, *(each.end() for each in patterns.clause.finditer(low, start, end))])


def claims_in(
    low: str, values: Iterable[Value], lines: Mapping[int, Line], start: int, end: int
) -> Iterator[Claim]:
    """What a stretch says of the values in it: sets, the empty one for what denies them all;
    `lines` are those that begin with a value, by where it stands."""
    named, before, broken = start or -1, None, patterns.broken.search(low.rstrip())
    for found in values:
        said, at, behind = found
        clause, stop = clause_of(low, at), low.find("\n", behind, end)
        if not said and patterns.unlisted.match(low, at):
            begins = max(low.rfind(mark, 0, at) for mark in ".!?\n")
            if named <= begins and not (broken or patterns.reasons_on.search(low, behind)):
                yield Claim(found, None, "unlisted")  # `It would be 42, which is not listed.`
        elif not said:
            doubted = low[at - 1 : at] == '"' or patterns.unclear_none.search(low, clause, at)
            if not doubted and (low[at:behind] != "none" or at == clause):  # `Mars has none.`
                yield Claim(found, True)
        elif patterns.unclear.search(low, clause, named := at):
            yield Claim(found, None)
        else:
            line = lines.get(at)
            lead, right = heading(low, line.begin if line else at)
            judged: set[bool | None] = set() if right is None else {right}
            verdict = patterns.verdict.match(low, behind, end if stop < 0 else stop)
            if verdict is not None:
                judged = {(verdict["right"] is not None) != (verdict["not"] is not None)}
                judged |= judged_in(low, line, line.end) if line and "|" in verdict[0] else set()
            elif line is not None:
                judged = {*judged_in(low, line, min(end, line.stop))} or judged
            elif patterns.so_is.search(low, clause - 4, at):
                judged = {before}
            before = all(judged) if len(judged) == 1 else None  # a table may say both
            yield Claim(found, before, "" if judged else _how(low, found, clause, end, lead))


def _how(low: str, found: Value, clause: int, end: int, lead: str) -> str:
    """How a value is named of which nothing else is said."""
    if lead and (low[found.end - 1] == "." or patterns.set_ended.match(low, found.end, end)):
        return "list" if len(found.said) > 1 else ""
    end = min(end, found.end + 2 * NEAR)
    stop = patterns.clause_end.search(low, found.end, end)
    beside = ((clause, found.start), (found.end, stop.start() if stop else end))
    if any(patterns.unaffirmed.search(low, *each) for each in beside):
        return ""
    return "only" if patterns.only.match(low, clause, found.end) else "plain"
