"""A question as tokens: words, names, numbers and whole quotations."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.binary_qa.reformulation.lexicon import word_list

MAX_LENGTH = 600
"""Characters of the longest question that is reworded or compared."""

# A quotation is one token. A single quote opens one only before a word and closes it only after.
_TOKEN = re.compile(
    r'"[^"]{1,400}"[,.]?'
    r"|“[^“”]{1,400}”[,.]?"
    r"|(?<!\w)'(?=\w)[^']{1,200}(?:'(?=\w)[^']{1,200}){0,3}'(?!\w)[,.]?"
    r"|(?<!\w)‘[^‘’]{1,200}’(?!\w)[,.]?"
    r"|\S{1,60}"
)
_BRACKETS = '"“”()[]{}'
_QUOTES = "\"“'‘"
_END_QUOTE = re.compile(r"""^([^"“]*\?) ("[^"]+"|“[^“”]+”)$""")
_SENTENCE_END = re.compile(r"\?|\n|[!;:](?:\s|$)|(?<=[a-z]{3})\.(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Token:
    """One word with its place in the question."""

    text: str
    """Without a comma behind it."""
    low: str
    start: int
    end: int
    comma: bool

    @property
    def quoted(self) -> bool:
        return self.text[0] in _QUOTES and len(self.text) > 2

    @property
    def number(self) -> bool:
        return self.low in word_list("number_words") or (
            any(char.isdigit() for char in self.text)
            and not any(char.isalpha() for char in self.text)
        )

    @property
    def name(self) -> bool:
        """Whether it looks like a name: a capital or a digit in it, and not a nationality."""
        if self.quoted or self.number or self.text in word_list("nationalities"):
            return False
        letters = [char for char in self.text if char.isalpha()]
        return bool(letters) and (letters[0].isupper() or any(c.isdigit() for c in self.text))

    @property
    def possessive(self) -> bool:
        return self.low.endswith(("'s", "’s", "s'", "s’")) and not self.quoted


@dataclass(frozen=True, slots=True)
class Asked:
    """A normalised question, its tokens without the question mark, and a quotation behind it."""

    text: str
    tokens: tuple[Token, ...]
    tail: str


def normalise(question: str) -> str:
    """One line, single blanks, a capital first letter, one question mark."""
    text = " ".join(question.split())
    if not text:
        return text
    if not text.endswith("?") and not _END_QUOTE.match(text[:MAX_LENGTH]):
        text += "?"
    return (text[0].upper() + text[1:]).replace(" ?", "?")


def without_tail(question: str) -> tuple[str, str]:
    """A question, and a quotation that stands behind its question mark (else "")."""
    text = " ".join(question.split())
    behind = _END_QUOTE.match(text)
    return (text, "") if behind is None else (behind.group(1), behind.group(2))


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words and quotations of a text."""
    return tuple(_token(match) for match in _TOKEN.finditer(text))


def asked(question: str) -> Asked | None:
    """The tokens of one question, or None if it is too long or holds more than a question."""
    if len(question) > MAX_LENGTH:
        return None
    text, tail = without_tail(normalise(question))
    text = text[:-1].rstrip()
    tokens = tokens_of(text)
    if len(tokens) < 2 or any(_breaks(text, token) for token in tokens):
        return None
    return Asked(text, tokens, f" {tail}" if tail else "")


def _token(match: re.Match[str]) -> Token:
    word = match.group()
    bare = word.rstrip(",") or word
    return Token(bare, bare.lower(), match.start(), match.start() + len(bare), bare != word)


def _breaks(text: str, token: Token) -> bool:
    """Whether a token ends a sentence or is an unpaired quotation mark or a bracket."""
    if token.quoted and token.text[-1] in "\"”'’":
        return False
    around = text[token.start : token.end + 1]
    return _SENTENCE_END.search(around) is not None or any(char in _BRACKETS for char in around)
