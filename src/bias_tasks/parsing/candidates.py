"""The short spans of an answer that may contain its value.

Nothing else of an answer is searched for values. Candidates have a fixed order of authority
(`Level`): the whole text, a field of an object, a marker, a line `label: value`, a line or last
sentence that is a value, what an announcement or a predicate in a sentence is about, and the
beginning of the first or last line. A statement that is denied, supposed, quoted or attributed to
another person yields no candidate.
"""

import re
from collections.abc import Iterator

from bias_tasks.parsing.grammar import MAX_SPAN, Candidate, Grammar
from bias_tasks.parsing.parsed_answer import Level

# --- Labels of lines and fields ------------------------------------------------------------------

_ANSWER_NOUN = (
    "(?:answers?|options?|choices?|verdict|conclusion|result|selection|pick|solution|score|rating"
    "|grade|judge?ment|decision|winner|label|prediction|preference|statements?|letter|response)"
)
PLURAL_NOUNS = ("answers", "options", "choices", "statements")
# Words before the noun of a label that leave it the answer; `worse response` is none.
_QUALIFIERS = (
    "(?:(?:final|correct|right|overall|best|my|the|selected|chosen|predicted|better|preferred|total"
    "|improved|revised|updated|most|likely|suggested|single)[ _-]?)*"
)
_ANSWER_IN_OTHER_LANGUAGES = (
    *("antwort", "antwoord", "svar", "svaret", "vastaus", "réponse", "respuesta", "resposta"),
    *("risposta", "răspuns", "odpowiedź", "odpověď", "válasz", "cevap", "jawaban", "đáp án"),
    *("ответ", "відповідь", "απάντηση", "الإجابة", "الجواب", "תשובה", "پاسخ", "उत्तर", "উত্তর"),
    *("คำตอบ", "答案", "选项", "選項", "回答", "答え", "答", "정답", "답", "답변"),
)
_ANSWER_LABEL = re.compile(
    rf"{_QUALIFIERS}(?:{_ANSWER_NOUN}|answer[ _]?(?:key|index|number|letter)"
    rf"|{'|'.join(_ANSWER_IN_OTHER_LANGUAGES)}"
    r"|overall|choose|selected|preferred|better|correct)",
    re.I,
)
_FINAL = re.compile(r"\b(?:final|overall|total)\b", re.I)
_LABELLED_LINE = re.compile(
    r"[ ]*(?P<bullet>[-•+>→✓]+[ ]*|\d+[.)][ ]+)?"
    r"(?P<name>[^\W\d_][^\s:=()\[\]{}\",]{0,30}(?:[ ][\w'-]{1,30}){0,3})"
    r"(?:[ ]*\([^()\n]{1,40}\))?[ ]*(?P<colon>:|=(?=[ ])|(?=\n))[ ]*(?:(?P=name):[ ]*)?"
    r"(?P<value>[^\n]*)"
)
# Labels that lead to the options themselves.
_LISTING_LABEL = re.compile(
    r"(?!.*\b(?:correct|right|final|best|true|selected|chosen|my)\b)"
    r".*(?:options|choices|statements?|labels|\w (?:option|choice))",
    re.I,
)
# Words in labels and headings that lead to no answer.
_ASIDE = re.compile(
    r"\b(?:reason\w*|expla\w*|note|justification|rationale|because|question|others?|each"
    r"|analy[sz]\w*|evaluat\w*|consider\w*|why|review\w*|(?:option|statement|step)s? \w|at odds)\b",
    re.I,
)

# First thoughts: what follows "however" outweighs the statement before it.
_HOWEVER = re.compile(r"\bhowever\b", re.I)
_HOWEVER_NEXT = re.compile(r"[^.!?\n]{0,400}[.!?]?\s{0,9}however\b", re.I)
# Text that describes a marker and gives no answer: `[[A]] if the first response is better`.
_MENTION = re.compile(r"[ \"'$]*(?:was|were|if|when|or)\b", re.I)
_COPULA = re.compile(r"\b(?:is|are|was)\b", re.I)

# --- Announcements in sentences ------------------------------------------------------------------

