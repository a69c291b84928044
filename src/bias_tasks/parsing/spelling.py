"""One plain spelling for characters that models use with the same meaning.

The digits of every script become 0-9, full-width forms become ASCII, quotes, dashes, ticks and
crosses have one spelling each, and invisible characters are dropped. Control characters, emoji and
halves of surrogate pairs become blanks.
"""

import unicodedata

TICK, CROSS = "✓", "✗"
_LINE_BREAKS = frozenset("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_PLAIN = {
    "\n": "\n",
    "ı": "i",  # patterns that ignore case match it as an i
    **dict.fromkeys("‘’‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»‹›「」『』", '"'),
    **dict.fromkeys("‐‑‒−", "-"),
    **dict(zip("。、،؛؟", "..,;?", strict=True)),
    **dict.fromkeys("✅✔☑🗸🗹👍✓", TICK),
    **dict.fromkeys("❌✖✘☒🗙❎🚫⛔👎✗", CROSS),
    **dict.fromkeys("⇒⟶⟹➔➜➝➞➡➤⮕▶►👉∴", "→"),
}
# Categories of characters without a plainer form.
_KEPT = frozenset({"Lo", "Lm", "Lt", "Mc", "Cn", "Sk", "Nl"})


class _SpellingTable(dict[int, str | None]):
    """The table for `str.translate`; each character is looked up once."""

    def __missing__(self, code: int) -> str | None:
        return self.setdefault(code, _plain_character(chr(code)))


def _plain_character(char: str) -> str | None:
    """Return one plain character, or None to drop it."""
    if char in _LINE_BREAKS:
        return "\n"
    category = unicodedata.category(char)
    if char in _PLAIN or category in _KEPT:
        return _PLAIN.get(char, char)
    if category == "Cf" or char == "\u20e3" or "\ufe00" <= char <= "\ufe0f":
        return None
    if category in ("Cc", "Co", "Cs", "Zs", "So"):
        return " "
    digit = unicodedata.digit(char, None)
    if digit is not None and not unicodedata.decomposition(char).startswith(("<super>", "<sub>")):
        return str(digit)
    form = unicodedata.normalize("NFKC", char)
    form = char if len(form) != 1 or category == "No" else form
    return form if len(form.lower()) == 1 else "?"


SPELLING = _SpellingTable()
"""For `str.translate`: maps each character to one plain character, or drops it."""


def plain_spelling(text: str) -> str:
    """Return a text in the plain spelling, in lower case."""
    return text.translate(SPELLING).lower()
