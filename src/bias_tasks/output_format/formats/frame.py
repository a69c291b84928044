"""What stands round an answer and is no part of it: marks, a fence, a lead, a closing remark.

"Without any explanation" is another request than a format: a lead ("Here is a list:") and a remark
are tolerated where they can be told from the answer, and do not take it back.
"""

import re
from collections.abc import Sequence

from bias_tasks.output_format.formats.notation import literal_end
from bias_tasks.output_format.formats.stretches import NotFollowedError

Pairs = Sequence[tuple[str, str]]

EMPHASIS: Pairs = (("***", "***"), ("**", "**"), ("*", "*"), ("`", "`"))
TYPOGRAPHIC: Pairs = (("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»"), ("「", "」"), ("『", "』"))
STRAIGHT: Pairs = (('"', '"'), ("'", "'"))
UNDERSCORES: Pairs = (("__", "__"), ("_", "_"))
"""Emphasis as well, but also part of a name (`__init__`)."""
BULLET = re.compile(r"(?:[-*+‐‑‒–—−][ \t]|[•‣◦·∙▪▫●○■□⁃➢➤►▶])\s*+(?P<element>\S.*)")
"""A bullet point. What is no bullet anywhere else needs a blank behind it."""
_NUMBERED = re.compile(r"\(?[0-9]{1,9}[.)]\s|[0-9]\ufe0f?\u20e3|[①-⑳]|[a-z]\)\s")
_MOST_LAYERS = 4
DOTS = re.compile(r"[\W_]*(?:\.{3}|…)[\W_]*")
"""The dots of a layout: `...`, `[…]`."""
_SENTENCE = re.compile(
    r"(?:(?:\S++\s++){7}|[A-Z](?=.{0,200}\b(?:is|are|was|were|has|have|had|will|can)\b)).*"
    r"[.!?][\"'”’)*_]{0,3}",
    re.DOTALL,
)
_FENCE = re.compile(r"(?m)^[ \t]{0,20}(?:```|~~~)[\w+-]{0,20}[ \t]*$")
_HERE = r"(?:sure|certainly|of course|okay|ok|absolutely)\b|(?:here|below)(?:'s|’s| is| are)\b"
_NAMED = (
    r"(?:(?:the|my|a|your|extracted|final|binary|python|yaml|json|bullet(?:ed|[- ]point)?"
    r"|requested|relevant|main) ){0,4}"
    r"(?:list(?: of)?|key[ -]?(?:phrases|words|terms)|answer|output|entities|elements|results?"
    r"|yaml|json)(?: list| keyphrases| entities)?"
)
_ANNOUNCES = re.compile(rf"#.*|.*[:：]|{_NAMED}|(?:{_HERE}).*", re.IGNORECASE)
_LABELLED = re.compile(
    rf"(?:(?:{_HERE})[^:：\n]{{0,150}}|[^:：\n]{{0,60}}?\b{_NAMED}\b[^:：\n]{{0,60}})"
    r"[*_]{0,3}[:：][*_]{0,3}+\s*+(?=\S)",
    re.IGNORECASE,
)
_NOT_THE_ANSWER = re.compile(
    r"\b(?:can't|can’t|cannot|(?:un|not )able to|no document|not provided"
    r"|(?:don't|don’t|do not) (?:see|have)|please (?:provide|share|paste)"
    r"|for instance|examples?|e\.g\.|(?:would|could|might|should) (?:be|look)|looks? like|wrong"
    r"|incorrect|(?:is|are) not|isn't|isn’t|aren't|aren’t)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?m)^(?P<name>[ \t]*|[^\[\]{}\n\"'][^\[\]{}\n]{0,200}[:：=][*_`]{0,3}[ \t]*)(?=[\[{])"
)
_LINE_ENDS = re.compile(r"[ \t\r]*[*_`]{0,3}[.;]?[ \t\r]*(?:#[^\n]*)?(?:\n|\Z)")


def unmarked(text: str, pairs: Pairs) -> str:
    """The text without the marks of these pairs that enclose all of it, and without blanks. A mark
    that also stands within (`*a* and *b*`) does not."""
    text = text.strip()
    for _ in range(_MOST_LAYERS):
        text = next((inner for pair in pairs if (inner := _inside(text, *pair))), text)
    return text


def _inside(text: str, opening: str, closing: str) -> str:
    if not (text.startswith(opening) and text.endswith(closing)):
        return ""
    inner = text[len(opening) : -len(closing)]
    return "" if opening in inner or closing in inner else inner.strip()


def marked(line: str) -> bool:
    """Whether a line is a bullet or numbered."""
    return BULLET.fullmatch(line) is not None or _NUMBERED.match(line) is not None


def is_sentence(text: str) -> bool:
    """Whether a text is a sentence: by its length, or by its verb."""
    return _SENTENCE.fullmatch(text.strip()) is not None


def is_remark(text: str) -> bool:
    """Whether a text is said about a list: it ends like a sentence, and is no list."""
    ends = text.rstrip(" )*_\n").endswith(("!", ".", "?"))
    return ends and not any(marked(line.strip()) for line in text.split("\n"))


def framed(text: str) -> tuple[str, bool]:
    """What an answer's one fence holds, which may lack its end; else the whole answer, with lead
    and remark. Without blanks round it; and whether there is a fence."""
    before, *fenced = _FENCE.split(text, maxsplit=3)
    if len(fenced) > 2:
        raise NotFollowedError("more than one fenced block")
    if len(fenced) < 2 and not "".join(fenced).strip():
        return before.strip(), False
    check_lead(before)
    return fenced[0].strip(), True


def literal_in(text: str, opening: str) -> str:
    """The piece of an answer that is its one list or mapping, as Python or JSON write it: it begins
    a line with this bracket, alone or behind a name, and ends one; in a fence it stands alone."""
    inside, fenced = framed(text)
    body = unmarked(inside, EMPHASIS)
    begins = _BEGINS.search(body)
    if begins is None or body[begins.end()] != opening:
        raise NotFollowedError(f"no line begins with {opening}")
    end = literal_end(body, begins.end())
    line_ends = _LINE_ENDS.match(body, end)
    if line_ends is None:
        raise NotFollowedError("something follows in its line")
    if fenced and (body[: begins.start()] + body[line_ends.end() :]).strip():
        raise NotFollowedError("it does not stand alone in its fence")
    if _BEGINS.search(body, line_ends.end()):
        raise NotFollowedError("more than one list or mapping")
    check_lead(body[: begins.end()])
    return body[begins.end() : end]


def check_lead(before: str) -> None:
    """Raise a NotFollowedError where what stands before an answer says that it is none."""
    if _NOT_THE_ANSWER.search(before):
        raise NotFollowedError("what stands before it says that it is not the answer")


def check_announced(before: Sequence[str], why: str) -> None:
    """Raise a NotFollowedError where the lines before an answer do not lead to it."""
    lead = [line for line in before if line.strip()]
    if lead and not announces(lead[-1]):
        raise NotFollowedError(why)
    check_lead("\n".join(lead))


def announces(line: str) -> bool:
    """Whether a line leads to a list: it ends in a colon, is a heading, or says "Here is"."""
    return _ANNOUNCES.fullmatch(unmarked(line, EMPHASIS)) is not None and not _LABELLED.match(line)


def without_label(line: str) -> str:
    """A line without the name of what it gives: `Keyphrases: a` is `a`."""
    found = _LABELLED.match(line)
    return line if found is None else line[found.end() :]