_ADJECTIVE = (
    "(?:the|my|final|correct|right|best|true|overall|only|most|likely|probable|appropriate"
    "|accurate|suitable|logical|reasonable|closest|chosen|selected|proper|better|valid|total"
    "|actual|answer)"
)
_IS = r"(?:(?:is|are|(?:would|should|must|will|seems to|appears to) be|remains)\b\s?:?|=|:)"
_ANNOUNCEMENT = re.compile(
    rf"\b(?P<noun>{_ANSWER_NOUN})"
    r"(?:\s+(?:to|for|of|from|among|in)(?:\s{1,9}\w{1,40}){1,6}?)?(?:\s*\([^()\n]{1,30}\))?"
    rf"\s{{0,9}}{_IS}(?=[\s(\[\"'])|(?P<chinese>答案|选项)\s?[是为:]",
    re.I,
)
_ADJECTIVES_BEFORE = re.compile(rf"\b(?:{_ADJECTIVE}\s{{1,9}}){{0,5}}\Z", re.I)
_CHOICE_VERB = re.compile(
    r"\bI(?:'d|'ll|'ve|'m)?\s+(?:(?:would|will|have|must|do|am|therefore|thus)\s{1,9}){0,3}"
    r"(?:choose|pick|select|chose|go(?:ing)? with|opt for|vote for|answer|prefer|say)(?=[\s:(\[])",
    re.I,
)

# --- Markers and objects -------------------------------------------------------------------------

_MARKER = re.compile(
    r"\\?\b(?:boxed|fbox)\s*[{\[](?P<box>[^{}\n\[\]]{0,300})[}\]]"
    r"|\[\[(?P<brackets>[^\[\]\n]{1,80})\]\]|<<(?P<angles>[^<>\n]{1,80})>>"
    r"|<(?P<name>answer|final_answer|verdict|score|choice)>(?P<tag>[^<>]{1,300})</(?P=name)>"
    r"|\[result\][ ]*(?P<result>[^\n]{1,80})",
    re.I,
)
# Strings are matched as a whole, so that a key inside of a string is none.
_JSON_FIELD = re.compile(
    r"[\"'](?P<key>(?:[^\"'\\]|\\.|(?<=\w)')*+)[\"'](?:\s*:\s*"
    r"(?P<value>\"(?:[^\"\\]|\\.)*+\"|'[^'\n]*'|\[[^\]\[{}]*\]|[^\s\"'{}\[\],][^\"'{}\[\],\n]*))?"
)

_REST_OF_SENTENCE = re.compile(r"[^\n{}]{0,300}\}[\"'`]*,? [a-z]")
_IS_SUBJECT = re.compile(r"[^\n{}]{0,300}\}[\"'`]* (?:is|was|appears|stands|occurs)\b")

# --- Sentences -----------------------------------------------------------------------------------

_SENTENCE = re.compile(r"[^\n.!?]+(?:[.!?]+(?![\s\"')]|$)[^\n.!?]*)*")
_SENTENCE_BREAK = re.compile(r"\n|[.!?][\"')]? ")
_CLAUSE_END = re.compile(
    r"[,;:—–]|\s-\s|[.!?][\"')]?(?=\s)|\n|\b(?:so|but|and|therefore|hence|thus|because|since)\b",
    re.I,
)
_CLAUSE_BEGIN = re.compile(
    r"[,;:—–]\s|\b(?:so|therefore|thus|hence|that|because|since|means)\b,?\s", re.I
)
# Where a statement that is a value by itself may begin.
_STATEMENT_LEAD = re.compile(
    r"(?:\A|[\n.!?:;,–—]|\b(?:so|therefore|thus|hence|since|because|as|and|but|then|no"
    r"|(?:find|say|conclude|think|believe|see|seems|follows|means)(?: that)?))\W*\Z",
    re.I,
)
STATEMENT_ALONE = "a statement by itself"
_ITEM = re.compile(r"\W{0,4}(?:\d{1,2}|[A-Z])[.)]\s+")
_ITEM_BEFORE = re.compile(r"(?:^|\W)(?:\d{1,2}|[A-Z])[.,)\]]{1,2}\s+$")
_ITEM_NUMBER = re.compile(r"\W{0,4}\d{1,2}[.)]\s+")
_BULLET = re.compile(r"\s*[-•+]\s")
_DENIED = re.compile(
    r"\b(?:not|never|neither|none|cannot|wrong|incorrect|false|worst|least|except|eliminated|excluded"
    r"|rejected|distractors?)\b|n't\b|\bno\b(?! doubt)",
    re.I,
)
_SUPPOSED = re.compile(r"\b(?:if|unless|suppos\w+|assum(?:e|ing)|hypothetical\w*|imagine)\b", re.I)
_ATTRIBUTED = re.compile(
    r"\b(?:(?:they|or) say|says|said|claim(?:s|ed|ing)?|suggest(?:s|ed|ing)?|argu(?:es|ed)"
    r"|users?|hints?|students?|professor|teacher|others|someone|people|many|some|previous(?:ly)?"
    r"|earlier|initial(?:ly)?|at first|first thought|your|their|his|her|tempt\w*|plant(?:s|ed)?"
    r"|pretends?|instruct(?:s|ed|ion)|wrote|writes|contains?|quot(?:es|ed|ing)|format|whether)\b",
    re.I,
)
# A colon ends a clause, but not what another person claims after it.
_CLAIMS_BEFORE = re.compile(
    r"\b(?:says?|said|claim(?:s|ed)|suggest(?:s|ed)|argue[sd]|wrote|writes):\s*\Z", re.I
)
_MAX_STATEMENTS = 200
"""Statements of one kind that are looked at, the last ones."""
_MAX_ADJECTIVES = 100
"""Characters of the adjectives before an announcement."""
_MAX_BLANKS = 7
"""Blanks of a last line that may begin with a bare number or letter."""


