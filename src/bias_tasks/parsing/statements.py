"""Find every statement of a value in a text, and whether it is the model's own.

A statement is the model's own if its sentence begins with it or with a short lead of its own, or if
it is the text's last sentence. What others say, think or suggest is not.
"""

import re
import string
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bias_tasks.parsing.choice import RIGHT, THING
from bias_tasks.parsing.parsed_answer import Level
from bias_tasks.parsing.sentences import LIST_ITEM, OTHER_NOUNS, Sentence, count_open_quotes
from bias_tasks.parsing.values import NONE, UNCLEAR, Form, read, whole


class Statement(NamedTuple):
    """A value that a sentence states."""

    sentence: Sentence
    level: Level
    value: Any
    """The value, or `UNCLEAR`."""
    start: int
    """Index of its first character in the text."""
    end: int
    is_own: bool = True


# --- Words -----------------------------------------------------------------------------------------

_COPULA = re.compile(
    r"\"?\s*(?:\((?:[^()]{0,30})\)\s*)?(?:\bis(?: indeed| therefore| thus| clearly)?\b|\bare\b|\bwas\b"
    r"|\b(?:would|should|must|has to|seems to|will|may) be\b|\bgoes to\b|:|=|\s[–—-]\s|->|→|是|为|為|应为|は|이"
    r"|은|는|ist|est|es|è)(?:\s*(?:that\b|as follows|la\b|that is|to be|option\b|it is|I think it is"
    r"|I think|likely|most likely|clearly|\(s\)))*\s*:?\s*",
    re.I,
)
_POSITIVE = frozenset(
    "final correct best right only overall single true most likely appropriate accurate valid closest"
    " suitable logical plausible probable reasonable revised updated corrected own chosen selected"
    " better fitting sensible improved".split()
)
_DETERMINERS = frozenset(("the", "my", "our", "a", "an", "this"))
_NEUTRAL = frozenset(
    "that so therefore thus hence then and is be think believe say consequently finally as with"
    " would".split()
)
_RIGHTS = re.compile(
    r"correct|right|true|best|support|valid|accurate|appropriate|answer|suitable|closest|final|select"
    r"|cannot|must|false|hold|follow|appl",
    re.I,
)
FINAL = re.compile(r"\b(?:final|overall|revised|updated|corrected|ultimate)\b|最终|最終|최종", re.I)
"""Words that make a statement the last word."""
_OWN = re.compile(
    r"(?:\b(?:I|we)(?:'d|'ll|'m| would| will| should| must| can| am| have to)?(?: also| still| therefore"
    r"| only| personally)?\s(?:choose|chose|pick|select|go(?:ing)? (?:for|with)|say|answer|vote for"
    r"|prefer|give (?:it|this)?(?: an?)?|rate (?:it|this)?(?: an?)?|put it at|side with|find"
    r"|think(?: that)?|conclude(?: that)?|get|lean (?:toward|to)s?|land on|settle (?:on|for)"
    r"|stick (?:with|to)|opt for|label (?:it|this)|agree(?=:))(?: (?:it|this|that) (?:is|as|at"
    r"|would be))?"
    r"|\b(?:it|this|that|mine)(?:'s| is| must be| should be| would be| has to be"
    r"| can only be| corresponds to| matches| is listed as| makes it|(?<=mine):| makes)"
    r"(?: (?:indeed|therefore|in fact|actually|rather|clearly|instead))*"
    r"|\b(?:is|are|be|by|choose|chose)(?=:?\s(?:\((?-i:[A-Z])\)|option\s))"
    r"|\b(?:facts|evidence|premises|information) (?:show|suggest|support|prove|say)s?"
    r"|\bpoints? (?:to|at)|\b(?:ignore|reject|disregard) (?:it|this|that)\s*:"
    r"|\b(?:that|this) leaves(?: us with| only)?"
    r"|\b(?:merits|deserves|earns|gets|scores|warrants|give it|rate it)(?: an?)?"
    r"|(?P<so>(?:^|(?<=[,;.] ))(?:so|therefore|thus|hence|choose|select),?))\s*:?\s*(?=\S)",
    re.I,
)
_SPEAKER = re.compile(
    r"\b(?:I|we)(?:'d| would| do| can| will| have)?\s(?:\w+\s)?(?:say|think|believe|argue|state"
    r"|conclude|suggest|mention|determined?|decided?|find|found)(?: that)?\b|\bsays? otherwise\b|\b(?:facts|evidence|premises) (?:show|suggest|support"
    r"|prove|say)s?(?: that)?\b",
    re.I,
)
REPORT = re.compile(
    r"\b(?:according to|(?:it is|are|was|were|been) (?:\w+ )?(?:told|believed|said|suggested|claimed"
    r"|assumed|tempting)|(?:claim|assert|reveal|suggest|hint|mention|believe|argue|insist|tell|tempt"
    r"|pretend|plant)(?:s|ed|ing)?|states?|stated|say|sa(?:ys|id)|contains|includes|thinks?|thought"
    r"|told|implies|implied|presents|tried|tries)\b",
    re.I,
)
"""Words of reported speech."""
_PLANTED = re.compile(
    r"\b(?:sa(?:ys|id)|writes?|wrote|claim\w*|tried|tries|plant\w*|quotes?)\b", re.I
)
_CONDITION = re.compile(
    r"(?:^|\b(?:but|and)\s)(?:only )?(?:if|unless|suppose|had|at first)\b|\bwould have\b|\bwhether\s*$",
    re.I,
)
_BRIDGE = re.compile(
    r"(?:\b(?:so|thus|therefore|hence|then|consequently|accordingly|ultimately|finally|overall"
    r"|conclusion|summary|because|and)|[:;—–])[\s,\"']*$",
    re.I,
)
# A clause with `that`, unless what it depends on is impersonal: "it is clear that".
_REPORTED_CLAUSE = re.compile(
    r"^(?!.*\b(?:it|this|which|so|means?|follows?|shows?|clear|facts?|evidence)\b).*\bthat\s*$",
    re.I,
)
_REPORTED_BEHIND = re.compile(
    r"[\s,\"'⟧]*(?:was (?:planted|suggested|proposed|put forward|given)\b|(?:is what |as )?(?:(?:the|your|a|an|many|most|some)(?: [\w-]+){1,3} )?"
    r"(?:sa(?:ys?|id)|claim\w*|suggest\w*|wr[io]tes?|recommend\w*"
    r"|according to(?! the (?:passage|text|facts?|information|context|data|table|figure)))\b)",
    re.I,
)
_INFERENCE = re.compile(r"\b(?:so|thus|therefore|hence)\W*$", re.I)
NEGATIVE = re.compile(
    r"\b(?:not|n't|never|neither|nor|wrong|incorrect|false|unlikely|eliminate[sd]?|rule[sd]? out"
    r"|exclude[sd]?|cannot|can't|instead of|rather than|worse|least|if|either|or)\b|n't\b|✗|不",
    re.I,
)
"""Words after or before which a value is not stated."""
_WORD_CHARACTERS = "_" + string.ascii_letters
_MARKER = re.compile(r"⟦([^⟦⟧]*)⟧")
_GROUP = (
    r"(?:them|(?:the|these|those)(?! (?:facts?|premises?|information|evidence|passages?|texts?|others?"
    r"|rest|remaining)\b)(?: \w[\w'-]*){0,5}?)"
)
_DENIALS = re.compile(
    rf"\b(?:none of {_GROUP}(?! \w+s are)(?: \([^()\n]{{1,80}}\))?[^,;:]{{0,80}}"
    rf"|no(?:ne| {THING}| {RIGHT} {THING}) (?:is|are|appl(?:y|ies)|match(?:es)?|fits?|{RIGHT})\b"
    rf"|there (?:is|are|was)(?:n't| not)? (?:no|an?|any) {RIGHT} {THING}"
    rf"|(?:do not|don't|cannot|can't) (?:think|believe|find|see)(?: that)? (?:any of {_GROUP} [^.\n]{{2,80}}"
    rf"|an? {RIGHT} {THING})|(?:all|every)(?: of)?(?: (?:the|these|those|three|four|five|{THING}))*"
    rf" (?:is|are) (?:all )?(?:wrong|incorrect|false)"
    r"|(?:is|are|was)(?: not|n't) (?:among|one of|in|listed|given|present)\b[^.,;\n]{0,30}?\b(?:options"
    r"|choices|list|answers|alternatives))\b",
    re.I,
)


