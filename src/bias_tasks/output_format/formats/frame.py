"""Removes what surrounds an answer: marks, a code fence, a lead-in, a closing remark.

The paper's prompts also say "without any explanation", which is not part of a format. Corrected
parsing therefore accepts a lead-in ("Here is a list:") and a remark if they are distinct from the
answer and do not retract it.
"""

import re
from collections.abc import Sequence

from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.parsing.json_values import find_end
from bias_tasks.parsing.notation import FENCE, is_list_line

Pairs = Sequence[tuple[str, str]]

EMPHASIS: Pairs = (("***", "***"), ("**", "**"), ("*", "*"), ("`", "`"))
TYPOGRAPHIC: Pairs = (("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»"), ("「", "」"), ("『", "』"))
STRAIGHT: Pairs = (('"', '"'), ("'", "'"))
UNDERSCORES: Pairs = (("__", "__"), ("_", "_"))
"""Emphasis in Markdown, but also part of names (`__init__`)."""
_MAX_LAYERS = 4
"""Nested pairs of marks that are removed."""
DOTS = re.compile(r"[\W_]*(?:\.{3}|…)[\W_]*")
"""The dots of a template that is not filled in: `...`, `[…]`."""
_SENTENCE = re.compile(
    r"(?:(?:\S++\s++){7}|[A-Z](?=.{0,200}\b(?:is|are|was|were|has|have|had|will|can)\b)).*"
    r"[.!?][\"'”’)*_]{0,3}",
    re.DOTALL,
)
_HERE_IS = r"(?:sure|certainly|of course|okay|ok|absolutely)\b|(?:here|below)(?:'s|’s| is| are)\b"
_LIST_NAME = (
    r"(?:(?:the|my|a|your|extracted|final|binary|python|yaml|json|bullet(?:ed|[- ]point)?"
    r"|requested|relevant|main) ){0,4}"
    r"(?:list(?: of)?|key[ -]?(?:phrases|words|terms)|answer|output|entities|elements|results?"
    r"|yaml|json)(?: list| keyphrases| entities)?"
)
_INTRODUCTION = re.compile(rf"#.*|.*[:：]|{_LIST_NAME}|(?:{_HERE_IS}).*", re.IGNORECASE)
_LABELLED = re.compile(
    rf"(?:(?:{_HERE_IS})[^:：\n]{{0,150}}|[^:：\n]{{0,60}}?\b{_LIST_NAME}\b[^:：\n]{{0,60}})"
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
_LITERAL_START = re.compile(
    r"(?m)^(?P<name>[ \t]*|[^\[\]{}\n\"'][^\[\]{}\n]{0,200}[:：=][*_`]{0,3}[ \t]*)(?=[\[{])"
)
_LINE_END = re.compile(r"[ \t\r]*[*_`]{0,3}[.;]?[ \t\r]*(?:#[^\n]*)?(?:\n|\Z)")


def strip_marks(text: str, pairs: Pairs) -> str:
    """Return the text without blanks and marks around it.

    A mark that also occurs inside does not enclose the whole text (`*a* and *b*`) and stays.
    """
    text = text.strip()
    for _ in range(_MAX_LAYERS):
        inner = next((inner for pair in pairs if (inner := _strip_pair(text, *pair))), "")
        if not inner:
            break
        text = inner
    return text


def _strip_pair(text: str, opening: str, closing: str) -> str:
    """Return the text between two marks; empty if they do not enclose the whole text."""
    if not (text.startswith(opening) and text.endswith(closing)):
        return ""
    inner = text[len(opening) : -len(closing)]
    return "" if opening in inner or closing in inner else inner.strip()


def is_sentence(text: str) -> bool:
    """Return whether a text is a sentence, by its length or by its verb."""
    return _SENTENCE.fullmatch(text.strip()) is not None


def is_remark(text: str) -> bool:
    """Return whether a text is a remark: it ends like a sentence and has no list items."""
    ends = text.rstrip(" )*_\n").endswith(("!", ".", "?"))
    return ends and not any(is_list_line(line.strip()) for line in text.split("\n"))


def strip_frame(text: str) -> tuple[str, bool]:
    """Return the content of an answer's code fence, or the whole answer, without outer blanks.

    The end of the fence may be missing. Without a fence, lead-in and remark stay.

    Returns:
        The content, and whether there is a fence.

    Raises:
        FormatNotFollowedError: There are several fences, or the lead-in retracts the answer.
    """
    before, *fenced = FENCE.split(text, maxsplit=3)
    reject_if(len(fenced) > 2, "more than one fenced block")
    if len(fenced) < 2 and not "".join(fenced).strip():
        return before.strip(), False
    check_not_retracted(before)
    return fenced[0].strip(), True


def extract_literal(text: str, opening: str) -> str:
    """Return the only list or mapping of an answer in Python's or JSON's notation.

    It begins a line, alone or after a name, and ends one. In a fence there is nothing else.

    Args:
        text: The answer.
        opening: The first bracket of the literal.

    Raises:
        FormatNotFollowedError: There is no such literal, or more than one.
    """
    content, fenced = strip_frame(text)
    body = strip_marks(content, EMPHASIS)
    start = _LITERAL_START.search(body)
    if start is None or body[start.end()] != opening:
        raise FormatNotFollowedError(f"no line begins with {opening}")
    end = find_end(body, start.end())
    if end is None:
        raise FormatNotFollowedError("the literal is not closed, or too long or deep")
    line_end = _LINE_END.match(body, end)
    if line_end is None:
        raise FormatNotFollowedError("the line of the literal continues after it")
    around = body[: start.start()] + body[line_end.end() :]
    reject_if(fenced and around.strip(), "the fence contains more than the literal")
    reject_if(_LITERAL_START.search(body, line_end.end()), "more than one list or mapping")
    check_not_retracted(body[: start.end()])
    return body[start.end() : end]


def check_not_retracted(before: str) -> None:
    """Raise a `FormatNotFollowedError` if the text before an answer says that it is not one."""
    is_retracted = _NOT_THE_ANSWER.search(before)
    reject_if(is_retracted, "the text before it says that it is not the answer")


def check_lead_in(lines: Sequence[str], explanation: str) -> None:
    """Raise a `FormatNotFollowedError` if the lines before an answer do not introduce it."""
    lead_in = [line for line in lines if line.strip()]
    reject_if(lead_in and not introduces_list(lead_in[-1]), explanation)
    check_not_retracted("\n".join(lead_in))


def introduces_list(line: str) -> bool:
    """Return whether a line ends in a colon, is a heading, or says "Here is"."""
    is_introduction = _INTRODUCTION.fullmatch(strip_marks(line, EMPHASIS)) is not None
    return is_introduction and not _LABELLED.match(line)


def strip_label(line: str) -> str:
    """Return a line without the label of its content: `a` for `Keyphrases: a`."""
    match = _LABELLED.match(line)
    return line if match is None else line[match.end() :]
