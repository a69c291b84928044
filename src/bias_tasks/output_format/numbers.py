"""The number that a text gives, however it is spelled: `18`, `$18.00`, `1,800`, `18 dollars`.

A currency, a percent sign and a unit are no part of it: `18%` is 18. Thousands separators are
commas; a fraction is its value (`36/2`), a word or letter of scale multiplies (`1.5 million`). A
minus stands right before the number or its currency; with a blank behind it a hyphen is a bullet,
and behind a letter (`A-18`) none either.
"""

import re
import unicodedata
from fractions import Fraction

NUMBER = re.compile(
    r"(?<![A-Za-z0-9_\u00c0-\u024f])(?:\d[\d,]*+(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++|/\d++)?"
)
"""Digits that are a number, with what belongs to them: thousands separators, a fraction and an
exponent. A digit within a word of Latin letters (H2O) is no number."""
_WELL_FORMED = re.compile(r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2}|/\d+)?")
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
_LONGEST, _AROUND = 60, 20
"""Characters of a number, a longer one is none; and of what stands round it."""


def number_of(text: str) -> Fraction | None:
    """The one number of a text, in linear time; None where there are none or several, or it is
    ill-formed."""
    found = NUMBER.search(text)
    if found is None or NUMBER.search(text, found.end()):
        return None
    value = _value(found[0].rstrip(","))
    if value is None:
        return None
    after = text[found.end() : found.end() + _AROUND]
    value = value * _scale(after) + _more(after)
    before = text[max(0, found.start() - _AROUND) : found.start()]
    return -value if _MINUS.search(before) else value


def _value(spelled: str) -> Fraction | None:
    if len(spelled) > _LONGEST or _WELL_FORMED.fullmatch(spelled) is None:
        return None
    value, _, divisor = spelled.replace(",", "").partition("/")
    by = int(divisor or 1)
    return Fraction(value) / by if by else None


def _scale(after: str) -> int:
    found = _SCALE.match(after)
    if found is None:
        return 1
    return 1_000 if found["k"] else int(10 ** _POWERS[found["word"].lower()])


def _more(after: str) -> Fraction:
    """What stands behind the digits and belongs to the number: `18½`, `18 and a half`."""
    if _HALF.match(after):
        return Fraction(1, 2)
    sign = after.lstrip()[:1]
    part = unicodedata.numeric(sign, 0) if sign and not sign.isdigit() else 0
    return Fraction(part).limit_denominator(10) if 0 < part < 1 else Fraction(0)