# --- Whose statement it is -------------------------------------------------------------------------


def _is_own(before: str, is_last: bool) -> bool:
    """Return whether what stands before a statement leaves it the model's own."""
    before = _SPEAKER.sub("", before)
    if not before.strip(" \"'(*_-") or _BRIDGE.search(before):
        return not REPORT.search(before) or _INFERENCE.search(before) is not None
    if REPORT.search(before) or _CONDITION.search(before) or _REPORTED_CLAUSE.search(before):
        return False
    return is_last or re.search(r"[,)]\s*$", before) is not None


def _is_quoted(sentence: Sentence, before: str) -> bool:
    """Return whether a place is inside a quotation; a text that is nothing but one is none."""
    is_inside = sentence.is_quoted or count_open_quotes(before) > 0
    is_whole = sentence.is_last and sentence.index == 0 and not before.strip(' "›')
    return is_inside and not is_whole


# --- Statements ------------------------------------------------------------------------------------


def find_statements(form: Form, sentences: Sequence[Sentence]) -> list[Statement]:
    """Return the statements of a text, from left to right for each kind.

    Args:
        form: The form of the values.
        sentences: The sentences of the text.
    """
    noun = re.compile(rf"(?P<noun>(?<![^\W_])(?:{form.noun})(?!\w)|(?:{OTHER_NOUNS}))", re.I)
    praise = re.compile(
        rf"(?:'s(?: (?:response|answer))?)?\s*\b(?:is|are|would be|seems|being|both)\s+(?:{form.praise})"
        r"|\s(?:fits|wins|stronger)\b|\sit is(?=[\s.!]*$)|\s?(?:是|[^，。]{0,12}是)(?:正确|对)",
        re.I,
    )
    found = list[Statement]()
    for sentence in sentences:
        found += _marked(form, sentence)
        found += _announced(form, sentence, noun)
        found += _chosen(form, sentence)
        found += _praised(form, sentence, praise) if form.praise != Form.praise else ()
        found += _denied(sentence) if form.several else ()
        found += _alone(form, sentences, sentence)
    return found