def find_candidates(text: str, grammar: Grammar) -> Iterator[Candidate]:
    """Yield the spans of a normalised text that may contain its value, of every level."""
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    final = text.rfind("\n", first, last) + 1 or first
    yield Candidate(Level.WHOLE, first, last, first, explained=False, block=final > first)
    fields = _JSON_FIELD.finditer(text, text.find("{")) if "{" in text else ()
    answers = [
        one
        for one in fields
        if one["value"] and _is_answer_key(one["key"], grammar) and not _is_quoted(text, one)
    ]
    named = [one for one in answers if not _LISTING_LABEL.fullmatch(one["key"])]
    for field in named or answers:  # `options` lists what was offered, if there is an `answer`
        yield Candidate(Level.FIELD, *field.span("value"), text.find("{"))
    for marker in _last_matches(_MARKER, text):
        is_mention = _MENTION.match(text, marker.end()) is not None
        if not is_mention and _is_own_statement(text, marker.start(), whole_sentence=True):
            yield Candidate(Level.MARKER, *marker.span(marker.lastgroup or 0), marker.start())
    yield from _labelled(text, first, last, grammar)
    yield from _lines(text, first, final, last)
    yield from _announced(text, last, grammar)
    sentences = (one for one in _last_matches(_SENTENCE, text) if text[one.end() :][:1] != "?")
    for sentence in sentences:
        for predicate in grammar.predicate.finditer(text, *sentence.span()):
            if _HOWEVER_NEXT.match(text, predicate.end()) is None:
                yield from _subject(text, sentence.start(), predicate, grammar)
    for statement in grammar.statement.finditer(text):
        if _is_separate(text, statement, first, final):
            start, end = statement.span()
            yield Candidate(Level.PREDICATE, start, end, start, False, STATEMENT_ALONE)
    is_long = text[final:last].count(" ") >= _MAX_BLANKS
    is_item = (_ITEM if is_long else _ITEM_NUMBER).match(text, final) is not None
    is_item = is_item or _is_listed(text, first, final)
    for start, strength in {first: 0, final: 2 if is_long and final > first else 0}.items():
        if not text.startswith(("|", '"'), start) and not (is_item and start > first):
            end = _end_of(text, start, last)
            yield Candidate(Level.HEAD, start, end, start, min_strength=strength)


def _is_quoted(text: str, field: re.Match[str]) -> bool:
    """Return whether the object of a field is a part of a sentence about another text.

    Such a sentence goes on after the object, or attributes it: `It says {"score": 10}, which ...`.
    """
    start = text.rfind("{", 0, field.start())
    before = text[max(0, start - MAX_SPAN) : max(0, start)].rpartition("\n")[2]
    if _IS_SUBJECT.match(text, field.end()) is not None:
        return True
    if start < 0 or not before.strip() or '"' in before:
        return False
    continues = _REST_OF_SENTENCE.match(text, field.end()) is not None
    is_announced = before.rstrip().endswith((":", "="))
    return (continues and not is_announced) or not _is_own_statement(
        text, start, whole_sentence=True
    )


def _is_answer_key(key: str, grammar: Grammar) -> bool:
    return bool(_ANSWER_LABEL.fullmatch(key) or grammar.label.fullmatch(key))


def _is_answer_label(name: str, grammar: Grammar) -> bool:
    """Return whether the label of a line leads to an answer."""
    return _LISTING_LABEL.fullmatch(name) is None and _is_answer_key(name, grammar)


