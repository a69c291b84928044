"""Find every statement of a value in a text, and whether it is the model's own.

A statement is the model's own if its sentence begins with it or with a short lead of its own, or if
it is the text's last sentence. What others say, think or suggest is not.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from string import ascii_letters
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


_COPULA = re.compile(
    r"(?i)\"?\s*(?:\([^()]{0,30}\)\s*)?(?:\b(?:is|are|was|goes to"
    r"|(?:would|should|must|has to|seems to|will|may) be)\b|:|=|\s[–—-]\s|->|→|ist|est|es|è"
    r"|是|为|為|应为|は|이|은|는)(?:\s*(?:indeed|therefore|thus|clearly|that\b|as follows|la\b"
    r"|to be|option\b|(?:I think )?it is|is\b|I think|likely|most likely|\(s\)))*\s*:?\s*"
)
_POSITIVE = re.compile(
    r"(?:final|correct|best|right|only|overall|single|true|most|appropriate|accurate|valid|closest"
    r"|suitable|logical|plausible|probable|reasonable|revised|updated|corrected|own|chosen|selected"
    r"|better|fitting|sensible|improved|\w+ly)"
)
_DETERMINERS = ("the", "my", "our", "a", "an", "this")
_NEUTRAL = re.compile(
    "that|so|therefore|thus|hence|then|and|is|be|think|believe|say|consequently|finally|as|with"
)
_LIST_NOUN = re.compile(r"(?i)(?:option|statement|choice)(?:s|s?\(s\))")
_KNOWN_NOUN = re.compile(rf"(?i)(?:option|statement|one|exception).*|{OTHER_NOUNS}")
_RIGHTS = re.compile(
    r"(?i)correct|right|true|best|support|valid|accurate|appropriate|answer|suitable|closest|final"
    r"|select|cannot|must|false|hold|follow|appl"
)
FINAL = re.compile(r"(?i)\b(?:final|overall|revised|updated|corrected|ultimate)\b|最终|最終|최종")
"""Words that make a statement the last word."""
_OWN = re.compile(
    r"(?i)\b(?:(?:I|we)(?:'d|'ll|'m| would| will| should| must| can| am| have to)?"
    r"(?: also| still| therefore| only| personally)?\s(?:choose|chose|pick|select|find|say|answer"
    r"|get|go(?:ing)? (?:for|with)|vote for|prefer|(?:give|rate|label)(?: it| this)?(?: an?)?"
    r"|put it at|(?:think|conclude)(?: that)?|side with|lean (?:toward|to)s?|land on"
    r"|settle (?:on|for)|stick (?:with|to)|opt for|agree(?=:))"
    r"(?: (?:it|this|that) (?:is|as|at|would be))?"
    r"|(?:it|this|that|mine)(?:'s| is| (?:must|should|would|has to) be| can only be"
    r"| corresponds to| matches| is listed as| makes it|(?<=mine):| makes)"
    r"(?: (?:indeed|therefore|in fact|actually|rather|clearly|instead))*"
    r"|(?:is|are|be|by|choose|chose)(?=:?\s(?:\((?-i:[A-Z])\)|option\s))|points? (?:to|at)"
    r"|(?:facts|evidence|premises|information) (?:show|suggest|support|prove|say)s?"
    r"|(?:ignore|reject|disregard) (?:it|this|that)\s*:|th(?:at|is) leaves(?: us with| only)?"
    r"|(?:merits|deserves|earns|gets|scores|warrants|give it|rate it)(?: an?)?"
    r"|(?P<so>(?:^|(?<=[,;.] ))(?:so|therefore|thus|hence|choose|select),?))\s*:?\s*(?=\S)"
)
_COUNTED = re.compile(r"\s*(?:[a-z]+ ){0,2}(?:options?|questions?|comments?|facts)\b|\s*\?")
_SPEAKER = re.compile(
    r"(?i)\b(?:I|we)(?:'d| would| do| can| will| have)?\s(?:\w+\s)?(?:say|think|believe|argue|state"
    r"|conclude|suggest|mention|determined?|decided?|find|found)(?: that)?\b|\bsays? otherwise\b"
    r"|\b(?:facts|evidence|premises) (?:show|suggest|support|prove|say)s?(?: that)?\b"
)
REPORT = re.compile(
    r"(?i)\b(?:according to|(?:it is|are|was|were|been) (?:\w+ )?(?:told|believed|said|suggested"
    r"|claimed|assumed|tempting)|(?:claim|assert|reveal|suggest|hint|mention|believe|argue|insist"
    r"|tell|tempt|pretend|plant)(?:s|ed|ing)?|states?|stated|say|sa(?:ys|id)|contains|includes"
    r"|thinks?|thought|told|implies|implied|presents|tried|tries)\b"
)
"""Words of reported speech."""
_PLANTED = re.compile(r"(?i)\b(?:sa(?:ys|id)|writes?|wrote|claim\w*|tr(?:ied|ies)|plant\w*)\b")
_REPORTED_BEHIND = re.compile(
    r"(?i)(?![\s,]*(?:as|which is what) the (?:passage|text|facts?|table|data))"
    r"[\s,\"'⟧]*(?:was (?:planted|suggested|proposed|put forward|given)\b|(?:is what |as )?"
    r"(?:(?:the|your|a|an|many|most|some)(?: [\w-]+){1,3} )?(?:sa(?:ys?|id)|claim\w*|suggest\w*"
    r"|wr[io]tes?|recommend\w*|according to(?! the (?:passage|text|facts?|data|table)))\b)"
)
_CONDITION = re.compile(
    r"(?i)(?:^|\b(?:but|and)\s)(?:only )?(?:if|unless|suppose|had|at first)\b|\bwould have\b"
    r"|\bwhether\s*$|^(?!.*\b(?:it|this|which|so|means?|follows?|shows?|clear|facts?|evidence)\b)"
    r".*\bthat\s*$"
)
"""A condition, or a clause with `that`, unless it is impersonal: "it is clear that"."""
_BRIDGE = re.compile(
    r"(?i)(?:\b(?:so|thus|therefore|hence|then|consequently|accordingly|ultimately|finally|overall"
    r"|conclusion|summary|because|and)|[:;—–,)])[\s,\"']*$"
)
_INFERENCE = re.compile(r"(?i)\b(?:so|thus|therefore|hence)\W*$")
NEGATIVE = re.compile(
    r"(?i)\b(?:not|never|neither|nor|wrong|incorrect|false|unlikely|eliminate[sd]?|rule[sd]? out"
    r"|exclude[sd]?|cannot|can't|instead of|rather than|worse|least|if|either|or)\b|n't\b|✗|不"
)
"""Words after or before which a value is not stated."""
_EXCEPTION = re.compile(r"(?i)\b(?:none?|but|except|every|other|remaining|if)\b")
_MARKER = re.compile(r"⟦([^⟦⟧]*)⟧")
_LINE_LABEL = re.compile(
    r"(?i)(?!options?|step|reason|eliminated|excluded|other)(?P<words>[^\W\d_]{2}[\w' -]{0,60}?)"
    r"\s*:\s*(?=\S)"
)
_MARKED = re.compile(r"(?i)option\s|选项|\W*[(\[]\w")
_OPTIONS = re.compile(r"(?i)\W*(?:answer )?(?:options|choices)\s*:")
_ONE_WORD = re.compile(r"(?i)(?:(?:my|final) )?[^\W\d_]+")
_GROUP = (
    r"(?:them|(?:the|these|those)(?! (?:facts?|premises?|information|evidence|passages?|texts?"
    r"|others?|rest|remaining)\b)(?: \w[\w'-]*){0,5}?)"
)
_DENIALS = re.compile(
    rf"(?i)\b(?:none of {_GROUP}(?! \w+s are)(?: \([^()\n]{{1,80}}\))?[^,;:]{{0,80}}"
    rf"|no(?:ne| {THING}| {RIGHT} {THING}) (?:is|are|appl(?:y|ies)|match(?:es)?|fits?|{RIGHT})\b"
    rf"|there (?:is|are|was)(?:n't| not)? (?:no|an?|any) {RIGHT} {THING}"
    rf"|(?:do not|don't|cannot|can't) (?:think|believe|find|see)(?: that)?"
    rf" (?:any of {_GROUP} [^.\n]{{2,80}}|an? {RIGHT} {THING})"
    rf"|(?:all|every)(?: of)?(?: (?:the|these|those|three|four|five|{THING}))*"
    r" (?:is|are) (?:all )?(?:wrong|incorrect|false)|(?:is|are|was)(?: not|n't) (?:among|one of|in"
    r"|listed|given|present)\b[^.,;\n]{0,30}?\b(?:options|choices|list|answers|alternatives))\b"
)
# Trying this at each place takes long: it is left out of texts without its sign.
_CHINESE_PRAISE = r"|\s?(?:是|[^，。]{0,12}是)(?:正确|对)"
_CORRECT_WORD = r"(?:correct|right|true|supported|valid)"
_STOP = r"(?=\s*(?:[.,;:!(|}\"—–-]|$))"
_VERDICT = (
    rf"(?:(?P<right>✓|\[x\]|(?:{_CORRECT_WORD}|yes){_STOP})|✗|☐|\[ ?\]"
    rf"|(?:not {_CORRECT_WORD}|incorrect|wrong|false|no|unsupported|contradicted|invalid){_STOP})"
)
_FIELD_END = re.compile(r"[,;]\s*(?=[\"'])")
_FIRST_MARK = re.compile(
    r"(?i)[\s,;|•+>{\"'-]*(?:(?P<right>✓|\[x\])|(?P<wrong>✗|☐|\[ ?\]))?[\s|>-]*"
)
_NEXT = re.compile(rf"(?i)[\s:.)\]\"'|(—–→=-]*(?:is )?{_VERDICT}")
_LAST = re.compile(rf"(?i)(?:[.:;|(,→—–-]\s*|\s(?=[✓✗☐]))(?:is |so )?{_VERDICT}[\s.!)|]*$")


def find_statements(form: Form, sentences: Sequence[Sentence]) -> list[Statement]:
    """Return the statements of a text, from left to right for each kind.

    Args:
        form: The form of the values.
        sentences: The sentences of the text.

    Returns:
        The statements, also those that are not the model's own.
    """
    noun = re.compile(rf"(?P<noun>(?<![^\W_])(?:{form.noun})(?!\w)|(?:{OTHER_NOUNS}))", re.I)
    praise = re.compile(
        r"(?:'s(?: (?:response|answer))?)?\s*\b(?:is|are|would be|seems|being|both)\s+"
        rf"(?:{form.praise})"
        r"|\s(?:fits|wins|stronger)\b|\sit is(?=[\s.!]*$)"
        + (_CHINESE_PRAISE if any("是" in one.text for one in sentences) else ""),
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


def _statement(
    sentence: Sentence, level: Level, value: Any, span: tuple[int, int], is_own: bool
) -> Statement:
    """Return a statement; its span counts from the beginning of its sentence."""
    start, end = span
    is_own = is_own and _REPORTED_BEHIND.match(sentence.text, end) is None
    return Statement(sentence, level, value, sentence.start + start, sentence.start + end, is_own)


def _is_own(sentence: Sentence, start: int) -> bool:
    """Return whether a statement is the model's own, by the words before it."""
    before = _SPEAKER.sub("", sentence.text[:start])
    is_first = not before.strip(" \"'(*_-›")
    is_whole = is_first and sentence.is_last and sentence.number == 0
    if sentence.is_quoted or (count_open_quotes(before) > 0 and not is_whole):
        return False
    if _INFERENCE.search(before):
        return True
    if REPORT.search(before) or _CONDITION.search(before):
        return False
    return sentence.is_last or is_first or _BRIDGE.search(before) is not None


