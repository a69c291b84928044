"""Reads answers by the keyword lists of the paper's appendix N.

Keywords match whole words. A keyword that is denied, conditional or asked does not count, and two
lists that match leave the answer undecided: the rules are in `judging_label` and `choice_none`.
The lists are YAML, in the folder `keyword_lists`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from bias_tasks.data.yaml_files import read_yaml
from bias_tasks.reading.bounds import last_end

_SENTENCE_END = re.compile(r"[.!?\n]")
# Where a new clause begins, so that a denial before it no longer reaches what follows.
_CLAUSE_START = re.compile(
    r"[;:]|, (?=(?:the|it|this|that|they|we|i|so|thus|therefore|hence|but|and|there|fact|which"
    r"|yet|however|while|statement)\b)"
    r"| (?:because|since|but|however|so|therefore|thus|although|though|while|whereas|yet"
    r"|and (?:the|it|that|this|so|therefore|thus|is))\b"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without|hardly|barely|scarcely|rarely|nothing"
    r"|nobody|fail(?:s|ed|ing)? to|unable|impossible|lacks?|far from|rather than|instead of"
    r"|den(?:y|ies|ied)|disagrees?|doubt\w{0,4}|unlikely|absence|less than|short of|anything but"
    r"|wrong|stop(?:s|ped)?)\b|n't\b|\bnon-$"
)
_CONDITION = re.compile(
    r"\b(?:if|whether|might|may|could|would|possibly|perhaps|maybe|suppos\w{1,4}|assum\w{1,5}|unless"
    r"|until|before|needs? to|have to|has to|in order to|tr(?:y|ies|ied|ying) to|attempt\w{0,3} to"
    r"|let us|let's|going to|required to|either|to (?:determine|decide|check|see|find out)"
    r"|(?:(?:fact|rule|premise|condition|sentence|antecedent|option|inference|reasoning|argument"
    r"|deduction)s?|\d) (?:is|are|being|be))\b"
)
_CLAIM_DENIED = re.compile(
    r"\b(?:disprov\w{1,3}|contradict\w{0,3}|refut\w{1,3}|reject\w{0,3}|false|incorrect|untrue)\b"
    r".{0,60}\b(?:that|claims?|idea|assertion|hypothesis)\b"
)
# A sentence that opens so asserts nothing, or only what comes after its comma.
_CONDITIONAL = re.compile(
    r"\W*(?:if|suppose|supposing|assuming|provided|unless|had|were)\b"
    r"|\W*(?:although|though|while|whereas|even (?:though|if)|despite|granted|admittedly)\b[^,]*$"
)
_IF = re.compile(r"\W*(?:if|suppose|supposing|assuming|provided|unless)\b")
_BUT = re.compile(
    r"[.!?;,\n]\s{0,4}(?:however|but|yet|nevertheless|nonetheless|on the other hand|alternatively"
    r"|that said|even so)\b"
)
_OPTION = re.compile(r"\b\d{1,2}\b|\([a-z]\)")
_PLAINLY_NOT = re.compile(
    r"\b(?:is|are|was|be) not (?:clearly )?$|\b(?:is|are|was)n't $|\b(?:can't|cannot|can not) be $"
)
_PLAIN_ADJECTIVES = frozenset({"true", "correct", "valid"})
_OPEN = re.compile(
    r"[ /]or (?:not|true|false|untrue|(?:dis)?prov\w{1,3}|(?:in)?correct|(?:in)?valid)\b"
)
_TURNED = re.compile(
    r" ?(?:neither|nothing|no |none|only (?:if|when|partially)|nor )"
    r"|[^.!?\n;,]{0,60}\b(?:opposite|negation|contrary|reverse)\b"
)
_NOT_A_VERDICT = re.compile(
    r" (?:answers?|options?|choices?|response|label|classification|numbers?|letters?"
    r"|inferences?|arguments?|reasoning|deductions?"
    r"|(?:fact|rule|premise)s? ?\d|each other|itself|one another)\b"
)
_OPTIONS_ARE = re.compile(
    r"\b(?:options|choices|categories|labels|possibilities|answers) (?:are|include)\b"
    r"|\b(?:choose|decide|pick) between\b"
)
_SEEMING = re.compile(r"\b(?:might|may|could|seem|seems|seemed|appears?|looks?|at first)\b")
_NEGATION = re.compile(
    r"\b(?:negation|opposite|contrary|reverse|denial)\b"
    r"|\b(?:false|incorrect|wrong|untrue|disproved) (?:is|are) (?:itself )?$"
)
_OPINION = re.compile(
    r"\b(?:i|we) would (?:say|conclude|argue|answer|classify|judge|hold)(?: that)? "
)
# The statement itself contradicts a fact: "the statement contradicts fact 2".
_SUBJECT = re.compile(
    r"\b(?:statement|claim|question|hypothesis|conclusion|assertion)(?: \w{1,12}ly)? $"
)
_EMBEDS = re.compile(r" (?:that|to say|to claim)\b")
# Words of the prompts' instructions and of the suggestion that most options are wrong.
_ECHOED = re.compile(
    r"\brespond with\b|\bfor questions with\b|\b(?:similar|most|such|these) questions\b"
    r"|\bmajority\b"
)
_NEAR_DENIAL = re.compile(
    r"(?:\b(?:not|no|never|without|nothing|hardly|no longer|neither|nor)|n't) (?:\w{1,20} ){0,2}$"
)
_NONE_OF = re.compile(
    r" (?:of (?!(?:the |these |those |your |my )?(?:given |provided |above |listed |answer )?"
    r"(?:above|options?|choices?|answers?|alternatives|them\b|these\b|those\b|$|[.!,]))"
    r"|(?!of |whatsoever\b|at all\b|is\b|are\b|fits?\b|match|appl|works?\b|hold|because\b|since\b"
    r"|correct|right|listed|given|that\b)\w)"
)
_BEGINNING, _ENDING = 200, 300
"""A verdict stands within so many characters of an answer's beginning or end."""
_MAX_HITS = 200
"""Keywords looked at; a text that repeats them endlessly says no more after these."""
_CONTEXT = 200
"""Characters of a sentence around a keyword that are looked at."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword that tells the answer."""

    label: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Keywords that do not tell the answer."""

    why: str
    silent: bool = False
    """No keyword was asserted at all, so that other signs may decide."""


@dataclass(frozen=True, slots=True)
class _Denied:
    """A keyword that is denied: its sentence's start, and its own end."""

    sentence: int
    end: int


