"""Choices: which of the options an answer calls right, one, several or none."""

import re
from collections import Counter
from collections.abc import Sequence

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.claims import Claim, claims_in
from bias_tasks.reading.engine import Form
from bias_tasks.reading.lists import Line, heading, judged_in, lists_in
from bias_tasks.reading.options import CARDINALS, signed
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.signs import kind_of, place_of
from bias_tasks.reading.types import Value

_HOWS = ("only", "plain", "unlisted")
_MARKS, _BESIDE = " \n-•·+→([\"'", " .,;:)\"'✓✗☐☑"
"""What may stand before an option, and beside one that is a line by itself."""


class Choice(Form):
    """A choice among options that carry numbers from `first` on, or letters.

    A value is a tuple of positions from 0, sorted; `()` is none of the options. A position out of
    range stays in it, for whoever reports it.
    """

    cue, ended = patterns.choice_cue, patterns.explained

    def __init__(self, count: int, letters: bool, first: int, texts: Sequence[str]) -> None:
        self.offered = (count, letters, first, texts)
        self.everything = {*range(count)}
        counted = "|".join((str(count), *CARDINALS[count - 1 : count]))
        every = patterns.rows["all"].replace("BOTH", "both" if count == 2 else "(?!)")
        self.all = re.compile(every.replace("COUNT", f"(?:{counted})"))
        self.lines, self.lists = dict[int, Line](), dict[int, Value | None]()
        """By where an option stands the line that begins with it, and what a list says with it."""

    def prepared(self, window: Window) -> Window:
        """The window with a sign wherever an option is named."""
        window = signed(window, *self.offered)
        low = window.low
        groups = lists_in(low, lambda at, end: self._head(low, at, end))
        lines = [line for group in groups for line in group]
        alike = Counter(each for line in lines for each in (line.bullet, line.style) if each)
        self.lines, self.lists = {line.found.start: line for line in lines if line.style}, {}
        for group in groups if self.lines else ():
            several = len({line.found.said for line in group}) > 1
            for line in group if group[0].style else ():
                told = line.style == "text" or low[line.found.end : line.end].strip(_BESIDE)
                if several or (told and max(alike[line.bullet], alike[line.style]) > 1):
                    whole = several and line is group[0]
                    self.lists[line.found.start] = self._whole(low, group) if whole else None
        return window

    def _head(self, low: str, at: int, end: int) -> tuple[str, Value]:
        """How the option is written that a line is about, and that option."""
        kind = kind_of(low[at : at + 1])
        found = self._set(low, at, end) if kind else None
        if found is None or len(found.said) != 1:
            return "", Value((), 0, 0)
        style = "numbered" if kind in ("named", "half", "closed", "told") else kind
        sentence = low[at - 1 : at] in ("", "\n") and patterns.says.match(low, found.end)
        return "" if sentence and kind in ("bare", "named", "text") else style, found

    def _whole(self, low: str, group: list[Line]) -> Value | None:
        """The set that a list is, unless it goes through options, or says more of some."""
        begin = group[0].found.start
        places = {place for line in group for place in line.found.said}
        texts = [kind_of(low[line.found.start]) in ("text", "told") for line in group]
        rests = [low[line.found.end : line.end].strip(_BESIDE) for line in group]
        lead, first = heading(low, begin)[0], not low[:begin].strip(_MARKS)
        short = sum(text or rest.count(" ") < 3 for text, rest in zip(texts, rests, strict=True))
        told = 2 * short >= len(group) or (first and not self.offered[-1])
        through = self.everything <= places or patterns.reasons.search(lead) is not None
        judged = any(judged_in(low, line, line.end) - {True} for line in group)
        if judged or (through and (any(rests) or any(texts))):
            return None
        stands = (told or patterns.strong.search(lead)) and (first or lead)
        return Value(tuple(sorted(places)), begin, group[-1].end) if stands else None

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options, or none of them."""
        if start in self.lists:
            found = self.lists[start]
            return found if found and found.end <= end else None
        found = self._set(window.low, start, end)
        verdict = found and patterns.verdict.match(window.low, found.end, end)
        if verdict and verdict["mark"] and patterns.sign.search(window.low, verdict.end(), end):
            return None  # `1: true, 2: false`
        return found

    def _set(self, low: str, start: int, end: int) -> Value | None:
        """The set that a stretch begins with, apart from lists over several lines."""
        if (denied := patterns.none.match(low, start, end)) is not None:
            return Value((), *denied.span())
        if (every := self.all.match(low, start, end)) is not None:
            but = self._set(low, every.end(), end) if every["but"] else Value((), *every.span())
            return but and Value(tuple(sorted(self.everything - {*but.said})), start, but.end)
        if (edge := patterns.edge.match(low, start, end)) is not None:
            return Value(tuple(range(CARDINALS.index(edge["many"]) + 1)), *edge.span())
        if (match := patterns.set.match(low, start, end)) is None:
            return None
        places, last = set[int](), start
        for sign in patterns.sign.finditer(low, *match.span()):
            through = places and patterns.through.fullmatch(low, last, sign.start())
            places |= {*range(max(places), place_of(sign[0]))} if through else set()
            places.add(place_of(sign[0]))
            last = sign.end()
        return Value(tuple(sorted(places)), *match.span())

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options alone, one with its text, or none of them."""
        low = window.low
        found = self.at(window, skip(patterns.opening, low, start, end), end)
        written = kind_of(low[found.start]) if found else ""
        if not found or (written in ("text", "told") and low[start - 2 : start] == ". "):
            return None  # restated behind its number
        if skip(patterns.closing, low, found.end, end) == end:
            return found
        rest = low[found.end : end].rstrip()
        more = patterns.behind.match(rest) or patterns.more.search(rest) or self.cue.search(rest)
        return found if written in ("half", "closed") and not more else None

    def _claims(self, low: str, start: int, end: int) -> list[Claim]:
        """What a stretch says of the sets of options in it, from left to right."""
        sets, behind = list[Value](), start
        for at in (each.start() for each in patterns.candidate.finditer(low, start, end)):
            if at >= behind and (found := self.lists.get(at) or self._set(low, at, end)):
                sets.append(found)
                behind = found.end
        return [*claims_in(low, sets, self.lines, start, end)]

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """What is called right, or else all of which one thing is said (`1 and 3 are mammals`)."""
        low = window.low
        claims = self._claims(low, start, end)
        right, wrong = _said(claims, True), _said(claims, False)
        last = [claim.found for claim in claims if claim.right is not None][-1:]
        values = [c.found for c in claims if (c.right and not c.found.said) or c.how == "list"]
        values = [each for each in values if {*each.said} != self.everything]
        broken = patterns.broken.search(low.rstrip()) is not None
        items = [claim.right for claim in claims if claim.found.start in self.lines]
        if broken and items[-1:] == [None] and any(each is not None for each in items):
            return []  # it goes through options, and is cut off
        if right & wrong or patterns.undecided.search(low):
            return [Value("a contradiction", 0, 1), Value((), 0, 1)]
        if right and not any(right <= {*each.said} for each in values):
            values += [each._replace(said=tuple(sorted(right))) for each in last]
        elif not values and wrong == self.everything:
            values = [each._replace(said=()) for each in last]
        only, plain, unlisted = ([c.found for c in claims if c.how == how] for how in _HOWS)
        if values or broken or len(only) > 1 or not (only or plain):
            return values or unlisted[-1:]
        first, *others = only or plain
        others = [each for each in others if len(each.said) > 1]
        if not low[: first.start].strip(_MARKS):  # what an answer begins with
            others = [each for each in others if low[: each.start].rstrip(_MARKS)[-1:] in ".!?"]
        agreed = all({*each.said} <= {*first.said} for each in others)
        several = only or 1 < len(first.said) < len(self.everything)
        return [first] if agreed and several else unlisted[-1:]

    def gainsays(self, window: Window, found: Value, start: int) -> bool:
        """Whether what stands from `start` on calls another option right, or one of these wrong."""
        low, said = window.low, {*found.said}
        start = 0 if patterns.closest.search(low[: found.start][-80:]) else start  # a runner-up
        claims = self._claims(low, start, len(low))
        none = [c.found for c in claims if c.right and not c.found.said and said]
        denied = any(patterns.strong.search(low, *each[1:]) for each in none)
        return bool(denied or _said(claims, True) - said or _said(claims, False) & said)


def _said(claims: list[Claim], right: bool) -> set[int]:
    """The options that are called right, or wrong."""
    return {place for claim in claims if claim.right is right for place in claim.found.said}