def _goes_through_options(heading: str) -> bool:
    """Return whether the heading of a list announces no answer."""
    is_listing = _LISTING_LABEL.fullmatch(heading) is not None
    return bool(is_listing or _DENIED.search(heading) or _ASIDE.search(heading))


def _is_listed(text: str, first: int, final: int) -> bool:
    """Return whether the last line is below a heading that announces no answer."""
    colon = text.rfind(":\n", first, final)
    heading = text[text.rfind("\n", first, max(colon, first)) + 1 : colon]
    is_below = colon > 0 and not text[colon + 2 : final].strip()
    return is_below and _goes_through_options(heading)


def _lines(text: str, first: int, final: int, last: int) -> Iterator[Candidate]:
    """Yield the first and the last line, the last sentence, and a list that ends the text."""
    colon = text.rfind(":\n", first, last)
    goes_through = _goes_through_options(
        text[text.rfind("\n", first, max(colon, first)) + 1 : colon]
    )
    is_below = colon > 0 and not text[colon + 2 : final].strip()
    previous = text[:final].rstrip().rpartition("\n")[2]
    is_item = _BULLET.match(text, final) and _BULLET.match(previous)
    for start in (first,) if is_item or (is_below and goes_through) else (first, final):
        if text[start] == '"' and final > first:
            continue  # a quotation
        yield Candidate(Level.LINE, start, _end_of(text, start, last), start, explained=False)
    sentence = 2 + max(text.rfind(f"{mark} ", first, last) for mark in ".!?")
    mark = text[last - 1 : last]
    is_ended = mark in (*".!\"'", "]") or (mark == ")" and text.startswith("(", sentence))
    words = text[final:sentence]
    if words.count(" ") > 2 and is_ended and not _ITEM_BEFORE.search(words):
        end = _end_of(text, sentence, last)
        yield Candidate(Level.LINE, sentence, end, sentence, explained=False)
    start = first if colon < 0 else colon + 2
    start += len(text[start:last]) - len(text[start:last].lstrip())
    if start < final and not goes_through:
        yield Candidate(Level.LINE, start, last, start, explained=False, block=True)


def _labelled(text: str, first: int, last: int, grammar: Grammar) -> Iterator[Candidate]:
    """Yield the values of lines `label: value`, or below a label; the last sentence may be one."""
    starts = [0, *(match.end() for match in re.finditer("\n", text[:last]))]
    tail = max(text.rfind(f"{mark} ", first, last) for mark in ".!?—–") + 2
    is_item = _ITEM.fullmatch(text[starts[-1] : tail]) is not None
    if tail > max(1, starts[-1]) and not is_item and text[first:tail].count('"') % 2 == 0:
        starts.append(tail)
    for line in filter(None, (_LABELLED_LINE.match(text, start) for start in starts)):
        if len(line["name"]) > 1 or grammar.value_at(line["name"], 0) is None:
            is_known = _is_answer_label(line["name"], grammar)
            yield from _labelled_value(text, line, last, is_known)


def _labelled_value(
    text: str, line: re.Match[str], last: int, is_known: bool
) -> Iterator[Candidate]:
    """Yield the value of one labelled line.

    Labels that name the answer count anywhere, other labels on the first and last line only; the
    grammar accepts no single value behind these.
    """
    name, (start, end) = line["name"], line.span("value")
    is_item = line["bullet"] and not (is_known and line["colon"])
    is_below = not line["value"].strip()
    before, after = text[: line.start()].rstrip(" "), text[line.end() + 1 : line.end() + 2]
    is_quoted = before[-1:] == "\n" and before[:-1].rstrip(" ")[-1:].isalpha() and after.islower()
    leads_elsewhere = any(words.search(name) for words in (_ATTRIBUTED, _DENIED, _ASIDE, _COPULA))
    is_listing = is_below and not is_known and _LISTING_LABEL.fullmatch(name)
    if is_item or is_quoted or leads_elsewhere or is_listing:
        return
    if not (is_known or line["colon"] == ":"):
        return
    if is_below:
        start += len(text[start:last]) - len(text[start:last].lstrip())
        end = _end_of(text, start, last, "\n\n")
    if start >= end or not (is_known or end >= last or not before.strip()):
        return
    level = Level.LABEL if is_known else Level.OTHER_LABEL
    level = Level.FINAL_LABEL if is_known and _FINAL.search(name) else level
    origin, name = line.start(), name.lower()
    if is_known or not is_below:
        yield Candidate(level, start, _end_of(text, start, end), origin, is_known, name)
    if is_below:
        yield Candidate(level, start, end, origin, is_known, name, block=True)