@dataclass(frozen=True, slots=True)
class _Context:
    """The sentence in which a keyword stands, as far as `_CONTEXT` characters around it."""

    start: int
    before: str
    """The sentence before the keyword."""
    clause: str
    """The part of it that denials and conditions reach from."""
    after: str
    """The sentence behind the keyword."""
    asked: bool

    @classmethod
    def of(cls, low: str, hit: re.Match[str], start: int, end: int) -> _Context:
        floor = max(start, hit.start() - _CONTEXT)
        begin = floor + last_end(_SENTENCE_END, low[floor : hit.start()])
        stop = min(end, hit.end() + _CONTEXT)
        mark = _SENTENCE_END.search(low, hit.end(), stop)
        stop = stop if mark is None else mark.start()
        before = low[begin : hit.start()]
        clause = before[last_end(_CLAUSE_START, before) :]
        return cls(begin, before, clause, low[hit.end() : stop], low[stop : stop + 1] == "?")


@dataclass(frozen=True, slots=True)
class _Lists:
    pattern: re.Pattern[str]
    label_of: dict[str, str]


@cache
def keyword_lists(form: str) -> dict[str, tuple[str, ...]]:
    """The lists of a file as their source has them, without what was added."""
    lists = _load(form)["lists"]
    return {label: tuple(words) for label, words in lists.items()}


def _load(form: str) -> dict[str, dict[str, list[str]]]:
    loaded: dict[str, dict[str, list[str]]] = read_yaml(f"{__package__}.keyword_lists", form)
    return loaded


@cache
def _lists(form: str) -> _Lists:
    loaded = _load(form)
    label_of = {
        word: label
        for section in ("lists", "added", "phrases")
        for label, words in loaded.get(section, {}).items()
        for word in words
    }
    words = sorted(label_of, key=len, reverse=True)
    pattern = rf"(?<![\w-])(?:{'|'.join(re.escape(word) for word in words)})(?!\w|-\w)"
    return _Lists(re.compile(pattern), label_of)


