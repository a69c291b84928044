"""What a model's answer under a probe says: put as the probed task would have had it, and compared.

Labels are looked for by patterns that are linear in the answer, in the last part of a long one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from bias_tasks.names import content_hash
from bias_tasks.probing.formats import FINAL_FORMATS, Said
from bias_tasks.probing.items import Asked, ProbedItem, places_told

_AROUND = ".,;:!?()[]{}\"'*_`$ "
"""What may stand around an answer and says nothing."""
_KEPT = 1_000
"""Characters of a free answer that are kept as they are."""
_LONGEST = 100_000
"""Characters of an answer in which its labels are looked for: the last ones."""
_END = 300
"""Characters at the end of an answer in which a label may stand that no word announces."""


def as_the_task_reads(
    asked: Asked,
    text: str,
    labels: Sequence[str],
    item: ProbedItem | None = None,
    lead: str = "",
) -> str:
    """The answer without the format and the labels that the probe asked for; as it is where it does
    not follow the format.

    All labels that it names are put back: which of them counts is decided by the task's own reader.

    Args:
        asked: how the item was asked.
        text: what the model said.
        labels: the task's own labels of the choices shown.
        item: that was asked; None where its choices need not be known.
        lead: what the task's prompt has an answer begin with (see `lead_in`).
    """
    own = tuple(labels)
    shown = () if item is None else asked.shown(item)
    if asked.format:
        said = Said(text, lead)
        if item is not None and item.choices:
            words = _plain(item.target) in map(_plain, item.choices)
            said = Said(text, lead, shown if words else own, shown, own)
        taken_out = FINAL_FORMATS[asked.format].taken_out(said)
        text = text if taken_out is None else taken_out
    new = () if asked.dress is None else asked.dress.labels[: len(own)]
    for each in reversed(named_labels(text, new)):
        text = f"{text[: each.begin]}{own[each.place]}{text[each.end :]}"
    return text


def content_of(item: ProbedItem, asked: Asked, said: str | None, labels: Sequence[str]) -> str:
    """What an answer says, such that two are the same where they mean the same choice: the places
    of its choices in the item, such as `#2`, or a text without case, blanks and punctuation around
    it; empty where nothing was read.

    Args:
        item: of the task.
        asked: how it was asked.
        said: the answer as the task read it: a label, several, or a text; None where it read none.
        labels: the task's own labels of the choices shown.
    """
    if said is None:
        return ""
    told = said.strip().strip(_AROUND).casefold()
    if item.choices:
        order = asked.order or tuple(range(len(item.choices)))
        places = [order[place] for place in _meant(told, said, labels[: len(order)])]
        same = [p for p, each in enumerate(item.choices) if _plain(each) == _plain(told)]
        if places or len(same) == 1:
            return places_told(places or same)
    text = _plain(told)
    return text if len(text) <= _KEPT else f"{text[:_KEPT]}... ({content_hash(text)})"


def _meant(told: str, said: str, labels: Sequence[str]) -> list[int]:
    """The places, as they are shown, of the choices that an answer names by their labels; of a
    whole answer the last labels that it calls the answer count, or else the last that it names."""
    known = {label.casefold(): place for place, label in enumerate(labels)}
    parts = told.replace(",", " ").split()
    if parts and all(part in known for part in parts):
        return [known[part] for part in parts]
    every = named_labels(said, labels)
    named = [each for each in every if each.final] or every
    return [each.place for each in named if each.group == named[-1].group]


def _plain(text: str) -> str:
    return " ".join(text.strip().strip(_AROUND).casefold().split())


class NamedLabel(NamedTuple):
    """A label in an answer, and its place in the list that was looked for; `group` is the same for
    all labels of one list, as in `A and C`, and `final` says that the text calls it the answer."""

    begin: int
    end: int
    place: int
    group: int
    final: bool


def named_labels(text: str, labels: Sequence[str]) -> list[NamedLabel]:
    """The labels that an answer names as its own, or as an option's, in their order.

    Labels count that are announced (`answer is B`, `option (B)`, a boxed one). Where none is
    announced as the answer, the one counts that the answer begins with; where there is neither, the
    one that it ends with, as `I'd choose B`.

    Args:
        text: what a model said; of a long one the end.
        labels: those to look for, in either case.
    """
    if not labels:
        return []
    patterns = _patterns(tuple(labels))
    found = list(patterns.announced.finditer(text, max(len(text) - _LONGEST, 0)))
    final = [bool(each["box"] or each["word"].casefold().startswith("answer")) for each in found]
    if not any(final):
        bare = patterns.bare.match(text)
        found = ([] if bare is None else [bare]) + found
        found = found or list(patterns.last.finditer(text, max(len(text) - _END, 0)))[:1]
        final = [False] * len(found)
    known = {label.casefold(): place for place, label in enumerate(labels)}
    return [
        NamedLabel(*one.span(), known[one[0].casefold()], group, final[group])
        for group, each in enumerate(found)
        for one in patterns.one_of(each["all"]).finditer(text, *each.span("all"))
    ]


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


class _Patterns(NamedTuple):
    announced: re.Pattern[str]
    bare: re.Pattern[str]
    last: re.Pattern[str]
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
    as_written = rf"(?P<all>(?-i:{label}))"
    return _Patterns(
        announced=re.compile(rf"{_LEAD}{_OPEN}{several}{joined})", re.IGNORECASE),
        bare=re.compile(rf"\s{{0,20}}{_OPEN}{several}|{label}(?={_SAID}))", re.IGNORECASE),
        last=re.compile(rf"{_CHOSEN}{_OPEN}{as_written}(?!\w){_CLOSE}\s{{0,20}}\Z", re.IGNORECASE),
        one=re.compile(rf"(?<!\w){label}(?!\w)", re.IGNORECASE),
        joined=None if signs is None else re.compile(signs, re.IGNORECASE),
    )
