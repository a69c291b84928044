"""Reads a list of options at a place in a text.

"2", "1 and 3", "(B)", "the second option", "options 1 to 3", "not only 1 but also 3".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from bias_tasks.instruction_boundary.reading.groups import ASIDE, HOLDS
from bias_tasks.reading.bounds import skip

Symbols = Literal["numbers", "letters"]
"""Whether options carry numbers (1, 2, ...) or letters (A, B, ...)."""

MAX_ITEMS = 26
"""A longer list is no answer."""

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINAL_WORDS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_SHORT = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
_ORDINALS = tuple(zip(_ORDINAL_WORDS, _SHORT, strict=True))
_WORD_NUMBER = {word: number for number, word in enumerate(_WORDS, 1)}
_ORDINAL_NUMBER = {word: number for number, pair in enumerate(_ORDINALS, 1) for word in pair}

# What may stand before an option: blanks, opening marks, LaTeX. A minus before a digit may not.
_LEAD = re.compile(
    r"(?:[\s(\"'\[{$<>【:=✓→•]|-(?!\d)|\[x\]|\\[(\[{]|\\(?:text|math|f?box)[a-z]{0,2} ?\{){0,60}"
)
_FILLER = re.compile(
    r"(?:(?P<named>options?|opts?\.?|choices?|numbers?|nos?\.|letters?|opci[oó]n|op[cç][aã]o"
    r"|opzione|statements?|answers?(?= [(\"]?\d)|(?:those|ones) numbered)"
    r"|(?P<either>either)|the|both|only|just|simply|still)(?![a-z])[ :(\"'\[{]{0,8}"
    r"|(?:(?P<cjk>选项)|选择|第) ?"
)
_NOT_ONLY = re.compile(r"not only (?=(?:the )?(?:options?|choices?|statements?)? ?[(\"]?[\da-z])")
_BUT_ALSO = re.compile(r",? but(?: also)? ")
# "options 1-3", "1 through 3"; "1 to 3" alone may be a quantity or a change.
_RANGE = re.compile(
    r"\(?(?P<low>\d{1,2})\)?(?: ?- ?| (?P<word>to|through|thru) )"
    r"\(?(?P<high>\d{1,2})\)?(?![\w%-]|[.,:/]\d)"
)
_NOT_A_QUANTITY = (
    r"(?![^\W_\u3040-\u9fff\uac00-\ud7af]|[.:/^']\d|,\d{3}(?!\d)|\s?%|[ ]?[-+×=<>^/÷][ ]?\d)"
)
_CLOSE = r"(?P<close>(?:\\[)\]}]|[)\]}\"'>$】]){0,12})"
_OPEN = r"(?P<open>[(\[{\"'<$]{0,6})"
_NUMBER = re.compile(
    rf"{_OPEN}(?P<item>\d{{1,3}}|(?i:{'|'.join(_WORDS)})(?![a-z])){_NOT_A_QUANTITY}{_CLOSE}"
)
_LETTER = re.compile(rf"{_OPEN}(?P<item>[A-Za-z]){_NOT_A_QUANTITY}(?!['-][a-z]){_CLOSE}")
_ORDINAL_WORD = rf"(?:{'|'.join(word for pair in _ORDINALS for word in pair)})\b"
_NOUN = r" (?:options?|choices?|answers?|statements?|ones?|alternatives?)\b"
_ORDINAL = re.compile(
    rf"(?P<item>{_ORDINAL_WORD})(?:(?P<noun>{_NOUN})|(?=[\"'.! )]{{0,4}}(?:\n|$))"
    rf"|(?=(?:,(?: the)? {_ORDINAL_WORD}){{0,8}},? (?:and|or)(?: the)? {_ORDINAL_WORD}"
    rf"(?:{_NOUN}|[\"'.! )]{{0,4}}(?:\n|$))))"
)
# A mark, a word, a blank, or a new line that holds an option alone.
_SEPARATOR = re.compile(
    r"(?: *(?P<mark>[,;&+✓])| *\n *-(?!\d)| *\n *(?=(?:options? )?[(\[]?(?:\d{1,3}"
    r"|[a-z])[)\].]? *(?:\n|$)))?"
    r" *(?:\\text ?\{)? *(?:(?P<word>and(?: also)?|or|plus|as well as|und|et|y|и|e(?= \d))\b *\}? *"
    r"|(?P<cjk>[和及与]) *)?"
)
# Words in parentheses between two options: "2 (Paris) and 3 (Rome)".
_GLOSS = re.compile(r" ?\([^()\n]{0,80}\)(?= ?(?:[,;&]|and\b|or\b| *\n[ -]*\(?\d{1,2} ?\())")
# What may follow an option that stands bare, so that "3 apples" and "A good idea" are not one.
_FOLLOW = re.compile(
    r"[ ]*(?:$|\n|[.,;:!?)\]}\"'<✓✗](?!\d)|(?:-|=|→|[=-]>)\s|\(|\|[ ]*(?:\n|$))"
    r"|[ ]+(?:bec\w{2,5}|cause|co[sz]|cuz|bc|since|as|due|based|given|which|and|but|with|while"
    r"|although|though"
    r"|however|from|under|here|where|in this|seems?|appears?|must|is|are|only|alone|both"
    rf"|the (?:right|correct|best|only|most)|even|rather|instead|over|{HOLDS}|{ASIDE})"
    r"(?!\w)|[\u3040-\u9fff\uac00-\ud7af]"
)


_GOES_ON = re.compile(r" [a-z]")
_CLOSED_BY = {"(": ")", '"': '"'}


@dataclass(frozen=True, slots=True)
class Options:
    """Options named at one place of a text."""

    numbers: tuple[int, ...]
    """Their numbers as the text counts, sorted, without repeats; letters count from 0."""
    start: int
    end: int
    after: int
    """Where the text goes on behind closing marks."""
    alternative: bool
    """They were named as alternatives ("1 or 2")."""
    named: bool
    """They are called options, as in "option 2"."""


def options_at(plain: str, low: str, pos: int, end: int, symbols: Symbols) -> Options | None:
    """The options named at `pos`, or None when what stands there is no list of options.

    Args:
        plain: the text; `low` the same in lower case.
        pos: where the list may begin; marks and words like "option" may come first.
        end: where the text ends.
        symbols: what the options are called by.
    """
    numbers: set[int] = set()
    start = last = after = pos
    alternative = named = wrapped = apart = aside = repeats = False
    at = skip(_LEAD, low, pos, end)
    besides = _NOT_ONLY.match(low, at, end)
    at = at if besides is None else besides.end()
    for _ in range(MAX_ITEMS):
        while (filler := _FILLER.match(low, at, end)) is not None:
            if filler["named"] is not None and numbers and not named:
                if apart:
                    return None  # "2 options": a quantity
                if aside:
                    break  # "7, option 2": a value, and the option that holds it
            named = named or bool(filler["named"] or filler["cjk"])
            alternative = alternative or filler["either"] is not None
            at = filler.end()
        item = _range(low, at, end, symbols, named) or _item(plain, low, at, end, symbols, named)
        if item is None or _apart_from(low, item, numbers, after if apart else None):
            break
        if repeats and not (wrapped or item.wrapped) and numbers.issuperset(item.numbers):
            return None  # "2 2 2": nothing but digits
        named = named or (item.wrapped and low[item.start].isalpha())
        start = start if numbers else item.start
        numbers.update(item.numbers)
        last, after, wrapped = item.end, item.after, item.wrapped
        if besides is not None and len(numbers) == 1:
            at = skip(_BUT_ALSO, low, after, end)
            apart = False
            if at > after:
                continue
        separator = _SEPARATOR.match(low, skip(_GLOSS, low, after, end), end)
        if separator is None or separator.end() == after:
            break
        apart = not (separator["mark"] or separator["word"] or separator["cjk"])
        repeats = apart and "\n" not in separator[0]
        aside = separator["mark"] is not None and separator["word"] is None
        at = separator.end()
        behind = skip(_FILLER, low, at, end)
        if separator["word"] == "or" and _item(plain, low, behind, end, symbols, True):
            alternative = True
    else:
        return None
    if not numbers or not (named or wrapped or _FOLLOW.match(low, after, end)):
        return None
    in_words = symbols == "numbers" and low[last - 1].isalpha() and not (named or wrapped)
    if in_words and _GOES_ON.match(low, after):
        return None  # "one is", "two that": no option
    alternative = alternative and len(numbers) > 1
    return Options(tuple(sorted(numbers)), start, last, after, alternative, named)


@dataclass(frozen=True, slots=True)
class _Item:
    numbers: tuple[int, ...]
    """One, or those of a range."""
    start: int
    end: int
    after: int
    wrapped: bool
    """Marks enclose it, or a noun names it an option: anything may follow."""


def _item(plain: str, low: str, at: int, end: int, symbols: Symbols, named: bool) -> _Item | None:
    """The option whose symbol or ordinal begins at position `at`; None where none begins there."""
    ordinal = _ORDINAL.match(low, at, end)
    if ordinal is not None:
        number = _ORDINAL_NUMBER[ordinal["item"]] - (symbols == "letters")
        return _Item((number,), at, ordinal.end(), ordinal.end(), ordinal["noun"] is not None)
    match = (_LETTER if symbols == "letters" else _NUMBER).match(plain, at, end)
    if match is None or _a_price(low, match.start("item"), end):
        return None
    text, wrapped = match["item"], match["close"] not in ("", "'")
    if symbols == "letters":
        if text.islower() and not wrapped and not named:
            return None
        number = ord(text.upper()) - ord("A")
    else:
        number = _WORD_NUMBER.get(text.lower(), -1)
        number = int(text) if number < 0 else number
    return _Item((number,), match.start("item"), match.end("item"), match.end(), wrapped)


def _a_price(low: str, at: int, end: int) -> bool:
    """Whether a dollar sign before a number closes no formula on its line: "$200"."""
    if low[at - 1 : at] != "$":
        return False
    stop = low.find("\n", at, end)
    return low.find("$", at, end if stop < 0 else stop) < 0


def _range(low: str, at: int, end: int, symbols: Symbols, named: bool) -> _Item | None:
    """The options from one number to a higher one; None where no such range begins."""
    match = _RANGE.match(low, at, end) if symbols == "numbers" else None
    if match is None or not (named or match["word"] in ("through", "thru")):
        return None
    first, final = int(match["low"]), int(match["high"])
    if not first < final < first + MAX_ITEMS:
        return None
    return _Item(
        tuple(range(first, final + 1)), match.start("low"), match.end("high"), match.end(), True
    )


def _apart_from(low: str, item: _Item, before: set[int], blank: int | None) -> bool:
    """Whether a number behind other options is none of them.

    It opens a quoted text (`option 1, "4 apples"`), or stands in an aside behind an option that is
    not in the same marks: "2 (1 and 3 are wrong)", `3 ("1")`, `"3" (2)`.

    Args:
        low: the text.
        item: the number.
        before: the options before it.
        blank: where the blank begins that alone parts it from them; None where a mark or word does.
    """
    if not before:
        return False
    opens = low[item.start - 1]
    if blank is not None and opens in _CLOSED_BY and low[blank - 1] != _CLOSED_BY[opens]:
        return True
    return opens == '"' and '"' not in low[item.end : item.after]