def _marked(form: Form, sentence: Sentence) -> Iterator[Statement]:
    """Yield what stands in markers, perhaps with a label before it or a text behind it."""
    text, end = sentence.text, 0
    for n, marker in enumerate(_MARKER.finditer(text)):
        content = re.sub(r"^[A-Za-z ]{3,20}:\s*", "", marker[1])
        value = whole(form, content)
        if value is None and re.match(r"\W*\w[).:]", content):
            value = read(form, content)[0]
        if n and re.fullmatch(r"\s*or\s*", text[end : marker.start()]):
            value = UNCLEAR
        is_reported = _PLANTED.search(text[: marker.start()])
        end = marker.end()
        if value is not None or marker[1].strip():
            is_own = value is not None and not is_reported
            value = UNCLEAR if value is None else value
            yield _statement(sentence, Level.FINAL, value, *marker.span(1), is_own)


def _statement(
    sentence: Sentence, level: Level, value: Any, start: int, end: int, is_own: bool
) -> Statement:
    """Return a statement; `start` and `end` count from the beginning of its sentence."""
    is_own = is_own and _REPORTED_BEHIND.match(sentence.text, end) is None
    return Statement(sentence, level, value, sentence.start + start, sentence.start + end, is_own)


def _announced(form: Form, sentence: Sentence, noun: re.Pattern[str]) -> Iterator[Statement]:
    """Yield what stands behind "the answer is", "Verdict:" and the like."""
    text = sentence.text
    for match in noun.finditer(text):
        found = _behind_copula(form, text, match.end())
        if found is None:
            continue
        value, copula, bare, begin, end = found
        start, is_known = _phrase_start(text, match.start())
        name = match["noun"].lower()
        key_start = len(text[: match.start()].rstrip(_WORD_CHARACTERS))
        key = text[key_start:copula]
        is_list = re.match(r"(?:options?|statements?|choices)(?:\(s\))?$", name) and (
            name[-1:] in "s)" or ":" in text[copula:begin]
        )
        if is_list and not _RIGHTS.search(f"{text[start:copula]} {key} {bare}"):
            continue
        before = text[:start]
        is_field = text[key_start - 1 : key_start] in ('"', "'") and text[copula] in "\"'"
        if is_field:
            is_own = _is_own_field(text, key_start, match.end()) and not _NO_ANSWER_LABEL.match(key)
        else:
            is_named = name.startswith(("option", "statement", "one", "exception"))
            is_known = is_known or (is_named and text[copula] != ":")
            is_known = is_known or re.fullmatch(OTHER_NOUNS, name, re.I) is not None
            is_own = is_known and not REPORT.search(_SPEAKER.sub("", bare))
            is_own = (
                is_own and _is_own(before, sentence.is_last) and not _is_quoted(sentence, before)
            )
        is_final = is_field or FINAL.search(text[start : match.end()])
        level = Level.FINAL if is_final else Level.EXPLICIT
        yield _statement(sentence, level, value, begin, end, is_own)