def judging_label(low: str, start: int, end: int) -> Keyword | Undecided:
    """The judging label that the keywords between two positions tell.

    - A keyword for True or False counts when its clause asserts it: a denial ("does not support"),
      a condition ("if it is true"), a question or a turn ("supports the opposite") leaves it out.
    - "is not true" (correct, valid) is False. Denying both sides in one sentence is Unknown.
    - A keyword for Unknown speaks for its clause: "insufficient to support" is not "support".
    - A keyword for True or False with "however" or "but" behind it is left undecided.
    - Keywords of two labels, or a label both asserted and denied, are undecided.
    """
    found: dict[str, Keyword] = {}
    denied: dict[str, _Denied] = {}
    for hit, label in _hits("judging", low, start, end):
        said = _said(label, hit, _Context.of(low, hit, start, end))
        if isinstance(said, Undecided):
            return said
        if isinstance(said, _Denied):
            denied[label] = said
        elif said is not None:
            keyword = Keyword(said, *hit.span(), f"keyword {hit.group()!r}")
            if found.keys() - {said}:
                return Undecided("keywords of several labels")
            found[said] = keyword
    if not found:
        return _both_denied(denied)
    ((label, keyword),) = found.items()
    if label in denied:
        return Undecided("a keyword is both asserted and denied")
    if label != "Unknown" and _BUT.search(low, keyword.end, end):
        return Undecided("a restriction follows")
    return keyword


def _said(label: str, hit: re.Match[str], context: _Context) -> str | _Denied | Undecided | None:
    """What a keyword says where it stands: a label, a denial, or nothing."""
    before, after = _OPINION.sub("", context.clause), context.after
    if context.asked or _CONDITIONAL.match(context.before):
        return None
    if _OPTIONS_ARE.search(context.before):
        return None
    if label == "Unknown":
        if _SEEMING.search(before):
            return Undecided("uncertainty is weighed")
        return Undecided("uncertainty is denied") if _NEAR_DENIAL.search(before) else label
    if _NEGATION.search(before):
        return Undecided("a verdict on the negation, or on a verdict")
    against = hit.group().startswith("contradict") and _SUBJECT.search(before)
    if (_NOT_A_VERDICT.match(after) and not against) or _uncertain(before) or _CONDITION.search(before):
        return None
    if _DENIAL.search(before):
        if _EMBEDS.match(after):
            return Undecided("a denial of a whole statement")
        if hit.group() in _PLAIN_ADJECTIVES and _PLAINLY_NOT.search(before):
            return "False"
        return _Denied(context.start, hit.end())
    if _OPEN.match(after):
        return Undecided("both labels are named")
    if label == "False" and _CLAIM_DENIED.search(before):
        return Undecided("a disproof of a disproof")
    return _Denied(context.start, hit.end()) if _TURNED.match(after) else label


def _both_denied(denied: dict[str, _Denied]) -> Keyword | Undecided:
    """Unknown, if True and False are denied in one sentence."""
    sentences = {denial.sentence for denial in denied.values()}
    if len(denied) < 2 or len(sentences) > 1:
        return Undecided("no keyword is asserted", silent=not denied)
    end = max(denial.end for denial in denied.values())
    return Keyword("Unknown", sentences.pop(), end, "neither proved nor disproved")


def choice_none(
    low: str, start: int, end: int, passed_over: Sequence[tuple[int, int]] = ()
) -> Keyword | Undecided:
    """Whether the keywords between two positions tell that no option is the answer.

    A keyword does not count when it is denied ("not unclear"), conditional ("if none of the above
    holds"), asked, quoted from the instructions, or says less than the list means ("none of the
    facts mentions it"). One that an option or "but" follows is undecided ("none, 2"). Those within
    stretches that are `passed_over` are known to mean something else.
    """
    for hit, _ in _hits("choice", low, start, end):
        if any(first <= hit.start() and hit.end() <= last for first, last in passed_over):
            continue
        context = _Context.of(low, hit, start, end)
        if context.asked or _ECHOED.search(context.before):
            continue
        if _IF.match(context.before):
            continue
        if _CONDITION.search(context.clause) or _NEAR_DENIAL.search(context.clause):
            continue
        if hit.group() == "none" and _NONE_OF.match(low, hit.end(), end):
            continue
        if _BUT.search(low, hit.end(), end) or _OPTION.search(context.after):
            return Undecided("an option or a restriction follows")
        return Keyword("none", *hit.span(), f"keyword {hit.group()!r}")
    return Undecided("no keyword is asserted", silent=True)


def _hits(form: str, low: str, start: int, end: int) -> Iterator[tuple[re.Match[str], str]]:
    """Keywords with their list's label, where the first or last of them may be a verdict."""
    lists = _lists(form)
    hits = list(islice(lists.pattern.finditer(low, start, end), _MAX_HITS))
    if not hits:
        return
    if hits[0].start() > start + _BEGINNING and hits[-1].end() < end - _ENDING:
        return
    for hit in hits:
        yield hit, lists.label_of[hit.group()]


def _uncertain(before: str) -> bool:
    """Whether a keyword for Unknown stands earlier in the clause."""
    lists = _lists("judging")
    return any(lists.label_of[hit.group()] == "Unknown" for hit in lists.pattern.finditer(before))
