"""Choices: which of the options an answer calls right, one, several or none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.engine import (
    CLOSING,
    OPENING,
    PATTERNS,
    RETRACTED,
    Form,
    clause_of,
    lines_of,
    pattern,
)
from bias_tasks.reading.options import SIGN, Options, kind_of, place_of
from bias_tasks.reading.types import Value
from bias_tasks.reading.why_unread import cut_off

_SET, _NONE, _ALL, _COUNTED, _NAMED = map(pattern, ("set", "none", "all", "counted", "candidate"))
_VERDICT, _LISTS, _LINE_VERDICT = map(pattern, ("verdict", "lists", "line_verdict"))
_UNCLEAR, _UNCLEAR_NONE, _UNLISTED = map(pattern, ("unclear", "unclear_none", "unlisted"))
_UNAFFIRMED, _UNDECIDED, _WRONG = map(pattern, ("unaffirmed", "undecided", "wrong"))
_SAID_OF, _MARK, _MARKS = map(pattern, ("said_of", "mark", "line_marks"))
_REST, _BEHIND, _HEADING = map(pattern, ("rest_is_right", "behind", "heading_of_options"))
_REASONS, _CALLED_RIGHT, _CALLED_WRONG, _OTHER = map(
    pattern, ("reasons", "called_right", "called_wrong", "other_option")
)
_STRONG = re.compile(r"\b(?:correct|right|true|valid|answers?|options?|choices?|statements?)\b")
_CLOSEST = re.compile(r"\b(?:nearest|closest|least wrong)\b[^.\n]*\Z")
_SO_IS = re.compile(r"\b(?:so|as) (?:is|are|does|do) \Z")
_NUMBERED = re.compile(r"\d{1,2}[.)] ")
_REASONS_ON = re.compile(r"\b(?:however|but|we|we'll|let|let's|try|must|need)\b")
_NOT_ALONE = re.compile(r"\bnot (?:only|just)\b")
_THROUGH = re.compile(r" ?(?:-|to|through) ?")
_CARDINALS = re.findall(r"\w+", PATTERNS["cardinal"][3:])
_CLAUSE_END = re.compile(
    r"[!?;\n]|(?<!\b\w)\.(?!\w)|\b(?:because|since)\b"
    r"|, (?:while|whereas|but|although|though|which|who|so)\b"
)
_ENDED = re.compile(r"[\s\"')\]]{0,4}(?:[.,;(!\n]|\Z)")
_LINE_HEAD = pattern("line_head")
_OWN = re.compile(r"[ .:)]*")
_BROKEN = re.compile("[\\w\ue000-\uf8ff]\\Z")
"""How a text ends that does not end as its sentences do."""
_BLANK_LINE = re.compile(r"\n[ .*-]*\n")
_TEXT = 400
"""Characters of an option's text behind its number or letter."""
_LEAD = 80
"""Characters before options in which it is looked for what is said of them."""
_BULLETS = " \n-•·+([\"'"
_WORDS = re.compile("[^\\W\\d]{2}|[\ue500-\ue6ff]")
_BESIDE = " .,;:)\"'"
"""What may stand beside a number or letter that is a line by itself."""

@dataclass(slots=True)
class Claims:
    """What sentences and lists say of options."""

    right: set[int] = field(default_factory=set)
    wrong: set[int] = field(default_factory=set)
    open: set[int] = field(default_factory=set)
    """Named without a word on whether they are right."""
    sets: list[Value] = field(default_factory=list)
    """Denials of all options, and lists under a heading that says neither."""
    listed: bool = False
    """Whether a list says so, one by one."""
    summed: set[int] = field(default_factory=set)
    """The last set of several of which a sentence says something."""
    last: tuple[int, int] = (0, 1)
    """Where the last option stands of which something is said."""


class Line(NamedTuple):
    """A line that begins with an option."""

    start: int
    at: int
    end: int
    found: Value