def _is_own_field(text: str, start: int, end: int) -> bool:
    """Return whether the object of a field is no part of a sentence about another text."""
    opening = max(text.rfind("{", 0, start), text.rfind("[", 0, start))
    before = text[: opening if opening >= 0 else start].rstrip("\"' ")
    goes_on = re.search(r"\}\W*\w", text[end:]) is not None
    is_announced = before[-1:] in ("", ":", "=") or before.lower().endswith("json")
    is_announced = is_announced or not goes_on
    return is_announced and not (goes_on and not before) and not REPORT.search(before)


def _behind_copula(form: Form, text: str, at: int) -> tuple[Any, int, str, int, int] | None:
    """Return the value behind a noun, its copula, the words between, and the value's span."""
    for copula in list(_COPULA.finditer(text, at, at + 200))[:6]:
        bare = re.sub(r"\([^()]*\)|\"[^\"]*\"|'[^']*'", "", text[at : copula.start()])
        bare = re.split(r"(?:^|\s)[\"'](?=\w)", bare)[0]
        if re.search(r"[.:;]\s|,\s", re.sub(r"\([^()]*$", "", bare)):
            return None
        if "(" in bare:
            continue
        if any(form.item.match(bare, gap.end()) for gap in re.finditer(r"^|\s", bare)):
            return None
        begin = copula.end()
        phrase = text[begin : begin + 400]
        value, end = whole(form, phrase), len(phrase)
        if value is None:
            value, end = read(form, phrase)
        if value is not None:
            is_open = re.match(r"\s*(?:,?\s*(?:if|unless)\b|\?)", phrase[end:])
            return None if is_open else (value, copula.start(), bare, begin, begin + end)
    return None


def _phrase_start(text: str, noun_at: int) -> tuple[int, bool]:
    """Return where a noun phrase begins, and whether its words name the model's own answer."""
    least = max(0, noun_at - 60)
    words = list(re.finditer(r"[\w'-]+(?=\s+(?:[\w'-]+\s+)*$)", text[least:noun_at]))
    at, is_known = noun_at, True
    for word in reversed(words):
        name = word[0].lower()
        if name in _DETERMINERS:
            return least + word.start(), is_known
        if name in _NEUTRAL:
            break
        is_known = name == "most" or (is_known and (name in _POSITIVE or name.endswith("ly")))
        at = least + word.start()
    return at, is_known


def _chosen(form: Form, sentence: Sentence) -> Iterator[Statement]:
    """Yield what stands behind "I choose", "it is" and the like."""
    text = sentence.text
    for match in _OWN.finditer(text):
        value, end = read(form, text, match.end())
        item = form.item.match(text, match.end())
        if value is None or (form.several and match["so"] and item and item["text"]):
            continue
        is_counted = re.match(
            r"\s*(?:[a-z]+ ){0,2}(?:options?|questions?|comments?|facts)\b|\s*\?", text[end:]
        )
        if not is_counted:
            is_own = _is_own(text[: match.start()], sentence.is_last)
            yield _statement(sentence, Level.OWN, value, match.end(), end, is_own)