def _marked(form: Form, sentence: Sentence) -> Iterator[Statement]:
    """Yield the values in markers, perhaps with a label before it or a text after it."""
    for marker in _MARKER.finditer(sentence.text):
        content = re.sub(r"^[A-Za-z ]{3,20}:\s*", "", marker[1])
        value = whole(form, content)
        if value is None and re.match(r"\W*\w[).:]", content):
            value = read(form, content)[0]
        if content.strip():
            is_own = value is not None and not _PLANTED.search(sentence.text[: marker.start()])
            value = UNCLEAR if value is None else value
            yield _statement(sentence, Level.FINAL, value, marker.span(1), is_own)


def _announced(form: Form, sentence: Sentence, noun: re.Pattern[str]) -> Iterator[Statement]:
    """Yield the values after "the answer is", "Verdict:" and the like."""
    text = sentence.text
    for match in noun.finditer(text):
        found = _behind_copula(form, text, match.end())
        if found is None:
            continue
        value, copula, (begin, end) = found
        start, is_known = _phrase_start(text, match.start())
        key_start = len(text[: match.start()].rstrip(ascii_letters + "_"))
        words = text[min(start, key_start) : copula]
        if _LIST_NOUN.fullmatch(match["noun"]) and not _RIGHTS.search(words):
            continue
        is_field = text[key_start - 1 : key_start] in ('"', "'") and text[copula] in "\"'"
        if is_field:
            is_own = _is_own_field(text, key_start, match.end())
        else:
            is_label = text[copula] == ":" and match["noun"].isascii()
            is_named = _KNOWN_NOUN.fullmatch(match["noun"]) is not None and not is_label
            is_own = (is_known or is_named) and _is_own(sentence, start)
        is_final = FINAL.search(text[start : match.end()])
        level = Level.FIELD if is_field else Level.FINAL if is_final else Level.EXPLICIT
        yield _statement(sentence, level, value, (begin, end), is_own)


