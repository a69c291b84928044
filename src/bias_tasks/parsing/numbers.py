"""Parses the number in a text, in any spelling: `18`, `$18.00`, `1,800`, `18 dollars`.

Currency signs, percent signs and units are ignored: `18%` is 18. Thousands separators are commas. A
fraction is its value (`36/2`), and a word or letter of scale multiplies (`1.5 million`). A minus
sign is directly before the number or its currency. A hyphen before a blank is a bullet, and a
hyphen after a letter (`A-18`) is not a minus sign.
"""

import re
import unicodedata
from fractions import Fraction

NUMBER = re.compile(
    r"(?<![A-Za-z0-9_\u00c0-\u024f])(?:\d[\d,]*+(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++|/\d++)?"
)
"""A number with its thousands separators, fraction and exponent. Digits within a word of Latin
letters (H2O) do not match."""
_WELL_FORMED = re.compile(r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2}|/\d+)?")
_MAX_NUMBER_LENGTH = 60
"""Characters of a number."""
_CURRENCY = r"(?:[$€£¥₹₩]|US\$|(?:USD|EUR|GBP) ?)"
_MINUS = re.compile(
    rf"(?:(?<![\w.)\]])[-\u2010-\u2013\u2212]|\u2212 |\b(?:minus|negative) ){_CURRENCY}?\Z",
    re.IGNORECASE,
)
_SCALE = re.compile(
    r"(?P<k>k\b)|\s(?P<word>hundred|thousand|million|billion|trillion)s?\b", re.IGNORECASE
)
_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_HALF = re.compile(r"\s(?:and\s)?a\shalf\b", re.IGNORECASE)
_CONTEXT = 20
"""Characters before and after a number that are examined."""


def parse_number(text: str) -> Fraction | None:
    """Return the number in a text, in time linear in its length.

    Returns:
        None if the text has no number, several, or one that is not well formed.
    """
    match = NUMBER.search(text)
    if match is None or NUMBER.search(text, match.end()):
        return None
    value = _parse_digits(match[0])
    if value is None:
        return None
    after = text[match.end() : match.end() + _CONTEXT]
    value = value * _parse_scale(after) + _parse_added_fraction(after)
    before = text[max(0, match.start() - _CONTEXT) : match.start()]
    return -value if _MINUS.search(before) else value


def _parse_scale(after: str) -> int:
    match = _SCALE.match(after)
    if match is None:
        return 1
    return 1_000 if match["k"] else int(10 ** _POWERS[match["word"].lower()])


def _parse_added_fraction(after: str) -> Fraction:
    """Return the fraction after the digits that is part of the number: `18½`, `18 and a half`."""
    if _HALF.match(after):
        return Fraction(1, 2)
    sign = after.lstrip()[:1]
    fraction = unicodedata.numeric(sign, 0) if sign and not sign.isdigit() else 0
    return Fraction(fraction).limit_denominator(10) if 0 < fraction < 1 else Fraction(0)


def _parse_digits(number: str) -> Fraction | None:
    """Return the value of a match of `NUMBER`; `1,800`, `18.5`, `1e3` and `36/2` are numbers.

    Returns:
        None if it is not well formed, such as `1,2`, or too long.
    """
    digits = number.rstrip(",")
    if len(digits) > _MAX_NUMBER_LENGTH or _WELL_FORMED.fullmatch(digits) is None:
        return None
    numerator, _, denominator = digits.replace(",", "").partition("/")
    divisor = int(denominator or 1)
    return Fraction(numerator) / divisor if divisor else None
