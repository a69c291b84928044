"""Which labels an answer names as its own, and where they stand in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

_LONGEST = 100_000
"""Characters of an answer in which its labels are looked for: the last ones."""
_WORDS = 200
"""Characters of a choice that are compared with what follows a label."""
_END = 300
"""Characters at the end of an answer in which a label may stand that no word announces."""
_OPEN = (
    r"(?:[(\[\"'`$*_><{]|\\[(\[]|\\(?:boxed|fbox|text|textbf|mathrm|mathbf)\s{0,2}(?=\{)){0,8}\s?"
)
"""Marks between what announces a label and the label: quotes, stars, brackets, LaTeX."""
_CLOSE = r"(?:[)\]\"'`$*_><}.!]|\\[)\]]){0,8}"
_LEAD = (
    r"(?:\b(?P<word>answers?|options?|choices?)[*_]{0,2}\s{0,4}"
    r"(?:(?:is|are|would\s{1,3}be|must\s{1,3}be|should\s{1,3}be)\b|[:：=\-\u2013])?"
    r"[:：*_]{0,4}\s{0,4}|(?P<box>\\boxed)(?=\s{0,2}\{)\s{0,2})"
)
_ENDS = (
    r"(?=\s{0,3}(?:$|\n|[.,](?!\d)|['\u2019](?!\w)|-(?!\w)|[):;*_<>\"$\]}({\[`|\\!?\u2013\u2014])"
    r"|\s{1,3}(?:because|since)\b)"
)
"""What may stand behind a label: "Answer: I" names one, "Answer: I think ..." does not, nor does
"Answer: 2.5"."""
_SAID = r"\s{1,3}is\s{1,3}(?:(?:the|my)\s{1,3})?(?:correct|right|best|true|final|answer)\b"
_APART = r"(?:\s{0,3}[,;&/]\s{0,3}(?:(?:and|or)\s{1,3})?|\s{1,3}(?:and|or)\s{1,3})"
"""What stands between labels where an answer names several."""
_CHOSEN = (
    r"(?:\b(?:say|choose|chose|pick|select|with|be|is|for|it['\u2019]s)\s{1,3}"
    r"|[:：=\-\u2013>]\s{0,3})"
)


class NamedLabel(NamedTuple):
    """A label in an answer."""

    begin: int
    end: int
    place: int
    """Of the label in the list that was looked for."""
    group: int
    """The same for all labels of one list, as in `A and C`."""
    final: bool
    """Whether the text calls it the answer, and not merely an option."""


def named_labels(text: str, labels: Sequence[str], choices: Sequence[str] = ()) -> list[NamedLabel]:
    """The labels that an answer names as its own, or as an option's, in their order.

    Labels count that are announced (`answer is B`, `option (B)`, a boxed one). Where none is
    announced as the answer, the one counts that the answer begins with; where there is neither, the
    one that it ends with, as `I'd choose B`.

    Args:
        text: what a model said; of a long one the end.
        labels: those to look for, in either case.
        choices: their words, where these may follow a label without a mark: `Answer: II Paris`.
    """
    if not labels:
        return []
    patterns = _patterns(tuple(labels))
    start = max(len(text) - _LONGEST, 0)
    worded = _before_words(patterns, text, start, labels, choices)
    found = [*patterns.announced.finditer(text, start), *(each for each in worded if each["lead"])]
    by_place = {each.start("all"): each for each in reversed(found)}
    found = [by_place[place] for place in sorted(by_place)]
    final = [_is_final(each) for each in found]
    if not any(final):
        bare = patterns.bare.match(text) or next(iter(worded), None)
        found = ([] if bare is None or bare in found else [bare]) + found
        final = []
    if not found:
        last = patterns.last.search(text, max(len(text) - _END, 0))
        found = [] if last is None else [last]
    known = {label.casefold(): place for place, label in enumerate(labels)}
    return [
        NamedLabel(*one.span(), known[one[0].casefold()], group, any(final[group : group + 1]))
        for group, each in enumerate(found)
        for one in patterns.one_of(each["all"]).finditer(text, *each.span("all"))
    ]


def _before_words(
    patterns: _Patterns, text: str, start: int, labels: Sequence[str], choices: Sequence[str]
) -> list[re.Match[str]]:
    """Labels that are announced, or that the text begins with, and that their choice's words
    follow: "Answer: I think" names none, where the choice behind I is not "think"."""
    if not choices:
        return []
    words = {
        label.casefold(): " ".join(choice.split()).casefold()[:_WORDS]
        for label, choice in zip(labels, choices, strict=False)
    }
    matches = [patterns.begins.match(text), *patterns.worded.finditer(text, start)]
    return [
        each
        for each in matches
        if each is not None and _follow(text, each.end(), words.get(each["all"].casefold(), ""))
    ]


def _follow(text: str, place: int, words: str) -> bool:
    """Whether words stand at a place, whatever the blanks between them."""
    said = " ".join(text[place : place + 2 * len(words) + 1].split()).casefold()
    behind = said[len(words) : len(words) + 1]
    return bool(words) and said.startswith(words) and not behind.isalnum()


def _is_final(found: re.Match[str]) -> bool:
    return found["box"] is not None or found["word"].casefold().startswith("answer")


class _Patterns(NamedTuple):
    announced: re.Pattern[str]
    bare: re.Pattern[str]
    last: re.Pattern[str]
    worded: re.Pattern[str]
    """A label that is announced, with words behind it."""
    begins: re.Pattern[str]
    """One that the text begins with."""
    one: re.Pattern[str]
    joined: re.Pattern[str] | None
    """Of labels that may follow each other without anything between (`AC`): single characters."""

    def one_of(self, group: str) -> re.Pattern[str]:
        """What finds each label of a group."""
        if self.joined is not None and len(group) > 1 and group.isalnum():
            return self.joined
        return self.one


@cache
def _patterns(labels: tuple[str, ...]) -> _Patterns:
    label = f"(?:{'|'.join(sorted(map(re.escape, labels), key=len, reverse=True))})"
    signs = label if all(len(each) == 1 for each in labels) else None
    joined = "" if signs is None else f"|(?-i:{signs}{{2,26}}){_ENDS}"
    blanks = rf"{label}(?:[ ]{{1,2}}{label}){{1,25}}{_ENDS}"
    several = rf"(?P<all>{label}(?:{_APART}{label}){{1,25}}(?!\w)|{blanks}|{label}{_ENDS}"
    before_words = rf"(?P<all>{label})[ \t]{{1,3}}(?=\S)"
    as_written = rf"(?P<all>(?-i:{label}))"
    return _Patterns(
        announced=re.compile(rf"{_LEAD}{_OPEN}{several}{joined})", re.IGNORECASE),
        bare=re.compile(rf"\s{{0,20}}{_OPEN}{several}|{label}(?={_SAID}))", re.IGNORECASE),
        last=re.compile(rf"{_CHOSEN}{_OPEN}{as_written}(?!\w){_CLOSE}\s{{0,20}}\Z", re.IGNORECASE),
        worded=re.compile(rf"(?P<lead>{_LEAD}){_OPEN}{before_words}", re.IGNORECASE),
        begins=re.compile(rf"(?P<lead>)\s{{0,20}}{_OPEN}{before_words}", re.IGNORECASE),
        one=re.compile(rf"(?<!\w){label}(?!\w)", re.IGNORECASE),
        joined=None if signs is None else re.compile(signs, re.IGNORECASE),
    )
