"""Which of two responses a judge prefers: `A`, `B` or `tie`.

What a judge states outright decides: `Verdict: A`, `[[B]]`, `{"winner": "tie"}`, a letter alone on
the last line. The last line was asked for, so a verdict there stands against any above; elsewhere
all of them must agree. Where none is stated, words such as `Response A is better` are read. What
allows two readings is unread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from bias_tasks.reading.bounds import Window, blanked
from bias_tasks.reading.json_objects import Repeated, json_objects
from bias_tasks.reading.types import Reading, Via
from bias_tasks.reading.unread import nothing_in, refuses_outright, unread, whole_answer

TIE = "tie"
_WHO = r"(?:(?:the )?(?:response|answer|assistant|option|model|candidate|output)[ _]?)?"
_TIE = (
    r"(?:(?:it(?:'s| is) )?(?:an? )?(?:tie|draw|tied)|(?:both(?: are)? |they are )?equal(?:ly)?"
    r"(?: good| strong)?|no (?:clear )?(?:difference|preference|winner))"
)
_ENDS = (
    r"(?=\s*(?:\Z|\n|</|[.;!)\]}\"'(]|,(?!\s{0,2}[ab]\b)|-\s|[:>]\Z)"
    r"|\s{1,3}(?:is|because|since|as|wins|over)\b)"
)
_MARKS = r"[ \t\"'(\[{$]{0,6}(?:\\boxed ?\{ ?|\\text ?\{ ?)?"
_NAMED = rf"{_MARKS}{_WHO}{_MARKS}(?:(?P<one>[ab])(?![\w/|]){_ENDS}|(?P<tie>{_TIE})\b)"
_LABEL = (
    r"\b(?:verdict|winner|judge?ment|decision|conclusion|preference|choice|answer"
    r"|(?:preferred|better|best|winning|chosen|stronger)(?: (?:response|answer|assistant|option"
    r"|one))?)\b[ \t\"']{0,4}(?:[:=>]|\bis\b:?|->|→)"
)
_COMPARED = (
    rf"{_WHO}a ?(?P<more>>{{1,2}}|<{{1,2}}|={{1,2}}) ?{_WHO}b"
    rf"|{_WHO}b ?(?P<less>>{{1,2}}|<{{1,2}}|={{1,2}}) ?{_WHO}a"
)
_LABELLED = re.compile(
    rf"{_LABEL}[ \t\n]{{0,4}}(?:{_NAMED}|{_MARKS}(?:{_COMPARED})(?=\W{{0,10}}(?:\Z|\n)))"
)
_BRACKETED = re.compile(rf"\[\[ ?(?:{_WHO}(?P<one>[ab])|(?P<tie>c|{_TIE})|{_COMPARED}) ?\]\]")
_ALONE = re.compile(
    rf"\W{{0,10}}(?:boxed\W{{1,3}})?(?:{_WHO}\W{{0,6}}(?:(?P<one>[ab])|(?P<tie>{_TIE}))|{_COMPARED})"
    r"\W{0,10}"
)
_WORDS = re.compile(
    rf"\b(?:response|answer|assistant|option)[ _]?\(?(?P<one>[ab])\)? "
    r"(?:(?:is|was|seems|remains|does)(?: \w{1,20}){0,2} (?:better|best|stronger|superior"
    r"|preferable|winner)|wins)\b"
    rf"|\bi(?:'d| would| will)? (?:prefer|choose|pick|select|favou?r|go with) {_WHO}"
    rf"\(?(?P<other>[ab])\)?{_ENDS}"
)
_DENIED = re.compile(r"\b(?:not|never|neither|nor|hardly|if|unless|whether)\b|n't\b")
_KEYS = frozenset(
    (
        *("verdict", "final_verdict", "winner", "preferred", "preferred_response", "preference"),
        *("choice", "better", "better_response", "decision", "judgment", "judgement", "answer"),
        "result",
    )
)
_CONTENT = re.compile(r"\w")
_LINE = re.compile(r"[^\n]+")


class _Said(NamedTuple):
    """One statement of a verdict, and where it stands."""

    verdict: str
    start: int
    end: int


def read_verdict(text: str, *, cut: bool = False) -> Reading:
    """The verdict of a judge's answer; its label is `A`, `B` or `tie`.

    Args:
        text: the judge's answer without its reasoning.
        cut: whether it ended at a token limit, so that only a verdict in front counts.
    """
    window = Window.of(text)
    nothing = nothing_in(window)
    if nothing is not None:
        return nothing
    stated = _stated(text)
    if stated is None:
        return unread(window, "too much that looks like a JSON object and is none")
    found = stated or _alone(window)
    via: Via = "explicit"
    if not found and not refuses_outright(window.low):
        found, via = _in_words(window), "keyword"
    if not found:
        return unread(window, "no verdict")
    if len({each.verdict for each in found}) > 1:
        return unread(window, "verdicts that differ")
    last = found[-1]
    reading = Reading(last.verdict, via, span=(last.start, last.end), detail="a verdict stated")
    return whole_answer(reading, text, cut=cut)


def _stated(text: str) -> list[_Said] | None:
    """The statements that count: those of the last lines, or else all. None for broken JSON."""
    objects = json_objects(text)
    if objects is None:
        return None
    said = [
        _Said(verdict, each.start, each.end)
        for each in objects.found
        if (verdict := _in_object(each.value)) is not None
    ]
    window = Window.of(blanked(text, [(each.start, each.end) for each in objects.found]))
    for pattern in (_BRACKETED, _LABELLED):
        for found in pattern.finditer(window.low):
            said.append(_Said(_verdict(found), *window.span(*found.span())))
    lines = _last_lines(text)
    final = [each for each in said if each.end > lines]
    return sorted(final or said, key=lambda each: each.end)


def _last_lines(text: str) -> int:
    """Where the last line with anything in it begins; lines above it that are a verdict alone, as
    in a list of what may be said, belong to it."""
    end = len(text.rstrip())
    while end > 0:
        start = text.rfind("\n", 0, end) + 1
        if _CONTENT.search(text, start, end):
            break
        end = len(text[:start].rstrip())
    else:
        return 0
    above = len(text[:start].rstrip())
    while above > 0:
        begin = text.rfind("\n", 0, above) + 1
        line = text[begin:above]
        if len(line) > _LONGEST or not _ALONE_STATED.fullmatch(line.casefold()):
            break
        start, above = begin, len(text[:begin].rstrip())
    return start


_LONGEST = 100
"""Characters of a line that is a verdict alone."""
_ALONE_STATED = re.compile(rf"\W{{0,10}}(?:{_LABEL}\s{{0,4}})?{_NAMED}\W{{0,10}}")


def _alone(window: Window) -> list[_Said]:
    """A letter alone on the last line, and on the lines right above it."""
    said: list[_Said] = []
    lines = (each for each in _LINE.finditer(window.low) if _CONTENT.search(each[0]))
    for line in reversed(list(lines)):
        found = _ALONE.fullmatch(window.low, *line.span()) if len(line[0]) <= _LONGEST else None
        if found is None:
            break
        said.insert(0, _Said(_verdict(found), *window.span(*found.span())))
    return said


def _in_words(window: Window) -> list[_Said]:
    """What words say outside of sentences that deny or weigh."""
    said = []
    for found in _WORDS.finditer(window.low):
        begin = max(window.low.rfind(mark, 0, found.start()) for mark in ".!?\n") + 1
        if not _DENIED.search(window.low, begin, found.end()):
            one = found["one"] or found["other"]
            said.append(_Said(one.upper(), *window.span(*found.span())))
    return said


def _verdict(found: re.Match[str]) -> str:
    groups = found.groupdict()
    if groups["one"] is not None:
        return str(groups["one"]).upper()
    for sign, first, second in ((groups.get("more"), "A", "B"), (groups.get("less"), "B", "A")):
        if sign is not None:
            return {">": first, "<": second, "=": TIE}[sign[0]]
    return TIE


def _in_object(value: dict[str, Any] | Repeated) -> str | None:
    """The verdict of a JSON object; None where it has none, or keys that say different ones."""
    if isinstance(value, Repeated):
        return None
    named = [each for key, each in value.items() if _plain(key) in _KEYS and isinstance(each, str)]
    verdicts = {_of_words(each) for each in named} - {None}
    return verdicts.pop() if len(verdicts) == 1 else None


def _plain(key: str) -> str:
    return "_".join(key.casefold().replace("-", " ").split())


def _of_words(value: str) -> str | None:
    words: Sequence[str] = value.strip().splitlines()
    if len(words) != 1 or len(value) > _LONGEST:
        return None
    low = value.strip().casefold()
    found = _BRACKETED.fullmatch(low) or _ALONE.fullmatch(low)
    return None if found is None else _verdict(found)