def _is_own_field(text: str, start: int, end: int) -> bool:
    """Return whether the object of a field is no part of a sentence about another text."""
    opening = max(text.rfind("{", 0, start), text.rfind("[", 0, start))
    before = text[: opening if opening >= 0 else start].rstrip("\"' ")
    goes_on = re.search(r"\}\W*\w", text[end:]) is not None
    is_announced = before[-1:] in (":", "=") or not goes_on
    return is_announced and not REPORT.search(before)


def _behind_copula(form: Form, text: str, at: int) -> tuple[Any, int, tuple[int, int]] | None:
    """Return the value behind a noun, where its copula begins, and the value's span."""
    for copula in islice(_COPULA.finditer(text, at, at + 200), 6):
        bare = re.sub(r"\([^()]*\)|\"[^\"]*\"|'[^']*'", "", text[at : copula.start()])
        bare = re.split(r"(?:^|\s)[\"'](?=\w)", bare)[0]
        if re.search(r"[.:;,]\s", re.sub(r"\([^()]*$", "", bare)):
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
            return value, copula.start(), (begin, begin + end)
    return None


def _phrase_start(text: str, noun_at: int) -> tuple[int, bool]:
    """Return where a noun phrase begins, and whether its words name the model's own answer."""
    phrase = re.split(r"[^\w\s'-]", text[max(0, noun_at - 60) : noun_at])[-1]
    words = list(re.finditer(r"[\w'-]+", phrase)) if phrase[-1:].isspace() else []
    at, is_known = noun_at, True
    for word in reversed(words):
        name = word[0].lower()
        if _NEUTRAL.fullmatch(name):
            break
        at = noun_at - len(phrase) + word.start()
        if name in _DETERMINERS:
            break
        is_known = is_known and _POSITIVE.fullmatch(name) is not None
    return at, is_known


