"""Where an answer names options: by number or letter, in words (`the second option`), or by text.

Signs are written over these places. Those of one kind may make a set (`choice.py`): behind `(D)`,
the `a` of "(D) a town" is no second option, and behind `2. `, the 3 of "2. Paris, 3 km" is none.
"""

import re
from collections.abc import Sequence

from bias_tasks.reading.bounds import Window, plain_spelling
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.signs import kind_of, place_of, sign_of

ORDINALS, CARDINALS = (re.findall(r"\w+", patterns.rows[each]) for each in ("ordinal", "cardinal"))


def signed(window: Window, count: int, letters: bool, first: int, texts: Sequence[str]) -> Window:
    """The window with a sign wherever one of `count` options is named, which carry letters, or
    numbers from `first` on, and are known by their texts, if these are given."""
    spelled = [patterns.article.sub("", plain_spelling(each).strip(" .\n\"'$")) for each in texts]
    symbols = {chr(ord("a") + n) if letters else str(first + n) for n in range(count)}
    known = {each for each in {*spelled} - symbols if each and spelled.count(each) == 1}
    numbers = {word: n for row in (ORDINALS, CARDINALS) for n, word in enumerate(row)}
    numbers["last"] = count - 1

    def words(match: re.Match[str]) -> str:
        named = patterns.number_word
        return named.sub(lambda w: sign_of("named", numbers[w["number"]], len(w[0])), match[0])

    def run(match: re.Match[str]) -> str:
        return "".join(sign_of("bare", ord(letter) - ord("A"), 1) for letter in match[0])

    if known:
        one_of = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        written = re.compile(patterns.rows["option_text"].replace("TEXT", one_of))
        window = window.rewritten(
            written, lambda m: sign_of("text", spelled.index(m["text"]), len(m[0]))
        )
    window = window.rewritten(patterns.in_words, words)
    window = window.rewritten(patterns.run, run, cased=True) if letters else window
    symbol = patterns.letter if letters else patterns.number
    window = window.rewritten(symbol, lambda match: _symbol(match, count, letters, first), letters)
    return window.rewritten(patterns.merged, _merged)


def _symbol(match: re.Match[str], count: int, letters: bool, first: int) -> str:
    """A sign for a number or letter, and what belongs to it."""
    text, value, (begin, end) = match.string, match["value"].lower(), match.span()
    place = ord(value) - ord("a") if letters else int(value) - first
    opened, closed, kind = match["open"], match["close"], "bare"
    if match["name"] and (closed or not opened):
        kind = "named"
    elif closed and (opened or text.count("(", 0, begin) <= text.count(")", 0, begin)):
        kind = "closed" if opened else "half"
    elif _heads_line(match) and patterns.half_closed.match(text, end):
        kind = "half"
    far = place > count + 2 and (letters or len(value) > 1) and kind in ("bare", "half")
    if far or (place < 0 and patterns.goes_on.match(text, end)):
        return ""  # `0 correct options`
    if kind == "bare" and not (match["quote"] or match["tex"]):
        begin, end = match.span("value")  # brackets about several are nobody's
    return text[match.start() : begin] + sign_of(kind, place, end - begin) + text[end : match.end()]


def _merged(match: re.Match[str]) -> str:
    """One sign where an option's number and its text stand beside each other."""
    number, text = match["number"] or match["number_behind"], match["text"] or match["text_before"]
    anew = match["number"] and kind_of(number) == "half" and _heads_line(match)
    same = anew or place_of(number) == place_of(text)
    return sign_of("told", place_of(text), len(match[0])) if same else ""


def _heads_line(match: re.Match[str]) -> bool:
    line = match.string.rfind("\n", 0, match.start()) + 1
    return patterns.line_head.fullmatch(match.string, line, match.start()) is not None
