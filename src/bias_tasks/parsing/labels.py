"""Grammars of answers that are one of a few words: yes or no, a judgement, a verdict."""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from bias_tasks.parsing.grammar import LINE_MARKS, Candidate, Grammar, Match, NotOffered
from bias_tasks.parsing.parsed_answer import TIE, Level


class WordGrammar(Grammar):
    """One of a few labels, each written in several ways, perhaps with a number before it."""

    extendable = False
    not_meant = re.compile(
        r"[\W_]*(?:\d+(?:\.\d+)?\s*%|0?\.\d+\b"
        r"|(?:and|or|if|unless|but|though|although|maybe|perhaps)\b)",
        re.I,
    )

    def __init__(
        self,
        spellings: Mapping[str, Sequence[str]],
        numbered: Sequence[str] = (),
        allowed: Sequence[str] = (),
    ) -> None:
        """Build the grammar.

        Args:
            spellings: For each label the patterns of its spellings.
            numbered: The labels that numbers from 1 stand for.
            allowed: The labels that were offered; all of them if empty.
        """
        self._spellings = {
            label: re.compile(rf"[(\[]*(?:{'|'.join(patterns)})(?![\w-])", re.I)
            for label, patterns in spellings.items()
        }
        number = r"(?P<noun>option\s+|#)?[(\[]?(?P<number>\d)(?![\w%]|[.,]\d)[)\]]?\s*[.:)—–-]?\s*"
        self._number = re.compile(number if numbered else r"(?!)", re.I)
        self._numbered, self._allowed = numbered, allowed or tuple(spellings)

    def ends(self, text: str, end: int) -> bool:
        """Return whether an explanation follows, and no other label (`Yes, no.`)."""
        begin = end + len(text[end:]) - len(text[end:].lstrip(LINE_MARKS))
        is_next_label = begin > end and self._word_at(text, begin) is not None
        return super().ends(text, end) and not is_next_label

    def value_at(self, text: str, at: int) -> Match | None:
        """Return the label at an index, by its word, its number, or both if they agree."""
        number = self._number.match(text, at)
        word = self._word_at(text, number.end() if number else at)
        if number is None:
            is_known = word is None or word.value in self._allowed
            return word if word is None or is_known else word._replace(value=NotOffered())
        index, strength = int(number["number"]), 1 if number["noun"] else 0
        value = self._numbered[index - 1] if 1 <= index <= len(self._numbered) else NotOffered()
        if word is not None:
            return Match(value, at, word.end, 2) if word.value == value else None
        return Match(value, at, number.end("number"), strength)

    def _word_at(self, text: str, at: int) -> Match | None:
        matches = ((label, pattern.match(text, at)) for label, pattern in self._spellings.items())
        return next((Match(label, *match.span()) for label, match in matches if match), None)


YES_NO = WordGrammar({"Yes": ("yes", "yeah", "yep"), "No": ("no", "nope")})
"""Yes or No."""

# The option texts of the Instruction Boundary paper's judging prompt (appendix J).
_CAN_BE = r"(?:(?:there is (?:clear )?evidence (?:that )?)?(?:it )?can be )?"
_CANNOT_BE = r"(?:there is (?:clear )?evidence )?(?:it )?(?:cannot|can't|can not) be"
_JUDGEMENTS = {
    "True": ("true", "correct", f"{_CAN_BE}prove[dn]", "entailed", "supported", "entailment"),
    "False": (
        *("false", f"{_CAN_BE}disprove[dn]", "refuted", "contradicted", "contradiction"),
        "not true",
    ),
    "Unknown": (
        *("unknown", "uncertain", "undetermined", "indeterminate", "inconclusive", "undecided"),
        *("unclear", "insufficient information", "not enough (?:information|evidence)"),
        r"neither(?: (?:prove[dn]|true))?(?: nor (?:disprove[dn]|false))?"
        r"(?: (?:from|by|based on) (?:the|these|this)\b[^.\n]{1,60})?",
        rf"{_CANNOT_BE} (?:determined|known|inferred)(?: from (?:the|these|this)\b[^.\n]{{1,60}})?",
    ),
}
_LITERALS = {"True": "__PROVED__", "False": "__DISPROVED__", "Unknown": "__UNKNOWN__"}