def _chosen(form: Form, sentence: Sentence) -> Iterator[Statement]:
    """Yield the values after "I choose", "it is" and the like."""
    text = sentence.text
    for match in _OWN.finditer(text):
        value, end = read(form, text, match.end())
        item = form.item.match(text, match.end())
        is_text = form.several and match["so"] and item and item["text"]
        if value is not None and not is_text and not _COUNTED.match(text, end):
            is_own = _is_own(sentence, match.start())
            yield _statement(sentence, Level.OWN, value, (match.end(), end), is_own)


def _praised(form: Form, sentence: Sentence, praise: re.Pattern[str]) -> Iterator[Statement]:
    """Yield the values that a sentence calls right: "B and C are correct", "A is better"."""
    text = sentence.text
    for match in praise.finditer(text):
        least = max(0, match.start() - 160)
        starts = re.finditer(r"(?<!\w)\S", text[least : match.start() + 1])
        places = [least + start.start() for start in starts]
        for start in [0] if form.several and LIST_ITEM.match(text) else places:
            value, end = read(form, text, start)
            if value is None or abs(end - match.start()) > 1:
                continue
            is_count = re.fullmatch(r"\d+ are", text[start : match.start() + 4].strip())
            is_denied = NEGATIVE.search(text[max(0, start - 30) : start])
            is_denied = is_denied or _EXCEPTION.search(text[max(0, start - 40) : start])
            if not is_count and not is_denied:
                yield _statement(sentence, Level.OWN, value, (start, end), _is_own(sentence, start))
            break


def _denied(sentence: Sentence) -> Iterator[Statement]:
    """Yield the denial of all options."""
    text = sentence.text
    match = None if LIST_ITEM.match(text) else _DENIALS.search(text)
    if match and not _EXCEPTION.search(text, match.start() + 4, match.end() + 20):
        level = Level.OWN if text[: match.start()].strip() else Level.EXPLICIT
        yield _statement(sentence, level, NONE, match.span(), _is_own(sentence, match.start()))


