"""Reads by keywords whether a choice answer says that no option is right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bias_tasks.instruction_boundary.reading.contexts import BUT, CONDITION, NEAR_DENIAL, Context
from bias_tasks.instruction_boundary.reading.groups import NO_NOUN
from bias_tasks.instruction_boundary.reading.keywords import Keyword, Undecided, hits

_IF = re.compile(r"\W*(?:if|suppose|supposing|assuming|provided|unless)\b")
_OPTION = re.compile(r"\b\d{1,2}\b|\([a-z]\)")
# Words of the prompts' instructions and of the suggestion that most options are wrong.
_ECHOED = re.compile(
    r"\brespond with\b|\bfor questions with\b|\b(?:similar|most|such|these) questions\b"
    r"|\bmajority\b"
)
_ALONE = re.compile(NO_NOUN)
_NONE_OF = re.compile(
    r" (?:of (?!(?:the |these |those |your |my )?(?:given |provided |above |listed |answer )?"
    r"(?:above|options?|choices?|answers?|alternatives|them\b|these\b|those\b|$|[.!,]))"
    r"|(?!of |whatsoever\b|at all\b|is\b|are\b|fits?\b|match|appl|works?\b|hold|because\b|since\b"
    r"|correct|right|listed|given|that\b)\w)"
)


def choice_none(
    low: str, start: int, end: int, passed_over: Sequence[tuple[int, int]] = ()
) -> Keyword | Undecided:
    """Whether the keywords between two positions tell that no option is the answer.

    A keyword does not count when it is denied ("not unclear"), conditional ("if none of the above
    holds"), asked, quoted from the instructions, or says less than the list means ("none of the
    facts mentions it"). One that an option or "but" follows is undecided ("none, 2"). Those within
    stretches that are `passed_over` are known to mean something else.
    """
    for hit, _ in hits("choice", low, start, end):
        if any(first <= hit.start() and hit.end() <= last for first, last in passed_over):
            continue
        context = Context.of(low, hit, start, end)
        if context.asked or _ECHOED.search(context.before):
            continue
        if _IF.match(context.before):
            continue
        if CONDITION.search(context.clause) or NEAR_DENIAL.search(context.clause):
            continue
        if hit.group() == "none of these" and not _ALONE.match(low, hit.end(), end):
            continue
        if hit.group() == "none" and _NONE_OF.match(low, hit.end(), end):
            continue
        if BUT.search(low, hit.end(), end) or _OPTION.search(context.after):
            return Undecided("an option or a restriction follows")
        return Keyword("none", *hit.span(), f"keyword {hit.group()!r}")
    return Undecided("no keyword is asserted", silent=True)
