"""What every form of answer has in common: a grammar that must match a short span in full."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from bias_tasks.parsing.parsed_answer import Level


@dataclass(frozen=True, slots=True)
class NotOffered:
    """Stands for a value of the right kind that was not offered: option 9 of 4, 85 of 10."""

    offered: tuple[int, ...] = ()
    """Choice: positions of the options next to it that were offered."""


MAX_SPAN = 600
"""Characters of a candidate."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span that may contain the answer."""

    level: Level
    start: int
    end: int
    origin: int
    """Where its label or announcement begins."""
    explained: bool = True
    """Whether an explanation may follow the value."""
    name: str = ""
    """The label of its line, the noun of its announcement, or the predicate of the value."""
    block: bool = False
    """Whether it may be several lines, one item each."""
    min_strength: int = 0
    """How explicitly its value must be named (`Match.strength`)."""


class Match(NamedTuple):
    """A value in a candidate."""

    value: Any
    """Hashable; `NotOffered` for a value of this kind that was not offered."""
    start: int
    end: int
    strength: int = 1
    """How explicitly it is named: 0 for a bare number, 2 for a number with its own words."""


LINE_MARKS = " \t\n\"'.,;:!?<>[]{}-–—•→✓|"
"""Marks around a value without a meaning."""
_MARKS_BEFORE = LINE_MARKS.replace("-", "").replace(".", "")
_MARKS_AFTER = LINE_MARKS.replace("-", "").replace("?", "") + ")"
# Words between an announcement and its value.
_LEAD = re.compile(
    r"(?:(?:that|therefore|thus|clearly|most likely|likely|probably|definitely|indeed|still"
    r"|as follows|simply|also|it is|it's|i think|i believe|i would say|so|and|hence|then"
    r"|both(?= )|only|just)\b[ ]*[:,]?[ ]*|[:,]\s+"
    r"|\"?(?:final )?(?:answer|verdict|score|rating|choice)\s?:\s*)*",
    re.I,
)
# How an explanation behind a value begins.
_EXPLANATION = re.compile(
    r"\s*(?:[.,;:!?)\]}>\"'|]+(?=\s|$|[—–(-])|[—–]|\s-+\s|\(|\n"
    r"|\b(?:because|since|as|due|given|which|for|with)\b)",
    re.I,
)
_LIST_LABEL = re.compile(r"\W{0,4}(?:option\s)?(?:[A-Z]|\d{1,2})[.):]\W", re.I)
_JUDGED = re.compile(r"\s*(?:[✓✗:=]|[—–-]\s)")


class Grammar:
    """One form of answer; `match` parses a candidate in full, or not at all."""

    announcements: ClassVar[Sequence[re.Pattern[str]]] = ()
    """Further words after which a candidate begins."""
    label: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")
    """Further labels of lines and fields that lead to an answer."""
    predicate: re.Pattern[str] = re.compile(r"(?!)")
    """The predicate of a value in a sentence; the candidate is before it."""
    statement: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")
    """Statements that are a candidate by themselves."""
    lists_items: ClassVar[bool] = True
    """Whether another value on the next line makes a list that has no answer."""
    extendable: ClassVar[bool] = True
    """Whether more text could turn a value into another one, such as `2` into `2, 3`."""
    not_meant: ClassVar[re.Pattern[str]] = re.compile(
        r"[\W_]*(?:and|plus)\b|[\])\"']+\s+(?:was|were)\b"
        r"|[\s,;:()\]—–-]*(?:\.{2,}\s*)?(?:or|if|unless|but|though|although|vs|maybe|perhaps)\b"
        r"|[\s,;:()—–-]*(?:(?:this|that|it|which|one|option|answer)\s+)*"
        r"(?:(?:is|was|are|'s)\s+)?(?:also\s+)?"
        r"(?:not\b|n't|wrong|incorrect|false|ruled out|eliminated|impossible|untrue|tempting)"
        r"|[^\w.]*(?!because|since)[^.\n]{0,60}\b(?:is|was)\s+"
        r"(?:wrong|incorrect|ruled out|not (?:correct|right|true))\b",
        re.I,
    )
    """What must not follow a value."""

    def value_at(self, text: str, at: int) -> Match | None:
        """Return the value that begins at an index; None if there is none.

        Args:
            text: The text of a candidate.
            at: Index of its first character.
        """
        raise NotImplementedError

    def ends(self, text: str, end: int) -> bool:
        """Return whether the text after a value explains it.

        Args:
            text: The text of a candidate.
            end: Index of the first character after the value.
        """
        explained = _EXPLANATION.match(text, end) is not None
        return explained and self.not_meant.match(text[end : end + 200]) is None

    def agrees(self, value: Any, other: Any) -> bool:
        """Return whether two values in one answer do not contradict each other.

        Args:
            value: The later value.
            other: The earlier value.
        """
        return bool(value == other)

    def match(self, text: str, candidate: Candidate) -> Match | None:
        """Return the value of a candidate, or None if its text is not a value in full.

        One value after a label that names no answer, such as `Runner-up: B`, does not count.

        Args:
            text: The text of the candidate.
            candidate: Where it is, and how explicitly its value must be named.
        """
        match = self._match(text, candidate)
        is_one = match is not None and not (isinstance(match.value, tuple) and len(match.value) > 1)
        return None if candidate.level == Level.OTHER_LABEL and is_one else match

    def _match(self, text: str, candidate: Candidate) -> Match | None:
        begin = len(text) - len(text.lstrip(_MARKS_BEFORE))
        lead = _LEAD.match(text, begin)
        for at in dict.fromkeys((begin, lead.end() if lead else begin)):
            match = self.value_at(text, at)
            if match is not None:
                rest = text[match.end :].lstrip(_MARKS_AFTER)
                is_explained = candidate.explained and self.ends(text, match.end)
                if rest.startswith("?"):
                    return None
                if not rest or is_explained:
                    return match
        return None

    def has_rival(self, lines: Iterable[str], match: Match, own_line: str = "") -> bool:
        """Return whether a line begins with another value that is named as explicitly.

        Lines next to the value's `own_line` also are rivals if both begin with a list label, or if
        they judge the other value.
        """
        for line in lines:
            if _LIST_LABEL.match(line) and _LIST_LABEL.match(own_line):
                return True
            text = line[:80].strip(" ") + " \n"
            other = self.value_at(text, len(text) - len(text.lstrip(LINE_MARKS + "✗☐")))
            if other is None or self.agrees(other.value, match.value):
                continue
            is_as_explicit = other.strength >= min(match.strength, 1)
            is_judged = own_line and _JUDGED.match(text, other.end)
            if is_as_explicit and (is_judged or self.ends(text, min(other.end, len(text) - 2))):
                return True
        return False