def _alone(form: Form, sentences: Sequence[Sentence], sentence: Sentence) -> Iterator[Statement]:
    """Yield the first or last sentence that is a value, perhaps behind one word with a colon."""
    if not sentence.is_last and sentence.number > 0:
        return
    text = sentence.text
    value, start = whole(form, text), 0
    is_small = len(text) == 1 and text.islower()
    level = Level.EXPLICIT if sentence.is_last and not is_small else Level.HEAD
    if not (sentence.begins_line and sentence.ends_line):
        level = Level.OWN
    elif value is None:
        value, start = _labelled(form, sentences, sentence)
    if value is None or text.endswith(":") or _is_item(form, sentences, sentence, value):
        return
    is_fragment = (
        level == Level.OWN and form.praise != Form.praise and not re.search(r"[.!]\W?$", text)
    )
    if is_fragment or (level == Level.HEAD and _goes_on(form, sentences, text, value)):
        return
    yield _statement(sentence, level, value, (start, len(text)), not sentence.is_quoted)


def _labelled(form: Form, sentences: Sequence[Sentence], sentence: Sentence) -> tuple[Any, int]:
    """Return the value behind the label of a line, and where it begins.

    One word may lead to one value, several words only to several, and neither if other lines have
    labels, too: they are the parts of something.
    """
    label = _LINE_LABEL.match(sentence.text)
    if label is None or NEGATIVE.search(label[0]):
        return None, 0
    value = whole(form, sentence.text[label.end() :])
    is_set = form.several and value not in (None, UNCLEAR) and len(value) > 1
    others = [_LINE_LABEL.match(one.text) for one in sentences if one is not sentence]
    is_part = not form.several and any(
        read(form, other.string, other.end())[0] is not None for other in others if other
    )
    is_leading = is_set or _ONE_WORD.fullmatch(label["words"]) is not None
    return (value, label.end()) if is_leading and not is_part else (None, 0)


def _is_item(form: Form, sentences: Sequence[Sentence], sentence: Sentence, value: Any) -> bool:
    """Return whether a line that is a value is an item of a list, or the heading of a part."""
    text, before = sentence.text.strip(), sentences[: sentence.number]
    above = next((one.text for one in reversed(before) if LIST_ITEM.match(one.text)), "")
    previous, number = re.match(r"\W*(\w{1,2})[.)]", above), re.fullmatch(r"\W*(\w{1,2})\W*", text)
    if previous and number:
        expected = str(_ordinal(previous[1]) + 1)
        if expected.startswith(str(_ordinal(number[1]))):
            return True
    if number and before and before[-1].text.endswith(":"):
        return True
    if " " in text and any(one.text.startswith(text + ":") for one in before):
        return True
    return form.several and value is not UNCLEAR and 2 < len(value) == form.count


def _ordinal(label: str) -> int:
    return int(label) if label.isdecimal() else ord(label[0].upper()) - 64


def find_heads(form: Form, sentences: Sequence[Sentence], text: str) -> Iterator[Statement]:
    """Yield the value with which a text or its last line begins, unless a list does.

    Args:
        form: The form of the values.
        sentences: The sentences of the text.
        text: The text.
    """
    start = len(text) - len(text.lstrip(" \t\n\"'"))
    line = text[start : start + 1_000].split("\n")[0]
    value, end = read(form, line)
    is_head = value not in (None, UNCLEAR) and _is_explained(form, line, value, end)
    if is_head and not _goes_on(form, sentences, line, value):
        yield Statement(sentences[0], Level.HEAD, value, start, start + end)
    sentence = next(one for one in reversed(sentences) if one.begins_line)
    value, end = read(form, sentence.text)
    is_denied = form.praise != Form.praise and NEGATIVE.search(sentence.text[end : end + 40])
    is_head = value not in (None, UNCLEAR) and _MARKED.match(sentence.text) is not None
    if is_head and not is_denied and not _is_listed(form, sentences, sentence):
        yield _statement(sentence, Level.HEAD, value, (0, end), True)


def _is_listed(form: Form, sentences: Sequence[Sentence], sentence: Sentence) -> bool:
    """Return whether a line follows another option, as in a list."""
    above = [one.text for one in sentences[: sentence.number] if one.begins_line][-1:]
    is_item = any(_MARKED.match(line) and read(form, line)[0] is not None for line in above)
    return is_item or any(_OPTIONS.match(line) for line in (*above, sentence.text))