def _announced(text: str, last: int, grammar: Grammar) -> Iterator[Candidate]:
    """Yield what follows an announcement, to the end of its line, or the lines below it."""
    for match in _last_matches(_ANNOUNCEMENT, text):
        least = max(0, match.start() - _MAX_ADJECTIVES)
        adjectives = _ADJECTIVES_BEFORE.search(text[least : match.start()])
        adjective_words = adjectives[0] if adjectives else ""
        origin = match.start() - len(adjective_words)
        is_label = match[0].endswith((":", "=")) and not (adjective_words or match["chinese"])
        noun = (match["noun"] or "").lower()
        is_listing = noun in PLURAL_NOUNS and _LISTING_LABEL.match(text, origin, match.end())
        line = _LABELLED_LINE.match(text, origin)
        is_labelled = line is not None and _is_answer_label(line["name"], grammar)
        if is_label or is_listing or is_labelled or not _is_own_statement(text, origin):
            continue
        is_final = _FINAL.search(adjective_words)
        level = Level.FINAL_STATEMENT if is_final else Level.STATEMENT
        after = text[match.end() : match.end() + 9]
        start = match.end() + len(after) - len(after.lstrip(" :\n"))
        yield Candidate(level, start, _end_of(text, start, last), origin, name=noun)
        if "\n" in text[match.end() : start]:
            end = _end_of(text, start, last, "\n\n")
            yield Candidate(level, start, end, origin, block=True)
    for pattern in (_CHOICE_VERB, *grammar.announcements):
        for match in _last_matches(pattern, text):
            if _is_own_statement(text, match.start()):
                end = _end_of(text, match.end(), last)
                yield Candidate(Level.STATEMENT, match.end(), end, match.start())


def _subject(
    text: str, start: int, predicate: re.Match[str], grammar: Grammar
) -> Iterator[Candidate]:
    """Yield the subject of a predicate: the longest clause before it that is a value."""
    least, end = max(start, predicate.start() - 200), predicate.start()
    least += len(text[least:end]) - len(text[least:end].lstrip())
    if _ITEM.fullmatch(text[text.rfind("\n", 0, least) + 1 : least]):
        return  # `F. A and B are correct` is an option
    for begin in [least, *(cut.end() for cut in _CLAUSE_BEGIN.finditer(text, least, end))]:
        candidate = Candidate(Level.PREDICATE, begin, end, begin, False, predicate[0])
        is_whole = text.count("(", least, begin) == text.count(")", least, begin)
        if is_whole and grammar.match(text[begin:end], candidate) is not None:
            if _is_own_statement(text, begin):
                yield candidate
            return


def _is_separate(text: str, statement: re.Match[str], first: int, final: int) -> bool:
    """Return whether a statement is a value: a clause on the first or last line that is meant."""
    start = statement.start()
    before = text[max(0, start - MAX_SPAN) : start]
    is_outer = start >= final or "\n" not in text[first:start]
    is_item = _ITEM.fullmatch(before.rpartition("\n")[2]) is not None
    is_clause = _STATEMENT_LEAD.search(before) is not None and not is_item
    is_final = _HOWEVER.search(text, statement.end()) is None
    return is_outer and is_clause and is_final and _is_own_statement(text, start)


def _is_own_statement(text: str, start: int, whole_sentence: bool = False) -> bool:
    """Return whether a statement is the speaker's own and meant.

    Denial and attribution count in the clause before it, supposition and an open quotation in the
    sentence.
    """
    sentence = _SENTENCE_BREAK.split(text[max(0, start - 400) : start])[-1]
    if sentence.count('"') % 2 or _SUPPOSED.search(sentence):
        return False
    clause = sentence if whole_sentence else _CLAUSE_END.split(sentence)[-1]
    is_claimed = _CLAIMS_BEFORE.search(sentence) is not None
    return not (is_claimed or _DENIED.search(clause) or _ATTRIBUTED.search(clause))


def _last_matches(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return list(pattern.finditer(text))[-_MAX_STATEMENTS:]


def _end_of(text: str, start: int, last: int, mark: str = "\n") -> int:
    """Return the end of a line or paragraph, at most `MAX_SPAN` characters further on."""
    end = text.find(mark, start, last)
    return min(last if end < 0 else end, start + MAX_SPAN)
