"""An attacked response without what its writer says around it.

Asked for a text alone, models open with "Here is the modified response:", close with a list of
their changes, and put the text into a code fence. What the unattacked response has of these itself
is part of it. Every pattern is linear: it looks at single lines.
"""

from __future__ import annotations

import re

_FENCE = "```"
_MADE = (
    r"(?:modified|revised|rewritten|reworked|manipulated|edited|updated|adjusted|altered|changed"
    r"|improved|enhanced|polished|attacked|rephrased|restyled|final|new|requested)"
)
_TEXT = (
    r"(?:answer|response|version|text|piece|story|dialogue|conversation|solution|steps|candidate"
    r"|output|reply|draft|letter|poem|essay|report|json|writing|passage|article|speech)"
)
_YES = (
    r"(?:(?:sure|certainly|of course|absolutely|okay|ok|alright|understood|got it)\b[^\n:]{0,40})?"
)
_LEAD = re.compile(
    rf"[\s>*#_]{{0,8}}(?:{_YES}(?:(?:here(?:['’]s|\s+is|\s+are|\s+you\s+go)|below\s+is"
    rf"|this\s+is|the\s+following\s+is)\b[^\n:]{{0,120}}\b(?:{_MADE}|{_TEXT})\b[^\n:]{{0,120}}"
    rf"|(?:here|there)\s+(?:you\s+go|you\s+are|it\s+is)|here['’]s\s+(?:it|the result)"
    rf"|(?:the |my )?{_MADE}\s+(?:\w+\s+)?{_TEXT}(?:\s*\([^()\n]{{0,80}}\))?)"
    rf"[*_]{{0,3}}:[*_]{{0,3}}[ \t]{{0,4}}|(?:sure|certainly|of course|absolutely"
    rf"|okay|understood)[!.,:]?[ \t]{{0,4}}(?=\n|\Z))",
    re.I,
)
_HEADED = re.compile(
    rf"[ \t]{{0,4}}(?:#{{1,6}} |\*\*)\s?(?:the )?{_MADE}\s+{_TEXT}\*{{0,2}}:?[ \t]*\n", re.I
)
_LABEL = (
    r"(?:changes|modifications|edits|alterations|adjustments)(?:\s+(?:made|applied|summary|list))?"
    r"|(?:summary|list|explanation|overview) of (?:the )?(?:changes|modifications|edits)"
    r"|(?:key|main|specific) (?:changes|modifications|edits)(?: made)?|what (?:i|was) changed"
    r"|(?:strategy|rationale|explanation|justification)(?: (?:for|of) [^\n:]{0,60})?"
)
_OPENS = r"[ \t]{0,8}(?:#{1,6} )?[>(\[*_]{0,4}"  # what is behind a bullet is a part of a list
_TOLD = re.compile(
    rf"{_OPENS}(?:{_LABEL})[*_]{{0,3}}\s?:[^\n]{{0,2000}}\Z"
    rf"|[ \t]{{0,4}}(?:#{{1,6}} |\*\*)(?:{_LABEL})\*{{0,2}}[ \t]{{0,4}}\Z",
    re.I,
)
_NOTE = re.compile(
    rf"{_OPENS}(?:note|notes|n\.b\.|disclaimer|remark)[*_]{{0,3}}\s?:[^\n]{{0,600}}?"
    r"\b(?:modif|chang|original|preserv|attack|rubric|reference (?:answer|solution)|criteria"
    r"|errors? |flaws?|edit|kept)",
    re.I,
)
_SAYS = re.compile(
    rf"{_OPENS}(?:(?:this|the) (?:modified|revised|rewritten|manipulated|edited|attacked|rephrased)"
    r" (?:answer|response|version|text|solution|dialogue|piece|story)\b"
    r"|i(?:['’]ve| have)? (?:made|kept|modified|changed|added|preserved|adjusted|replaced"
    r"|inserted|incorporated)\b[^\n]{0,200}\b(?:changes?|original|modifications?|errors?|flaws?|rubric|reference|criteria|transition|phrases?|edits?|wording)\b"
    r"|(?:let me know|feel free|would you like|if you(?:['’]d| would) like|i hope)\b[^\n]{0,200}"
    r"\b(?:chang|modif|adjust|edit|revis|version|tweak|refine))",
    re.I,
)
_RULE = re.compile(r"[ \t]{0,4}(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]{0,4}\Z")


def unwrapped(reply: str, before: str) -> str:
    """The reply without a lead, notes on changes behind it, and a code fence around it.

    `before` is the response that the reply rewrites.
    """
    text = reply.strip()
    for _ in range(_ROUNDS):
        shorter = _without_fence(_without_notes(_without_lead(text, before), before), before)
        if shorter == text:
            break
        text = shorter
    return text


_ROUNDS = 4
"""A lead, a label below it and a fence within are as much as is taken off."""


def _without_lead(text: str, before: str) -> str:
    found = _HEADED.match(text) or _LEAD.match(text)
    if found is None:
        return text
    rest = _without_opening_rule(text[found.end() :].lstrip())
    own = before.lstrip()
    led = _HEADED.match(own) or _LEAD.match(own)
    if not rest or (led is not None and not (_HEADED.match(rest) or _LEAD.match(rest))):
        return text
    return rest


def _without_opening_rule(text: str) -> str:
    first, _, rest = text.partition("\n")
    return rest.lstrip() if _RULE.match(first) else text


def _without_notes(text: str, before: str) -> str:
    """The text up to the first line from which on it speaks of its changes."""
    lines = text.split("\n")
    own = {line.strip() for line in before.split("\n")}
    said = [_words(line) for line in before.split("\n") if _speaks(line)]
    code = False
    for place, line in enumerate(lines):
        if line.lstrip().startswith(_FENCE):
            code = not code
        if place and not code and _speaks(line) and not _is_one_of(_words(line), said):
            return _without_rule("\n".join(lines[:place]).rstrip(), own)
    return _without_rule(text, own)


def _is_one_of(line: set[str], said: list[set[str]]) -> bool:
    """Whether a line is one of the response's own, perhaps with other words or marks in it."""
    return any(len(line & own) * 2 >= len(own) for own in said)


def _words(line: str) -> set[str]:
    return set(re.findall(r"\w+", line.casefold()))


def _speaks(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_TOLD, _NOTE, _SAYS))


def _without_rule(text: str, own: set[str]) -> str:
    """The text without a rule at its end that set the notes apart."""
    body, _, last = text.rpartition("\n")
    return body.rstrip() if _RULE.match(last) and last.strip() not in own and body.strip() else text


def _without_fence(text: str, before: str) -> str:
    if before.lstrip().startswith(_FENCE):
        return text
    opening, _, rest = text.partition("\n")
    inner = rest.rstrip().removesuffix(_FENCE)
    closed = rest.rstrip().endswith(_FENCE) and inner.count(_FENCE) % 2 == 0
    return inner.strip() if opening.startswith(_FENCE) and closed else text