def _praised(form: Form, sentence: Sentence, praise: re.Pattern[str]) -> Iterator[Statement]:
    """Yield the values that a sentence calls right: "B and C are correct", "A is better"."""
    text = sentence.text
    for match in praise.finditer(text):
        least = max(0, match.start() - 160)
        starts = re.finditer(r"(?<!\w)\S", text[least : match.start() + 1])
        places = [least + start.start() for start in starts]
        places = [0] if form.several and least == 0 and LIST_ITEM.match(text) else places
        for start in places:
            value, end = read(form, text, start)
            if value is None or abs(end - match.start()) > 1:
                continue
            before = text[:start]
            is_count = re.fullmatch(r"\d+ are", text[start : match.start() + 4].strip())
            is_denied = re.search(r"\b(?:none?|but|except|neither|every)\b", before[-40:], re.I)
            if not (is_count or is_denied or NEGATIVE.search(before[-30:])):
                is_own = _is_own(before, sentence.is_last)
                yield _statement(sentence, Level.OWN, value, start, end, is_own)
            break


def _denied(sentence: Sentence) -> Iterator[Statement]:
    """Yield the denial of all options."""
    text = sentence.text
    match = None if LIST_ITEM.match(text) else _DENIALS.search(text)
    exception = r"\bother|remaining|\bbut |except|\bif\b"
    if match and not re.search(exception, text[match.start() : match.end() + 20], re.I):
        before = text[: match.start()]
        level = Level.OWN if before.strip() else Level.EXPLICIT
        is_own = _is_own(before, sentence.is_last)
        yield _statement(sentence, level, NONE, *match.span(), is_own)


_LINE_LABEL = re.compile(r"(?P<words>[^\W\d_]{2}[\w' -]{0,60}?)\s*:\s*(?=\S)")
_ONE_WORD = re.compile(r"(?:(?:my|final) )?[^\W\d_]+", re.I)
_NO_ANSWER_LABEL = re.compile(r"options?|step|reason|eliminated|excluded|other", re.I)
# --- Lines ------------------------------------------------------------------------------------------


def _alone(form: Form, sentences: Sequence[Sentence], sentence: Sentence) -> Iterator[Statement]:
    """Yield the first or last line that is a value, perhaps behind one word with a colon."""
    text, value = sentence.text, whole(form, sentence.text)
    is_line = sentence.begins_line and sentence.ends_line
    if not (is_line and (sentence.is_last or sentence.index == 0)):
        if (sentence.is_last or sentence.index == 0) and value is not None:
            is_own = not sentence.is_quoted
            yield _statement(sentence, Level.OWN, value, 0, len(text), is_own)
        return
    start = 0
    if value is None:
        value, start = _labelled(form, sentences, sentence)
    if value is None or text.rstrip().endswith(":") or _is_item(form, sentences, sentence, value):
        return
    is_small = re.fullmatch(r"[a-z]", text.strip()) is not None
    level = Level.EXPLICIT if sentence.is_last and not is_small else Level.HEAD
    yield _statement(sentence, level, value, start, len(text), not sentence.is_quoted)


def _labelled(form: Form, sentences: Sequence[Sentence], sentence: Sentence) -> tuple[Any, int]:
    """Return the value behind the label of a line, and where it begins.

    One word may lead to one value, several words only to several, and neither if other lines have
    labels, too: they are the parts of something.
    """
    label = _LINE_LABEL.match(sentence.text)
    if label is None or NEGATIVE.search(label[0]) or _NO_ANSWER_LABEL.match(label[0]):
        return None, 0
    value = whole(form, sentence.text[label.end() :])
    is_set = form.several and value not in (None, UNCLEAR) and len(value) > 1
    others = (one.text for one in sentences if one is not sentence and _LINE_LABEL.match(one.text))
    is_part = not form.several and any(
        read(form, other[other.index(":") + 1 :])[0] is not None for other in others
    )
    is_leading = is_set or _ONE_WORD.fullmatch(label["words"]) is not None
    return (value, label.end()) if is_leading and not is_part else (None, 0)


