"""The part of an answer that is examined, in a plain spelling.

An answer can be megabytes of anything. Readers look at a bounded head and tail of it, since
answers stand at the beginning or the end, and at a spelling in which the digits of every script
are 0-9, invisible characters are gone, Markdown marks and pictures are blanks, and ticks, crosses,
empty boxes and arrows have one spelling each. Positions in that spelling map back to the original
text.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

HEAD = 2_000
"""Characters examined at the beginning of a long answer."""
TAIL = 10_000
"""Characters examined at its end."""

TICK, CROSS, BOX, ARROW = "✓", "✗", "☐", "→"
_TO_BLANK = frozenset("*_`#~\t")
_TO_NEWLINE = frozenset("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
_PLAIN = {
    **dict.fromkeys("‘’‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»‹›「」『』", '"'),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("—―", ";"),
    **dict(zip("。।、،؛؟İ", "..,,;?i", strict=True)),
    **dict.fromkeys("✅✔☑🗸🗹👍✓", TICK),
    **dict.fromkeys("❌✖✗✘☒🗙❎🚫⛔👎", CROSS),
    **dict.fromkeys("☐□◻⬜◯○⚪", BOX),
    **dict.fromkeys("→⇒⟶⟹➔➜➝➞➡➤⮕▶►👉∴", ARROW),
}
# Categories in which nothing has a plainer form that readers ask for.
_KEPT = frozenset({"Lo", "Lm", "Lt", "Mc", "Cn", "Sk", "Nl"})
_KEYCAP = "\u20e3"
_NOT_NEWLINE = re.compile(r"[^\n]")
# Markdown's and HTML's marks of what no longer holds.
_STRUCK = re.compile(
    r"(?:, {0,2})?(?<!~)~~(?=[^~\s])[^~\n]{1,200}~~(?!~),?|<(?:s|del|strike)>[^<\n]{1,200}</(?:s"
    r"|del|strike)>"
)


def _plain(char: str) -> str | None:
    """One plain character for a character, or None to drop it."""
    if char == "\n":
        return char
    if char in _TO_NEWLINE:
        return "\n"
    if char in _TO_BLANK:
        return " "
    if char in _PLAIN:
        return _PLAIN[char]
    category = unicodedata.category(char)
    if category in _KEPT:
        return char
    if category == "Cf" or char == _KEYCAP or "\ufe00" <= char <= "\ufe0f":
        return None
    if category in ("Cc", "Co", "Cs", "Zs", "So"):
        return " "
    digit = unicodedata.digit(char, None)
    if digit is not None and not unicodedata.decomposition(char).startswith(("<super>", "<sub>")):
        return str(digit)  # of any script or in a circle; raised and lowered ones are no options
    form = unicodedata.normalize("NFKC", char)
    form = char if len(form) != 1 or category == "No" else form
    return form if len(form.lower()) == 1 else "?"  # one character in both cases


class _Table(dict[int, str | None]):
    """`_plain` in the form that `str.translate` asks for, each character worked out once."""

    def __missing__(self, code: int) -> str | None:
        return self.setdefault(code, _plain(chr(code)))


_TABLE = _Table()
# A filled ring marks what is chosen where empty ones stand beside it; else it is a bullet.
_RINGS = re.compile("[○◯⚪]")
_FILLED = {ord(ring): "☑" for ring in "●◉⦿⚫🔘"}


@dataclass(frozen=True, slots=True)
class Window:
    """The examined part of an answer."""

    plain: str
    """Plain spelling, letters in their own case."""
    low: str
    """The same in lower case; as long as `plain`."""
    cut: bool
    """Whether the answer was too long to be examined whole."""
    _origins: Sequence[int]
    """For each plain character, its position in the original text."""

    @classmethod
    def of(cls, text: str, *, unstruck: bool = False) -> "Window":
        """The window of an answer, any string, `unstruck` without what is struck through."""
        cut = len(text) > HEAD + TAIL
        pieces = [(0, text[:HEAD]), (len(text) - TAIL, text[-TAIL:])] if cut else [(0, text)]
        filled = _FILLED if _RINGS.search(text) else {}
        chars: list[str] = []
        origins: list[int] = []
        for offset, piece in pieces:
            if offset:
                chars.extend("\n\n")
                origins.extend([offset] * 2)
            kept = _STRUCK.sub(lambda found: " " * len(found[0]), piece) if unstruck else piece
            for position, char in enumerate(kept.translate(filled), offset):
                plain = _TABLE[ord(char)]
                if plain is not None and not (plain == " " and chars and chars[-1] == " "):
                    chars.append(plain)
                    origins.append(position)
        spelled = "".join(chars)
        return cls(spelled, spelled.lower(), cut, origins)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that a non-empty span of the plain spelling stands for."""
        return self._origins[start], self._origins[end - 1] + 1

    def blanked(self, stretches: Sequence[tuple[int, int]]) -> "Window":
        """The window with some stretches of the plain spelling replaced by blanks; lines stay."""
        blanks = [(start, _NOT_NEWLINE.sub(" ", self.low[start:end])) for start, end in stretches]
        return self.written(blanks)

    def written(self, texts: Sequence[tuple[int, str]]) -> "Window":
        """The window with other texts written over it, each from its place on, left to right."""
        plain, low, at = list[str](), list[str](), 0
        for start, text in texts:
            plain += (self.plain[at:start], text)
            low += (self.low[at:start], text)
            at = start + len(text)
        plain.append(self.plain[at:])
        low.append(self.low[at:])
        return Window("".join(plain), "".join(low), self.cut, self._origins)

    def rewritten(
        self, pattern: re.Pattern[str], text_of: Callable[[re.Match[str]], str], cased: bool = False
    ) -> "Window":
        """The window with another text over each match in it, as long as that, if there is one."""
        text = self.plain if cased else self.low
        texts = [(each.start(), text_of(each)) for each in pattern.finditer(text)]
        return self.written([each for each in texts if each[1]])

    def note(self, detail: str) -> str:
        """`detail`, with a word on what was not examined."""
        if not self.cut:
            return detail
        return f"{detail} (only the first {HEAD} and last {TAIL} characters were examined)"


def plain_spelling(text: str) -> str:
    """All of a text in the plain spelling, in lower case."""
    return text.translate(_TABLE).lower()


def skip(pattern: re.Pattern[str], text: str, pos: int, end: int) -> int:
    """Where a match at `pos` ends, `pos` itself if there is none."""
    match = pattern.match(text, pos, end)
    return pos if match is None else match.end()
