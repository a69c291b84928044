"""What a rewording may not touch: code, addresses, formulas, quotations, numbers, names.

Every pattern is linear in the text: quantifiers are bounded, or end at a mark that begins them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache

from bias_tasks.data.files import read_yaml

LITERAL = re.compile(
    r"```[^`]{1,4000}```"
    r"|`[^`\n]{1,400}`"
    r"|\b(?:https?://|www\.)[^\s<>\"“”]{1,2000}"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}"
    r"|\$\$[^$]{1,2000}\$\$"
    r"|\$(?![\s$])[^$\n]{1,400}(?<!\s)\$(?!\d)"
    r"|\\\([^\n]{1,400}?\\\)"
    r"|\\\[[^\n]{1,400}?\\\]"
    r"|\\[A-Za-z]{1,30}"
)
"""Code, addresses, and formulas and commands of LaTeX; `$5 and $6` is none."""
_QUOTED = re.compile(
    r'"([^"\n]{1,400})"'
    r"|“([^“”\n]{1,400})”"
    r"|„([^„“”\n]{1,400})[“”]"
    r"|«([^«»\n]{1,400})»"
    r"|(?<!\w)'(?=\w)([^'\n]{1,200})'(?!\w)"
    r"|(?<!\w)‘([^‘’\n]{1,200})’(?!\w)"
)
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3}){1,8}(?!\d)")
_NUMBER = re.compile(r"(?:(?<![\w)\]])[-−])?(?<![\d.,])\d{1,60}(?:[.,]\d{1,60}){0,20}")
_ENGLISH_GROUPS = re.compile(r",(?=\d{3}(?!\d))")
_ANY_GROUPS = re.compile(r"[.,](?=\d{3}(?!\d))")
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ("hundred", "thousand", "million", "billion", "trillion", "dozen")
_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<ten>{'|'.join(_TENS)})(?:-(?P<unit>{'|'.join(_SMALL[1:10])}))?"
    rf"|(?P<small>{'|'.join(each for each in _SMALL if each != 'one')})"
    rf"|(?P<scale>{'|'.join(_SCALES)})s?)\b"
)
"""Without `one` by itself, which mostly counts nothing: `which one`."""
_WORD = re.compile(r"[^\W_](?:[\w'’-]{0,60}[^\W_])?")
_POSSESSIVE = re.compile(r"['’]s?$")
_BEGINS_SENTENCE = "\n.!?:;(\"“„«‘'*#>-–—•"


def plain(text: str) -> str:
    """The text with composed letters, plain apostrophes, and one blank wherever there are some."""
    return " ".join(unicodedata.normalize("NFC", text).replace("’", "'").split())


@cache
def small_words() -> frozenset[str]:
    """English words that are no names where a sentence begins with them, or in capitals."""
    return frozenset(read_yaml(__package__, "small_words"))


def words(text: str) -> list[str]:
    """The words of a text, without case and without a possessive's ending."""
    return [_POSSESSIVE.sub("", match[0]).casefold() for match in _WORD.finditer(text)]


def literals(text: str) -> Counter[str]:
    """Code, addresses and formulas, with how often each occurs."""
    return Counter(plain(match[0].rstrip(".,;:!?)")) for match in LITERAL.finditer(text))


def quotations(text: str) -> Counter[str]:
    """What stands in quotation marks, without them and what a sentence puts at its end."""
    found = (next(filter(None, match.groups())) for match in _QUOTED.finditer(bare(text)))
    return Counter(filter(None, (plain(each).rstrip(".,;:!?") for each in found)))


def bare(text: str) -> str:
    """The text without code, addresses and formulas."""
    return LITERAL.sub(" ", text)


def unquoted(text: str) -> str:
    """The text without quotations, code, addresses and formulas."""
    return _QUOTED.sub(" ", bare(text))


def figures(text: str, *, any_language: bool = False) -> Counter[str]:
    """Numbers in figures, in one notation: `1,000` is 1000, and figures of any script are the same.

    Args:
        text: any.
        any_language: whether a comma or a point may part thousands or decimals, and a blank
            thousands, since languages differ in that.
    """
    if any_language:
        text = _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    return Counter(_canonical(match[0], any_language) for match in _NUMBER.finditer(text))


def number_words(text: str) -> Counter[str]:
    """English words for numbers, as figures; `hundred` and the like as themselves."""
    return Counter(map(_of_word, _NUMBER_WORD.finditer(text.casefold())))


def names(text: str) -> Counter[str]:
    """Words that look like names, without case: capitals within a sentence, figures in a word.

    The first word of a sentence counts where another name follows it, or the text has it as a name
    elsewhere.
    """
    text = unquoted(text)
    found: Counter[str] = Counter()
    first: list[str] = []
    matches = list(_WORD.finditer(text))
    for match, following in zip(matches, [*matches[1:], None], strict=False):
        word = _POSSESSIVE.sub("", match[0])
        if not _looks_named(word):
            continue
        begins = _begins(text, match.start()) and word[1:] == word[1:].lower() and word.isalpha()
        if begins and not (following is not None and _goes_on(text, match, following)):
            first.append(word.casefold())
        else:
            found[word.casefold()] += 1
    found.update(word for word in first if word in found)
    return found


def _looks_named(word: str) -> bool:
    if word.casefold() in small_words():
        return False
    letters = [each for each in word if each.isalpha()]
    if not letters:
        return False
    return any(each.isupper() for each in letters) or len(letters) < sum(map(str.isalnum, word))


def _begins(text: str, start: int) -> bool:
    """Whether a sentence, a line or a quotation begins there."""
    before = text[max(start - 20, 0) : start]
    gap = before.rstrip(" \t")
    return not gap or gap[-1] in _BEGINS_SENTENCE


def _goes_on(text: str, match: re.Match[str], following: re.Match[str]) -> bool:
    """Whether the next word, behind a blank, is part of the same name."""
    return text[match.end() : following.start()] == " " and _looks_named(following[0])


def _canonical(number: str, any_language: bool) -> str:
    sign = "-" if number[0] in "-−" else ""
    digits = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in number.lstrip("-−"))
    if any_language:
        return sign + _ANY_GROUPS.sub("", digits).replace(",", ".")
    return sign + _ENGLISH_GROUPS.sub("", digits)


def _of_word(match: re.Match[str]) -> str:
    if match["scale"]:
        return match["scale"]
    if match["small"]:
        return str(_SMALL.index(match["small"]))
    unit = _SMALL.index(match["unit"]) if match["unit"] else 0
    return str(20 + 10 * _TENS.index(match["ten"]) + unit)