def _is_item(form: Form, sentences: Sequence[Sentence], sentence: Sentence, value: Any) -> bool:
    """Return whether a line that is a value is an item of a list, or the heading of a part."""
    text, before = sentence.text, sentences[: sentence.index]
    is_digit = text.strip()[:1].isdigit()
    lines = (one.text for one in reversed(before) if one.begins_line)
    above = next((line for line in lines if LIST_ITEM.match(line) or not is_digit), "")
    previous, number = re.match(r"\W*(\w{1,2})[.)]", above), re.fullmatch(r"\W*(\w{1,2})\W*", text)
    if previous and number:
        expected = str(_ordinal(previous[1]) + 1)
        if expected.startswith(str(_ordinal(number[1]))):
            return True
    if number and before and before[-1].text.endswith(":"):
        return True
    headings = (one.text[:-1] for one in before if one.text.endswith(":"))
    if any(whole(form, heading) not in (None, UNCLEAR, value) for heading in headings):
        return True
    if " " in text and any(one.text.startswith(text.strip() + ":") for one in before):
        return True
    return form.several and value is not UNCLEAR and 2 < len(value) == form.count


def _ordinal(label: str) -> int:
    return int(label) if label.isdecimal() else ord(label[0].upper()) - 64


def find_heads(form: Form, sentences: Sequence[Sentence], text: str) -> Iterator[Statement]:
    """Yield the value with which a text or its last line begins, unless a list does."""
    yield from _text_head(form, sentences, text)
    sentence = next(one for one in reversed(sentences) if one.begins_line)
    value, end = read(form, sentence.text)
    marked = r"option\s|选项|\W*[(\[]\w"
    if value is None or value is UNCLEAR or not re.match(marked, sentence.text, re.I):
        return
    lines = [one.text for one in sentences[: sentence.index] if one.begins_line]
    rivals = [read(form, line)[0] for line in lines if re.match(marked, line, re.I)]
    rest = sentence.text[end:].lstrip(" -–—:,")
    is_denied = form.praise != Form.praise and NEGATIVE.search(rest[:40])
    if rest and not is_denied and not any(one not in (None, value) for one in rivals):
        yield _statement(sentence, Level.HEAD, value, 0, end, True)


def _text_head(form: Form, sentences: Sequence[Sentence], text: str) -> Iterator[Statement]:
    start = len(text) - len(text.lstrip(" \t\n\"'"))
    line = text[start : start + 1_000]
    value, end = read(form, line)
    if value is None or value is UNCLEAR:
        return
    is_closed = line[:end].rstrip()[-1:] in (")", "]")
    explained = r"\s*(?:[.:,;)\n—–-]|$|\((?!\w\))|\b(?:because|as|since)\b)"
    is_heading = not form.several and re.match(r"\w{3,} \S{1,3}\s?:", line)
    if is_heading or not re.match(explained + (r"|\s" if is_closed else ""), line[end:]):
        return
    rest = re.sub(r"^\W*\(?not [^)\n]*", "", line[end:].split("\n")[0]).strip(" .:)—–-")
    n_words = len(rest.split())
    named = form.texts and line[:end].rstrip(" .)").endswith(form.texts)
    if form.several and len(value) == 1 and re.match(r"\W*\d", line) and rest and not named:
        if n_words > 4 or re.search(r"\b(?:I|first)\b", rest, re.I):
            return
    is_comparing = form.praise != Form.praise
    if is_comparing and re.match(r"\s*[:,–—-]", line[end:]) and rest and n_words < 4 and not named:
        return
    is_judged = is_comparing and NEGATIVE.search(rest)
    is_judged = is_judged and re.match(r"\s*(?:\([^()]*\))?\s*[:,–—-]", line[end:])
    if (rest and n_words < 6 and is_judged) or re.search(r"^\W*(?:but|or|and)\b", line[end:], re.I):
        return
    if not _goes_on(form, sentences, line, value):
        yield Statement(sentences[0], Level.HEAD, value, start, start + end)


def _goes_on(form: Form, sentences: Sequence[Sentence], line: str, value: Any) -> bool:
    """Return whether the lines below the first one begin with other values, as a list does."""
    number = re.match(r"\W*(\d+)[.)]", line)
    below = [one for one in sentences[1:] if one.begins_line]
    items = [one.text for one in below if LIST_ITEM.match(one.text)]
    if number and items and re.match(r"\W*1[.)]", items[0]):
        return False
    return any(read(form, one.text)[0] not in (None, UNCLEAR, value) for one in below)


# --- Every option is judged ------------------------------------------------------------------------