class Choice(Form):
    """A choice among options that carry numbers from `first` on, or letters.

    A value is a tuple of positions from 0, sorted; `()` is none of the options. A position out of
    range stays in it, for whoever reports it.
    """

    cue, ended = pattern("choice_cue"), pattern("explained")

    def __init__(
        self, count: int, letters: bool = False, first: int = 1, texts: Sequence[str] = ()
    ) -> None:
        self.options = Options(count, letters, first, texts)
        self.everything = {*range(count)}
        self.lists: dict[int, Value | None] = {}
        """Where lines of a list begin: the set that the whole list is, or None."""
        self.lines: dict[int, tuple[Line, int]] = {}
        """Where lines begin with an option: the line, and where its list began."""
        self.begins: list[int] = []

    def prepared(self, window: Window) -> Window:
        """The window with a sign wherever an option is named."""
        window = self.options.signed(window)
        low, group = window.low, list[Line]()
        self.lists.clear()
        self.lines.clear()
        for start, end in [*lines_of(low, 0, len(low)), (0, 0)]:
            at = skip(_MARKS, low, start, end)
            found = self._set(low, at, end) if SIGN.match(low, at, end) else None
            line = None if found is None else Line(start, at, end, found)
            if line is not None and not _is_item(low, line):
                line = None
            if group and not (line and _goes_on(low, group, line)):
                self._listed(low, group)
                group = []
            if line is not None:
                group.append(line)
        told = [line for line, _ in self.lines.values() if line.found.end < line.end or kind_of(low[line.at]) == "told"]
        for bullet in {_bullet(low, line) for line in told}:
            alike = [line for line in told if _bullet(low, line) == bullet]
            if len({line.found.said for line in alike}) > 1:
                for line in alike:
                    self.lists.setdefault(line.at, None)  # options that are explained one by one
        return window

    def _listed(self, low: str, group: list[Line]) -> None:
        """Takes down lines one after the other that begin with options."""
        begin, stop = group[0].at, group[-1].end
        self.lines.update((line.at, (line, group[0].start)) for line in group)
        places = [place for line in group for place in line.found.said]
        if len({*places}) < 2 or len(places) > len(group):
            return
        self.lists.update((line.at, None) for line in group)
        rests = [low[line.found.end : line.end].strip(_BESIDE) for line in group]
        told = sum(
            kind_of(low[line.at]) in ("text", "told") or not rest
            for line, rest in zip(group, rests, strict=True)
        )
        lead = low[max(0, begin - _LEAD) : begin].rstrip(_BULLETS)
        known = all(kind_of(low[line.at]) in ("text", "told") for line in group)
        heading, right = _HEADING.search(lead), _heading(low, begin)[1]
        if not right and ((_REASONS.search(lead) and not known) or self.everything <= {*places}):
            heading = None
            if any(rests) or any(kind_of(low[line.at]) in ("text", "told") for line in group):
                return
        judged = any(self._judged(low, line, line.end) - {True} for line in group)
        headed = not low[:begin].strip(_BULLETS) or _heading(low, begin)[0]
        if ((2 * told >= len(group) and headed) or heading) and not judged and len({*places}) == len(places):
            self.lists[begin] = Value(tuple(sorted(places)), begin, stop)

    def _judged(self, low: str, line: Line, stop: int) -> set[bool]:
        """What marks in a line, or else words in it and up to `stop`, say of its option."""
        verdicts = list(_MARK.finditer(low, line.start, line.end)) or list(
            _LINE_VERDICT.finditer(low, line.found.end - 1, stop)
        )
        return {each["right"] is not None for each in verdicts}

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options, or none of them."""
        if _LINE_HEAD.fullmatch(window.low, window.low.rfind("\n", 0, start) + 1, start):
            start = skip(_NUMBERED, window.low, start, end)
        if start in self.lists:
            found = self.lists[start]
            return found if found is not None and found.end <= end else None
        found = self._set(window.low, start, end)
        verdict = None if found is None else _VERDICT.match(window.low, found.end, end)
        if verdict is not None and verdict["mark"] and SIGN.search(window.low, verdict.end(), end):
            return None  # `1: true, 2: false`
        return found

    def _set(self, low: str, start: int, end: int) -> Value | None:
        """The set that a stretch begins with, apart from lists over several lines."""
        if (denied := _NONE.match(low, start, end)) is not None:
            return Value((), *denied.span())
        every = _ALL.match(low, start, end)
        if every is not None and every[0] not in ("all", "each", "every one"):
            counts = _COUNTED.findall(every[0])
            but = self._set(low, every.end(), end) if every["but"] else Value((), *every.span())
            wanted = ("both", "1", "2")[: 2 * (len(self.everything) == 2)]
            wanted += (str(len(self.everything)), _CARDINALS[min(len(self.everything), 10) - 1])
            if but is None or any(count not in wanted for count in counts):
                return None
            return Value(tuple(sorted(self.everything - {*but.said})), start, but.end)
        match = _SET.match(low, start, end)
        if match is None:
            return None
        places, last = set[int](), start
        for sign in SIGN.finditer(low, *match.span()):
            place = place_of(sign[0])
            if places and _THROUGH.fullmatch(low, last, sign.start()):
                places.update(range(max(places), place))
            places.add(place)
            last = sign.end()
        return Value(tuple(sorted(places)), *match.span())

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options alone, one with its text, or none of them."""
        low = window.low
        begin = skip(OPENING, low, start, end)
        found = self.at(window, begin, end)
        if found is None or RETRACTED.search(low, found.end, end):
            return None
        closed = skip(CLOSING, low, found.end, end) == end
        return found if closed or self._with_text(window, found, end) else None

    def _with_text(self, window: Window, found: Value, end: int) -> bool:
        """Whether the rest of a line is the text of the option that stands before it."""
        low, rest = window.low, window.low[found.end : end]
        kind, marked = kind_of(low[found.start]), re.match(r"\s?[-:=;(\[\"]", rest) is not None
        return (
            len(rest) < _TEXT
            and (
                (marked and len(found.said) == 1)
                or kind in ("half", "closed")
                or (kind == "told" and not low[: found.start].strip(_BULLETS))
            )
            and "\n" not in rest.rstrip()
            and _BEHIND.match(low, found.end, end) is None
            and not rest.rstrip().endswith("?")
            and _OTHER.search(rest) is None
            and not cut_off(low, found.end, end)
            and not _REASONS.search(low[max(0, found.start - _LEAD) : found.start].rstrip(_BULLETS))
            and not self.cue.search(low, found.end, end)
        )

    def _sets(self, window: Window, start: int, end: int) -> Iterator[Value]:
        """The sets of options in a stretch, from left to right."""
        low, pos = window.low, start
        for candidate in _NAMED.finditer(low, start, end):
            at = candidate.start()
            found = (self.lists.get(at) or self._set(low, at, end)) if at >= pos else None
            if found is not None:
                pos = found.end
                yield found

    def _claims(self, window: Window, start: int, end: int) -> Claims:
        """What sentences and lists of a stretch say."""
        low, claims, ticked = window.low, Claims(), False
        broken = _BROKEN.search(low.rstrip()) is not None
        before = set[bool]()
        named = start if start else -1  # what is announced before a stretch
        for found in self._sets(window, start, end):
            at, places = found.start, {*found.said}
            sentence = max(start, *(low.rfind(mark, start, at) + 1 for mark in ".!?\n"))
            clause = max(sentence, clause_of(low, at))
            if _UNLISTED.match(low, at):
                if named >= sentence or broken or _REASONS_ON.search(low, found.end):
                    continue  # an option is named, or the search for one goes on
                clause = at  # `The answer would be 42, which is not listed.`
            named = at if places else named
            if not places:
                clause = max(clause, low.rfind(",", clause, at) + 1)
            unclear = (_UNCLEAR if places else _UNCLEAR_NONE).search(low, clause, at)
            if unclear or _NOT_ALONE.search(low, max(sentence, at - _LEAD), at):
                claims.open |= places if kind_of(low[at]) != "bare" else set()
                continue
            stop = low.find("\n", found.end, end)
            verdict = _VERDICT.match(low, found.end, end if stop < 0 else stop)
            if kind_of(low[at]) == "bare" and not places <= self.everything:
                continue
            if not verdict and kind_of(low[at]) in ("bare", "") and self._within(at):
                if places or not _STRONG.search(low, at, found.end):
                    continue  # a number, or `no mention`, within what is said of an option
            if not places:
                if low[at - 1 : at] != '"':
                    claims.sets.append(found)
                continue
            line, begin = self.lines.get(at, (None, at))
            judged = set[bool]()
            if verdict is not None:
                denied = verdict["not"] is not None or low[clause:at].endswith("neither ")
                judged = {(verdict["right"] is not None) != denied}
            elif line is not None:
                stop = min([other.start for other, _ in self.lines.values() if other.start > line.start], default=end)
                blank = _BLANK_LINE.search(low, line.end, stop)
                judged = self._judged(low, line, stop if blank is None else blank.start())
                ticked = ticked or _MARK.search(low, line.start, line.end) is not None
                claims.listed = claims.listed or bool(judged)
            lists, good = _heading(low, begin)
            if not judged and good is not None:
                judged = {good}
            if not judged and low[clause:at].endswith("neither ") and places == self.everything:
                judged = {False}
            if not judged and _SO_IS.search(low, max(0, at - 20), at) is not None:
                judged = before
            before = judged or before
            claims.right |= places if True in judged else set()
            claims.wrong |= places if False in judged else set()
            claims.open |= places if kind_of(low[at]) != "bare" else set()
            if judged:
                claims.last = (at, found.end)
                claims.summed = places if len(places) > 1 else claims.summed
            elif lists and 1 < len(places) < len(self.everything) and (
                low[found.end - 1] == "." or _ENDED.match(low, found.end, end)
            ):
                claims.sets.append(found)
        if ticked and not claims.wrong:
            claims.wrong = claims.open - claims.right  # ticks alone
        if claims.wrong and not claims.right and _REST.search(low, start, end) is not None:
            claims.right = self.everything - claims.wrong  # `3 is false, the rest are correct`
        return claims

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The set that a text begins with, unless more is said of it."""
        found = super().opening(window, start, end)
        return None if found and _VERDICT.match(window.low, found.end, end) else found

    def _within(self, at: int) -> bool:
        return any(line.found.end < at < line.end and len(line.found.said) == 1 for line, _ in self.lines.values())

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """Options called right; all called wrong is none."""
        claims = self._claims(window, start, end)
        right, wrong, values = claims.right, claims.wrong, claims.sets
        left = claims.open - right - wrong if right != claims.summed else set()
        if right & wrong or (right and (wrong or claims.listed) and left):
            return [Value("a contradiction", 0, 1), Value((), 0, 1)]
        if right and not any(right <= {*each.said} and not wrong & {*each.said} for each in values):
            values.append(Value(tuple(sorted(right)), *claims.last))
        elif not values and wrong == self.everything:
            values.append(Value((), *claims.last))
        return values

    def gainsays(self, window: Window, found: Value, start: int) -> bool:
        """Whether what stands from `start` on calls another option right, or one of these wrong."""
        own = self._set(window.low, skip(_OWN, window.low, found.end, len(window.low)), len(window.low))
        start = start if own is None else max(start, own.end)  # `4. None of the above`
        claims, said = self._claims(window, start, len(window.low)), {*found.said}
        denials = [each for each in claims.sets if not each.said]
        if _CLOSEST.search(window.low, max(0, found.start - _LEAD), found.start):
            denials += [each for each in self._claims(window, 0, found.start).sets if not each.said]
        denied = any(_STRONG.search(window.low, each.start, each.end) for each in denials)
        return bool(claims.right - said or claims.wrong & said or (denied and said))

    def affirmed(self, window: Window) -> Value | None:
        """Several options of which a sentence says one thing, as in `1 and 3 are mammals`, where no
        other sentence says so of others; or what one says `only` of."""
        low, found, others, only = window.low, None, set[int](), list[Value]()
        opens = False
        if _UNDECIDED.search(low) is not None or _BROKEN.search(low.rstrip()) is not None:
            return None
        ends = [each.end() for each in _CLAUSE_END.finditer(low)]
        for start, end in pairwise([0, *ends, len(low)]):
            wrong = _WRONG.search(low, start, end)
            denials = [each.span() for each in _UNAFFIRMED.finditer(low, start, end)]
            for value in self._sets(window, start, end):
                at = value.start
                # Beside the set, and not within, as `all except 3` has it.
                denied = bool(denials) and (denials[0][0] < at or denials[-1][1] > value.end)
                lead, several = low[start:at].strip(_BULLETS), len(value.said) > 1
                part = bool(value.said) and {*value.said} < self.everything
                sign = SIGN.match(low, at, value.end)
                kind = kind_of(sign[0]) if sign else "words"
                said_of = _SAID_OF.search(low, max(start, at - _LEAD), at)
                these = not denied and (
                    (several and low.startswith(" are the ", value.end))
                    or (said_of and lead.startswith("the only ") and wrong is None)
                )
                alone = (not lead or lead.endswith((",", ":"))) and (
                    low.startswith(("only", "just"), at) or low.endswith(("only", "alone"), at, value.end)
                )
                if part and (these or (alone and wrong is None)):
                    only.append(value)
                named = not lead or said_of or kind != "bare"
                if denied or not (named or several):
                    continue  # or a number of anything that is counted
                if found is None and named and several and part and not others:
                    found, opens = value, not low[:at].strip(_BULLETS)
                elif found is None or (several and {*value.said} - {*found.said}):
                    beside = opens and (lead or kind == "text")  # `... Sucrose (B) is a ...`
                    others.update(() if beside else value.said)
        if only:
            return only[0] if len(only) == 1 else None
        return None if others else found


def _heading(low: str, begin: int) -> tuple[bool, bool | None]:
    """Whether what stands before options announces them, and as right or wrong ones if it says."""
    lead = low[max(0, begin - _LEAD) : begin].rstrip(_BULLETS)
    match = _LISTS.search(lead)
    if match is None:
        return False, None
    wrong = _CALLED_WRONG.search(lead, match.start()) is not None
    return True, False if wrong else True if _CALLED_RIGHT.search(lead, match.start()) else None


def _is_item(low: str, line: Line) -> bool:
    """Whether a line that begins with an option is no sentence about it."""
    bullet, kind = _bullet(low, line)
    judged = re.search("[→✓✗☐☑]", low[line.start : line.end])
    return bool(bullet or judged) or kind == "numbered" or re.match(r" [^\W_]", low[line.found.end :][:2]) is None


def _goes_on(low: str, group: list[Line], line: Line) -> bool:
    """Whether a line is of the list that other lines are of: behind the same bullet, its option
    written in the same way, and as far below the one before it."""
    first, last = group[0], group[-1]
    if [_bullet(low, each) for each in (first, line)] != [_bullet(low, first)] * 2:
        return False
    if len(group) == 1:
        return True
    return low.count("\n", first.end, group[1].start) == low.count("\n", last.end, line.start)


def _bullet(low: str, line: Line) -> tuple[str, str]:
    """What a line begins with but for ticks and crosses, and how its option is written."""
    kind = kind_of(low[line.at])
    kind = "numbered" if kind in ("half", "closed", "told") else kind
    return re.sub(r"[^|•·+-]", "", low[line.start : line.at]), kind
