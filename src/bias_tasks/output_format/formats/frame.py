"""What stands round a list or mapping and is no part of it: a fence, a lead, a closing remark.

The formats say how the list or mapping is written. That it comes "without any explanation" is
another request, so that a lead ("Here is a list:") before it and a remark behind it are tolerated
where they can be told from it. One that takes the answer back, or none that a human would call an
answer, does not follow.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from bias_tasks.output_format.formats.marks import EMPHASIS, unmarked
from bias_tasks.output_format.formats.notation import literal_end
from bias_tasks.output_format.formats.types import NotFollowedError

FENCE = re.compile(r"(?m)^[ \t]{0,20}(?P<mark>```|~~~)[\w+-]{0,20}[ \t]*$")
_INLINE_FENCE = re.compile(r"```(?P<body>[^`\n]*)```")
_LEADING_WORDS = re.compile(
    r"(?:sure|certainly|of course|okay|ok|absolutely)\b|(?:here|below)(?:'s|’s| is| are)\b",
    re.IGNORECASE,
)
_NAMED = (
    r"(?:(?:the|my|a|your|list of|extracted|final|binary|python|yaml|json|bullet(?:ed|[- ]point)?"
    r"|requested|relevant|main|most important) ){0,4}"
    r"(?:list|key[ -]?(?:phrases|words|terms)|answer|output|entities|elements|results?"
    r"|yaml|json)(?: list)?"
)
_NAME = re.compile(_NAMED, re.IGNORECASE)
_NAMES_IT = re.compile(
    rf"(?:(?P<here>{_LEADING_WORDS.pattern})[^:：\n]{{0,150}}|[^:：\n]{{0,60}}?\b{_NAMED}\b[^:：\n]{{0,60}})"
    r"[*_]{0,3}[:：][*_]{0,3}\s*",
    re.IGNORECASE,
)
_NOT_THE_ANSWER = re.compile(
    r"\b(?:can't|can’t|cannot|can not|unable to|not able to|no document|not provided|(?:don't|don’t"
    r"|do not) (?:see|have)|please (?:provide|share|paste)|for instance|examples?|e\.g\."
    r"|(?:would|could|might|should) (?:be|look)|looks? like|instead of|wrong|incorrect|rejected"
    r"|(?:is|are) not|not the answer|isn't|isn’t|aren't|aren’t|not key)\b",
    re.IGNORECASE,
)
_RETRACTED = re.compile(
    r"\b(?:disregard|ignore (?:the|this|that)|scratch that|on second thought|wait|correction)\b",
    re.IGNORECASE,
)
CODE = re.compile(
    r"(?m)^[ \t]{0,20}(?:import \w|from \w[\w.]{0,50} import\b|def \w|class \w|for \w.{0,100}:$"
    r"|print\(|return\b)"
)
_BEGINS = re.compile(
    r"(?m)^(?P<name>[ \t]*|[^\[\]{}\n\"'][^\[\]{}\n]{0,200}[:：=][*_`]{0,3}[ \t]*)(?=[\[{])"
)
_LINE_ENDS = re.compile(r"[ \t\r]*[*_`]{0,3}[.;]?[ \t\r]*(?:#[^\n]*)?(?:\n|\Z)")
_COMMENTS = re.compile(r"(?:\s++|#[^\n]*+)*+")


class Framed(NamedTuple):
    """An answer's parts."""

    before: str
    body: str
    """Without blanks round it."""
    behind: str
    fenced: bool
    """The body is what a fence holds; else it is the whole answer, lead and remark included."""


def framed(text: str) -> Framed:
    """An answer by its one fence, which may lack its end; several are several answers."""
    inline = _INLINE_FENCE.fullmatch(text.strip())
    if inline is not None:
        return Framed("", inline["body"].strip(), "", True)
    fences = list(islice(FENCE.finditer(text), 3))
    if not fences:
        return Framed("", text.strip(), "", False)
    if len(fences) > 2:
        raise NotFollowedError("more than one fenced block")
    before, first = text[: fences[0].start()].strip(), fences[0].end()
    if len(fences) == 1 and not text[first:].strip():
        return Framed("", before, "", False)
    last, behind = (fences[1].start(), fences[1].end()) if len(fences) == 2 else (None, len(text))
    found = Framed(before, text[first:last].strip(), text[behind:].strip(), True)
    check_frame(found.before, found.behind)
    return found


def literal_in(text: str, opening: str) -> str:
    """The piece of an answer that is its one list or mapping, as Python or JSON write it.

    It begins a line, alone or behind a name (`keyphrases = [...]`, `Keyphrases: [...]`), and ends
    one; in a fence it stands alone. Whether it is what was asked for is seen when it is parsed.

    Args:
        text: the answer.
        opening: the bracket that opens it.

    Raises:
        NotFollowedError: the first that the answer gives is of the other kind, is not well formed,
            or not the only one.
    """
    parts = framed(text)
    body = unmarked(parts.body, EMPHASIS)
    begins = _BEGINS.search(body)
    if begins is None or body[begins.end()] != opening:
        raise NotFollowedError(f"no line begins with {opening}")
    end = literal_end(body, begins.end())
    line_ends = _LINE_ENDS.match(body, end)
    if line_ends is None:
        raise NotFollowedError("something follows in its line")
    before, behind = body[: begins.start()], body[line_ends.end() :]
    if parts.fenced and not (_COMMENTS.fullmatch(before) and _COMMENTS.fullmatch(behind)):
        raise NotFollowedError("it does not stand alone in its fence")
    if _BEGINS.search(behind):
        raise NotFollowedError("more than one list or mapping")
    check_frame(before + begins["name"], behind)
    return body[begins.end() : end]


def check_frame(before: str, behind: str) -> None:
    """What stands before a list or mapping, or behind it, neither takes it back nor is a program.

    Raises:
        NotFollowedError: it does.
    """
    if _NOT_THE_ANSWER.search(before):
        raise NotFollowedError("what stands before it says that it is not the answer")
    if _RETRACTED.search(behind):
        raise NotFollowedError("what stands behind it takes it back")
    if CODE.search(before) or CODE.search(behind):
        raise NotFollowedError("it stands in a program")


def announces(line: str) -> bool:
    """Whether a line leads to a list: it ends in a colon, is a heading, or says "Here is"."""
    line = line.strip()
    if line.startswith("#"):
        return True
    words = unmarked(line, EMPHASIS)
    if words.endswith((":", "：")) or _NAME.fullmatch(words):
        return True
    return _LEADING_WORDS.match(words) is not None and without_label(line) == line


def without_label(line: str) -> str:
    """A line without the name of what it gives: `Keyphrases: a` is `a`."""
    found = _NAMES_IT.match(line)
    return line if found is None else line[found.end() :]