def _is_explained(form: Form, line: str, value: Any, end: int) -> bool:
    """Return whether only an explanation follows the value of a first line."""
    behind = line[end:]
    is_closed = form.several and re.fullmatch(r"(?:\W*|.*\s\W?)[A-Z\d]+[)\]]+\s*", line[:end])
    explained = r"\s*(?:[.:,;)—–-]|$|\((?!\w\))|\b(?:because|as|since)\b)"
    is_heading = not form.several and re.match(r"\w{3,} \S{1,3}\s?:", line)
    if is_heading or not (is_closed or re.match(explained, behind)):
        return False
    rest = re.sub(r"^\W*\(?not [^)]*", "", behind).strip(" .,;:)—–-")
    n_words = len(rest.split())
    if form.several and len(value) == 1 and re.match(r"\W*\d", line) and n_words > 4:
        return False
    is_named = re.match(r"\s*(?:\([^()]*\))?\s*[:,–—-]", behind)
    is_judged = n_words > 0 and (n_words < 4 or (n_words < 6 and NEGATIVE.search(rest)))
    if form.praise != Form.praise and is_named and is_judged:
        return False
    return not re.match(r"\W*(?:but|or|and)\b", behind, re.I)


def _goes_on(form: Form, sentences: Sequence[Sentence], line: str, value: Any) -> bool:
    """Return whether the lines below the first one begin with other values, as a list does."""
    below = [one.text for one in sentences[1:] if one.begins_line]
    items = [text for text in below if LIST_ITEM.match(text)]
    if re.match(r"\W*\d+[.)]", line) and items and re.match(r"\W*1[.)]", items[0]):
        return False
    return any(read(form, text)[0] not in (None, UNCLEAR, value) for text in below)


def find_judged(form: Form, sentences: Sequence[Sentence]) -> Iterator[Statement]:
    """Yield the options that are called right, if each is judged once, with one verdict.

    The verdict is a mark or a word directly behind the option, a mark before it, or the last word
    of its line.

    Args:
        form: The form of the values.
        sentences: The sentences of the text.
    """
    verdicts = [set[bool]() for _ in range(form.count)]
    judged: Sequence[int] = ()
    for sentence in sentences:
        for text in _FIELD_END.split(sentence.text):
            mark = _FIRST_MARK.match(text)
            value, end = read(form, text, mark.end() if mark else 0)
            is_option = value not in (None, UNCLEAR)
            judged = value if is_option else judged
            words = [_NEXT.match(text, end) if is_option else None]
            words += [_LAST.search(text) if sentence.ends_line else None]
            words += [mark if mark and mark.lastgroup else None]
            for position in judged:
                verdicts[position] |= {word["right"] is not None for word in words if word}
    if all(len(of_option) == 1 for of_option in verdicts):
        right = tuple(n for n, of_option in enumerate(verdicts) if True in of_option)
        last = sentences[-1]
        yield Statement(last, Level.JUDGED, right, sentences[0].start, last.start + len(last.text))


def find_last_resort(form: Form, sentences: Sequence[Sentence]) -> Statement | None:
    """Return the one option that the last sentence names, if nothing in it is denied or reported.

    Args:
        form: The form of the values.
        sentences: The sentences of the text.

    Returns:
        The statement, or None.
    """
    last = sentences[-1]
    text = last.text
    is_item = any(LIST_ITEM.match(one.text) for one in sentences[-2:])
    is_item = is_item or (last.begins_line and _is_listed(form, sentences, last))
    if is_item or NEGATIVE.search(text) or REPORT.search(_SPEAKER.sub("", text)):
        return None
    named = dict[Any, tuple[int, int]]()
    for match in form.item.finditer(text):
        label = match["label"]
        if not (label or match["text"]) or re.search(r"[A-Za-z0-9]$", text[: match.start()]):
            continue
        rest = text[match.end() :].strip(" .!)\"'")
        is_marked = label and re.match(r"\W*[(\[]|option|choice|answer", match[0], re.I)
        if (is_marked or not rest) and not re.fullmatch(r"\W*\d+\W*", match[0]):
            value = read(form, text, match.start())[0]
            is_one = value not in (None, UNCLEAR) and len(value) == 1
            named[value if is_one else UNCLEAR] = match.span()
        elif match["text"] or (label and label not in ("A", "I") and not label.isdigit()):
            named[UNCLEAR] = match.span()
    if len(named) != 1 or UNCLEAR in named or text.endswith(("?", ":")):
        return None
    [(value, span)] = named.items()
    return _statement(last, Level.RESORT, value, span, True)
