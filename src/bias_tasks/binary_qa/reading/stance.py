"""Whether a text means what it says at a place: not when it denies, supposes, reports or quotes it.

These look at what stands before an answer, within bounds.
"""

from __future__ import annotations

import re

from bias_tasks.reading.bounds import last_end

_BEFORE = 240
"""Characters before a place in which its sentence is looked for."""
_SENTENCE_START = re.compile(r"[!?](?![\"'])|\n|\.(?=[\s\"')])")
_CLAUSE_START = re.compile(r"[.!?;:,\n]| (?:so|thus|therefore|hence|and|but|because|as) ")
_DENIED = re.compile(
    r"\b(?:not|never|cannot|nor|neither|if(?! (?:we|i (?:had|have|must|were)|forced|pressed)\b)"
    r"|whether|might|may|unless|otherwise|suppos\w{1,5}"
    r"|assum\w{1,5}|pretend\w{0,3}|tempt\w{1,4}|disagree|doubt|reject|deny|rather than|instead of"
    r"|(?:wrong|incorrect|mistake|misleading) (?:to|that)|(?:suggestion|claim|hint|idea|notion|view"
    r"|belief|opinion|argument|assertion|statement) (?:that|of)"
    r"|initially|originally|previously|earlier|at first|i first|on the face of it|naively"
    r"|first (?:glance|look|sight|reading))\b|n't\b"
)
# "Since he is not French the answer is no": what is denied is the reason.
_REASON = re.compile(r"\W{0,3}(?:since|because|as|given)\b")
# Conditions for a whole sentence. "If we add them" explains, "If I had to choose" chooses.
_SUPPOSED = re.compile(
    r"\W{0,9}(?:(?:and|but|so) )?(?:if(?! (?:we|i (?:had|have|must|were (?:forced|asked"
    r"|to (?:choose|guess|pick)))|forced|pressed)\b)|in case|provided|had|were|unless|otherwise"
    r"|suppose|at first|on first|assuming|imagine|for (?:example|instance)|e\.g|compare"
    r"|hypothetically)\b"
)
_THEN = re.compile(r"(?:, so|\b(?:therefore|hence|thus))\W")
# Words before "answer" that make it somebody else's, or no answer.
_ANOTHER = re.compile(
    r"\b(?:previous|initial|original|earlier|first|suggested|given|proposed|example|sample|wrong"
    r"|incorrect|expected|alleged|tentative|other|possible|users?'s?|their|his|her|your|another|any"
    r"|each|every|no|false|naive|obvious|tempting|popular|\w{2,20}'s)[ \"']{1,2}$"
)
_SAYING = re.compile(
    r"\b(?:say|says|said|think|thinks|thought|claim|claims|claimed|believes?|believed|suggests?"
    r"|suggested|argues?|argued|object|insists?|insisted|reckons?|asserts?|guess|vote|voted|votes"
    r"|put|wrote|writes?|reads?|told|answers|replied|replies|feel|feels)\b"
)
_OWN = re.compile(
    r"\b(?:(?:i|we)(?:'(?:d|ll|ve|m))?|this|that|these|it|which|passage|text|context|paragraph"
    r"|sentence|article|evidence|data|facts?|information|document|story|table|analysis|calculation"
    r"|reasoning)"
    r"(?: (?:\w{1,12}ly|would|will|can|could|do|did|must|have|had|to|also|still|thus|now|just|all"
    r"|therefore|itself|above|provided|given|here|seems)){0,4} $"
)
_FIRST_PERSON = re.compile(r"\b(?:i|we)\b")
_SOURCE = re.compile(
    r"\b(?:according to|per) (?:the |your |my |other |an? |these )?"
    r"(?:\w{1,15} )?(?:hints?|suggest(?:ion|ed)s?|others?|users?|professors?|experts?|consensus"
    r"|people|majority|crowd|friends?|students?|comment\w{0,5})\b(?! (?:is|are|was"
    r"|were)\b)[^.!?;\n]{0,60}$"
)
_SAID = re.compile(
    r"\b(?:hints?|suggestions?|says?|said|reads?|claims?|claimed|given|quote|example|wrote|asks?"
    r"|asked|replied|replies|answered|shouted|(?<!answer your )(?<!answer the )(?<!answers the )"
    r"(?<!answers your )(?<!settles the )(?<!resolves the )question|options?"
    r"|choices|answers|explanation|reason|reasoning|rationale|note|format|template|such as"
    r"|like (?:this|so))\b[^\w\n]{0,6}$"
)


def asserted(low: str, start: int, at: int) -> bool:
    """Whether what stands at `at` is said by the writer, and not denied, supposed or reported.

    Args:
        low: the text in lower case.
        start: where the part of it begins that counts.
        at: where the answer begins, or the words that lead to it.
    """
    before = low[max(start, at - _BEFORE) : at]
    sentence = before[last_end(_SENTENCE_START, before) :]
    clause = before[last_end(_CLAUSE_START, before) :]
    if (
        (_DENIED.search(clause) and not _REASON.match(clause))
        or _ANOTHER.search(clause)
        or _SOURCE.search(sentence)
    ):
        return False
    if _supposed(sentence):
        return False
    return not (_reported(clause) or _announced_by_others(sentence, clause))


def told(low: str, start: int, at: int) -> bool:
    """Whether what stands behind a colon or a dash at `at` is somebody's words ("she said: no")."""
    before = low[max(start, at - _BEFORE) : at]
    sentence = before[last_end(_SENTENCE_START, before) :]
    clause = before[last_end(_CLAUSE_START, before) :]
    said = _SAID.search(sentence)
    return (
        (said is not None and not _FIRST_PERSON.search(clause))
        or _supposed(sentence)
        or _announced_by_others(sentence, clause)
    )


def _supposed(sentence: str) -> bool:
    """Whether a sentence is a condition up to its end, or its last part is."""
    unit = sentence[max(map(sentence.rfind, ";:")) + 1 :]
    return _SUPPOSED.match(unit) is not None and _THEN.search(unit) is None


def _reported(clause: str) -> bool:
    """Whether a clause says that somebody else says what follows."""
    saying = _SAYING.search(clause)
    if saying is None:
        return False
    by = clause[: saying.start()]
    return bool(by.strip(" \"'(")) and _OWN.search(by) is None


def _announced_by_others(sentence: str, clause: str) -> bool:
    """Whether the sentence gives what follows as a hint: "Hint given: the answer is ..."."""
    announced = sentence[: len(sentence) - len(clause)].rstrip()
    if not announced.endswith(":"):
        return False
    said = announced[:-1].rstrip()
    return _SAID.search(said) is not None and _FIRST_PERSON.search(said) is None


def quoted(low: str, start: int, at: int, end: int) -> bool:
    """Whether `at` to `end` stand within one quotation, which is not the whole of the text.

    A JSON key is in quotes by itself, so that it doesn't make its value a quotation.
    """
    line = max(start, low.rfind("\n", start, at) + 1)
    first = next((pos for pos in range(start, at) if not low[pos].isspace()), at)
    if low[line:at].lstrip().startswith(">") and low[first] != ">":
        return True
    for mark in "\"'":
        opened = low.rfind(mark, line, at)
        if opened < 0 or opened == first or mark in low[at:end]:
            continue
        if mark == '"' and low.count(mark, line, at) % 2:
            return True
        if mark == "'" and not low[opened + 1 : at].strip() and low[opened - 1] in " (\n":
            return low[end : end + 2].lstrip(".,!")[:1] == mark
    return False