class JudgingGrammar(WordGrammar):
    """True (proved), False (disproved) or Unknown, by word or by the number of its option."""

    announcements = (
        re.compile(
            r"\b(?:statement|claim|hypothesis|proposition|assertion|conclusion|question)\s+"
            r"(?:(?:itself|above|given|\"[^\"\n]{1,200}\")\s+)?"
            r"(?:is|must be|can be|has been|are|(?=cannot|can't))"
            r"(?:\s+(?:therefore|thus|clearly|definitely|logically|considered))*(?=\s)",
            re.I,
        ),
    )

    def __init__(self, allowed: Sequence[str] = ("True", "False", "Unknown")) -> None:
        """Build the grammar of a prompt that offers these labels under the numbers 1, 2, ..."""
        spellings = {label: (*words, _LITERALS[label]) for label, words in _JUDGEMENTS.items()}
        super().__init__(spellings, allowed, (*allowed, "Unknown"))


_CANDIDATE = (
    r"(?:the\s+)?(?:responses?|assistants?|outputs?|answers?|models?|options?|candidates?"
    "|feedback|summary|ai|system)"
)


class VerdictGrammar(Grammar):
    """Which of two responses is better: A, B or a tie."""

    extendable = False
    predicate = re.compile(
        r"(?:'s\s+(?:response|answer|output))?\s+(?:is|wins|was)"
        r"(?:\s+(?:the|overall|clearly|significantly|slightly|much|therefore|thus|far|a))*"
        r"(?:(?<=wins)|\s+(?:better|best|superior|preferable|preferred|stronger|winner)"
        r"(?:\s+(?:response|answer|output|one|overall|choice|than\s+[\w ()]{1,30}))*)"
        r"(?=\s*(?:[.,;!:]|$|\n|because|since|as\b|in terms|by\b|thanks\b|due\b))(?!\s*,?\s*but\b)",
        re.I | re.M,
    )
    statement = re.compile(r"\bit(?:'s| is) a (?:tie|draw)\b(?=[.!,\n]|\s*\Z)", re.I)
    _one: ClassVar[re.Pattern[str]] = re.compile(
        rf"(?:(?P<noun>(?i:{_CANDIDATE}))[ _]*)?"
        r"[(\[]?(?P<name>[AB]|(?<=[( _])[ab12])(?![\w+'=<>])[)\]]?"
        r"|(?i:(?:the\s+)?(?P<ordinal>first|second)\s+(?:response|assistant|answer|output)\b)"
    )
    _pair: ClassVar[re.Pattern[str]] = re.compile(
        rf"(?:{_CANDIDATE}\s*)?([AB])\s*([<>]{{1,3}}|={{1,2}}|≈)\s*(?:{_CANDIDATE}\s*)?([AB])(?!\w)",
        re.I,
    )
    _tie: ClassVar[re.Pattern[str]] = re.compile(
        r"(?:(?:it(?:'s| is) )?(?:a )?(?:tie|draw|tied)|(?:both |they )?(?:are )?equal(?:ly good)?"
        r"|no preference|(?:C: )?neither is(?: significantly)? better)(?!\w)",
        re.I,
    )
    _names: ClassVar[Mapping[str, str]] = {"1": "A", "2": "B", "first": "A", "second": "B"}

    def ends(self, text: str, end: int) -> bool:
        """Return whether an explanation or a comparison follows (`A over B`)."""
        compared = re.compile(r"\s+(?:over|to|than)\b").match(text, end) is not None
        return super().ends(text, end) or compared

    def value_at(self, text: str, at: int) -> Match | None:
        """Return the verdict that begins at an index."""
        pair, one = self._pair.match(text, at), self._one.match(text, at)
        if tie := self._tie.match(text, at):
            return Match(TIE, *tie.span())
        if pair is not None and pair[1].upper() != pair[3].upper():
            better = TIE if pair[2][0] in "=≈" else pair[1 if pair[2][0] == ">" else 3].upper()
            return Match(better, *pair.span())
        if one is None:
            return None
        name = one["name"] or one["ordinal"].lower()
        in_brackets = text[one.start()] == "(" and name in "ab"
        if name in "ab12" and not (one["noun"] or in_brackets):
            return None
        return Match(self._names.get(name, name.upper()), *one.span())

    def match(self, text: str, candidate: Candidate) -> Match | None:
        """Return the verdict of a candidate; `[[C]]` is MT-bench's tie."""
        if candidate.level == Level.MARKER and text.strip().upper() == "C":
            return Match(TIE, 0, len(text))
        is_about_one = re.match(r"[^\n]{0,30}?\b[AB]\W{0,2}:", text, re.I) is not None
        is_head = candidate.level == Level.HEAD
        return None if is_head and is_about_one else super().match(text, candidate)