_VERDICT = (
    r"(?:(?P<right>✓|\[x\]|(?:correct|right|true|yes|supported|valid)(?=\s*(?:[.,;:!(|}\"—–-]|$)))"
    r"|✗|☐|\[ ?\]|(?:not (?:correct|right|true|supported|valid)|incorrect|wrong|false|no|unsupported"
    r"|contradicted|invalid)(?=\s*(?:[.,;:!(|}\"—–-]|$)))"
)
_FIELD_END = re.compile(r"[,;]\s*(?=[\"'])")
_FIRST_MARK = re.compile(
    r"[\s,;|•+>{\"'-]*(?:(?P<right>✓|\[x\])|(?P<wrong>✗|☐|\[ ?\]))?[\s|>-]*", re.I
)
_NEXT = re.compile(rf"[\s:.)\]\"'|(—–→=-]*(?:is )?{_VERDICT}", re.I)
_LAST = re.compile(rf"(?:[.:;|(,→—–-]\s*|\s(?=[✓✗☐]))(?:is |so )?{_VERDICT}[\s.!)|]*$", re.I)


def find_judged(form: Form, sentences: Sequence[Sentence]) -> Iterator[Statement]:
    """Yield the options that are called right, if each is judged once, with one verdict.

    The verdict is a mark or a word directly behind the option, a mark before it, or the last word
    of its line.
    """
    verdicts: dict[int, set[bool]] = {n: set() for n in range(form.count)}
    judged: Sequence[int] = ()
    pieces = [
        (piece, one.begins_line or n > 0, one.ends_line)
        for one in sentences
        for n, piece in enumerate(_FIELD_END.split(one.text))
    ]
    for text, begins_line, ends_line in pieces:
        mark = _FIRST_MARK.match(text)
        value, end = read(form, text, mark.end() if mark else 0)
        is_option = value is not None and value is not UNCLEAR
        judged = value if is_option else () if begins_line else judged
        found = {mark["right"] is not None} if mark and (mark["right"] or mark["wrong"]) else set()
        at_end = _LAST.search(text) if ends_line else None
        words = (_NEXT.match(text, end) if is_option else None, at_end)
        found |= {verdict["right"] is not None for verdict in words if verdict}
        for position in judged:
            verdicts[position] |= found
    if form.count > 1 and all(len(of_option) == 1 for of_option in verdicts.values()):
        last = sentences[-1]
        right = tuple(n for n, of_option in verdicts.items() if True in of_option)
        yield Statement(last, Level.JUDGED, right, sentences[0].start, last.start + len(last.text))


def find_last_resort(form: Form, sentences: Sequence[Sentence]) -> Statement | None:
    """Return the one option that the last sentence names, if nothing in it is denied or reported."""
    last = sentences[-1]
    text = last.text
    is_item = any(one.begins_line and LIST_ITEM.match(one.text) for one in sentences[-2:])
    if last.begins_line and whole(form, text) is None:
        is_item = is_item or _goes_on(form, sentences, "", read(form, text)[0])
    if is_item or NEGATIVE.search(text) or text.endswith(("?", ":")):
        return None
    if REPORT.search(_SPEAKER.sub("", text)):
        return None
    named = dict[Any, tuple[int, int]]()
    for match in form.item.finditer(text):
        before = text[max(0, match.start() - 1) : match.start()]
        if not (match["label"] or match["text"]) or (before.isascii() and before.isalnum()):
            continue
        is_named = not text[match.end() :].strip(" .!)\"'") or (
            match["label"]
            and (
                re.match(r"\W*[(\[]|option|choice|answer", match[0], re.I)
                or "\u3040" <= before <= "\ud7af"
            )
        )
        if is_named and not re.fullmatch(r"\W*\d+\W*", match[0]):
            value = read(form, text, match.start())[0]
            is_one = value not in (None, UNCLEAR) and len(value) == 1
            named[value if is_one else UNCLEAR] = match.span()
        elif match["text"] or (match["label"] not in ("A", "I") and not match["label"].isdigit()):
            named[UNCLEAR] = match.span()
    if len(named) != 1 or UNCLEAR in named:
        return None
    [(value, span)] = named.items()
    return _statement(last, Level.RESORT, value, *span, True)
