"""What an answer under a probe says: put as the probed task would have had it, and compared."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from bias_tasks.names import content_hash
from bias_tasks.probing.formats import FINAL_FORMATS, Said
from bias_tasks.probing.items import Asked, ProbedItem, places_told
from bias_tasks.probing.options import bare

_KEPT = 1_000
"""Characters of a free answer that are kept as they are."""
_LONGEST, _END = 100_000, 300
"""Last characters of an answer in which labels are looked for, and those that no word announces."""


def as_the_task_reads(
    asked: Asked, text: str, labels: Sequence[str], item: ProbedItem, lead: str = ""
) -> str:
    """The answer without the format that the probe asked for, if it follows that, and with the
    task's own `labels` of the choices shown wherever it names others: which of them counts is
    decided by the task's own reader. `lead` is what its prompt has an answer begin with."""
    own, shown = tuple(labels), asked.shown(item)
    if asked.format:
        answers = shown if bare(item.target) in map(bare, shown) else own
        taken_out = FINAL_FORMATS[asked.format].taken_out(Said(text, lead, answers, shown, own))
        text = text if taken_out is None else taken_out
    new = () if asked.dress is None else asked.dress.labels[: len(own)]
    for each in reversed(named_labels(text, new)):
        text = f"{text[: each.begin]}{own[each.place]}{text[each.end :]}"
    return text


def content_of(item: ProbedItem, asked: Asked, said: str | None, labels: Sequence[str]) -> str:
    """What an answer says, such that two are the same where they mean the same choice: the places
    of its choices in the item, such as `#2`, or a text without case, blanks and punctuation around
    it; empty where nothing was `said`, as the task read it. `labels` are its own of the choices
    shown."""
    if said is None:
        return ""
    told = bare(said)
    if item.choices:
        order = asked.order or tuple(range(len(item.choices)))
        places = [order[place] for place in _meant(told, said, labels[: len(order)])]
        same = [place for place, each in enumerate(item.choices) if bare(each) == told]
        if places or len(same) == 1:
            return places_told(places or same)
    return told if len(told) <= _KEPT else f"{told[:_KEPT]}... ({content_hash(told)})"


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

    Labels count that are announced (`answer is B`, `option (B)`, a boxed one), in either case.
    Where none is announced as the answer, the one counts that the text begins with; where there is
    neither, the one that it ends with, as `I'd choose B`.
    """
    if not labels:
        return []
    patterns = _patterns(tuple(labels))
    found = list(patterns["announced"].finditer(text, max(len(text) - _LONGEST, 0)))
    final = [bool(each["box"] or each["word"].casefold().startswith("answer")) for each in found]
    if not any(final):
        begun = patterns["begins"].match(text)
        found = ([] if begun is None else [begun]) + found
        found = found or list(patterns["ends"].finditer(text, max(len(text) - _END, 0)))[:1]
        final = [False] * len(found)
    known = {label.casefold(): place for place, label in enumerate(labels)}
    kinds = ["joined" if each["all"][1:] and each["all"].isalnum() else "one" for each in found]
    return [
        NamedLabel(*one.span(), known[one[0].casefold()], group, final[group])
        for group, each in enumerate(found)
        for one in patterns[kinds[group]].finditer(text, *each.span("all"))
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
"""Behind a label: "Answer: I" names one, "Answer: I think ..." and "Answer: 2.5" do not."""
_SAID = r"\s{1,3}is\s{1,3}(?:(?:the|my)\s{1,3})?(?:correct|right|best|true|final|answer)\b"
_APART = r"(?:\s{0,3}[,;&/]\s{0,3}(?:(?:and|or)\s{1,3})?|\s{1,3}(?:and|or)\s{1,3})"
"""What stands between labels where an answer names several."""
_CHOSEN = (
    r"(?:\b(?:say|choose|chose|pick|select|with|be|is|for|it['\u2019]s)\s{1,3}"
    r"|[:：=\-\u2013>]\s{0,3})"
)


@cache
def _patterns(labels: tuple[str, ...]) -> dict[str, re.Pattern[str]]:
    """What finds labels that are announced, begin or end an answer; one label of these; and one of
    those without anything between (`AC`), as only single characters may stand."""
    label = f"(?:{'|'.join(sorted(map(re.escape, labels), key=len, reverse=True))})"
    signs = all(len(each) == 1 for each in labels)
    joined = f"|(?-i:{label}{{2,26}}){_ENDS}" if signs else ""
    one = rf"(?<!\w){label}(?!\w)"
    blanks = rf"{label}(?:[ ]{{1,2}}{label}){{1,25}}{_ENDS}"
    several = rf"(?P<all>{label}(?:{_APART}{label}){{1,25}}(?!\w)|{blanks}|{label}{_ENDS}"
    patterns = {
        "announced": rf"{_LEAD}{_OPEN}{several}{joined})",
        "begins": rf"\s{{0,20}}{_OPEN}{several}|{label}(?={_SAID}))",
        "ends": rf"{_CHOSEN}{_OPEN}(?P<all>(?-i:{label}))(?!\w){_CLOSE}\s{{0,20}}\Z",
        "one": one,
        "joined": label if signs else one,
    }
    return {name: re.compile(each, re.IGNORECASE) for name, each in patterns.items()}
