"""Choices: which of the options an answer calls right, one, several or none."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.engine import (
    CLOSING,
    OPENING,
    RETRACTED,
    Form,
    clause_of,
    lines_of,
    pattern,
)
from bias_tasks.reading.options import BY_TEXT, ENDED, LINE_VERDICT, SIGN, Options
from bias_tasks.reading.types import Value

_VERDICT, _LISTS, _REASONS = map(pattern, ("verdict", "lists", "reasons"))
_UNCLEAR, _UNCLEAR_NONE, _UNLISTED = map(pattern, ("unclear", "unclear_none", "unlisted"))
_UNAFFIRMED, _UNDECIDED, _WRONG = map(pattern, ("unaffirmed", "undecided", "wrong"))
_SAID_OF, _MARK, _MARKS, _HEAD = map(pattern, ("said_of", "mark", "line_marks", "judged_head"))
_REASONS_ON = re.compile(r"\b(?:however|but|we|we'll|let|let's|try|must|need)\b")
_REST, _BEHIND = pattern("rest_is_right"), pattern("behind")
_NOT_ALONE = re.compile(r"\bnot (?:only|just)\b")
_CLAUSE_END = re.compile(
    r"[!?;\n]|(?<!\b\w)\.(?!\w)|\b(?:because|since)\b"
    r"|, (?:while|whereas|but|although|though|which|who|so)\b"
)
_IN_LINES = re.compile("(?:[^\\W\\d]{2}|[\ue000-\ue0fe])[^\\n]*\\n")
_BROKEN = re.compile("\\w\\Z|[.!?]\\s[^.!?]*[\ue000-\ue0ff]\\Z")
"""How a text ends that does not end as its sentences do."""
_BLANK_LINE = re.compile(r"\n[ .*-]*\n")
_OTHER = re.compile('[.;,] [(\\["]?\\w{1,2}(?:[)\\]:"]+| =) |[\ue000-\ue0fe]')
"""A further option in a line: `, (B) `, `, "2": `, or its text."""
_TEXT = 400
"""Characters of an option's text behind its number or letter."""
_LEAD = 40
"""Characters before options in which it is looked for what is said of them."""
_BULLETS = " \n-•·+([\"'"


class Choice(Form):
    """A choice among options that carry numbers from `first` on, or letters.

    Values are sets as `Options` has them.
    """

    cue, ended = pattern("choice_cue"), pattern("explained")

    def __init__(
        self, count: int, letters: bool = False, first: int = 1, texts: Sequence[str] = ()
    ) -> None:
        self.options = Options(count, letters, first, texts)
        self.everything = {*range(count)}

    def prepared(self, window: Window) -> Window:
        """The window with signs for the options' texts."""
        return self.options.signed(window)

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options, or none of them."""
        return self.options.at(window, start, end)

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options alone, one with its text, or none of them."""
        low = window.low
        begin = skip(OPENING, low, start, end)
        found = self.at(window, begin, end)
        if found is None or RETRACTED.search(low, found.end, end):
            return None
        if _IN_LINES.search(low, begin, found.end) and self.everything <= {*found.said}:
            return None  # a list of all options with their texts
        closed = skip(CLOSING, low, found.end, end) == end
        return found if closed or self._with_text(window, found, end) else None

    def item(self, window: Window, start: int, end: int) -> bool:
        """Whether a line is one option with something behind it."""
        low = window.low
        found = self.options.item(window, skip(_MARKS, low, start, end), end)
        if found is None or _MARK.search(low, start, end) is not None:
            return found is not None
        if not low[found.end : end].strip(" .:") and not found.told:
            return False
        closed = found.style[1] != "" and found.style != BY_TEXT
        bullet = low.startswith(("-", "•", "·", "+"), start)
        return closed or bullet or low.startswith((" -", " ("), found.end)

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """Options called right, less those called wrong; all called wrong is none."""
        low, spans, values = window.low, list[tuple[int, int]](), list[Value]()
        right, wrong, said = set[int](), set[int](), set[int]()
        broken = _BROKEN.search(low.rstrip()) is not None
        for begin, stop in lines_of(low, start, end):
            sentence, named = begin, begin if begin == start > 0 else -1
            for at, found in self._sets(window, begin, stop, end if _headed(low, begin) else stop):
                sentence = max(sentence, *(low.rfind(mark, sentence, at) for mark in ".!?"))
                clause = max(sentence, clause_of(low, at))
                if _UNLISTED.match(low, at):
                    if named >= sentence or broken or _REASONS_ON.search(low, found.end):
                        continue  # an option is named, or the search for one goes on
                    clause = at  # `The answer would be 42, which is not listed.`
                named = at if found.said else named
                said.update(found.said)
                unclear = _UNCLEAR if found.said else _UNCLEAR_NONE
                if unclear.search(low, clause, at) or _NOT_ALONE.search(
                    low, max(sentence, at - _LEAD), at
                ):
                    continue
                ended = len(found.said) > 1 and low[found.end - 1] == "."  # `1 and 3. Wrong: 2`
                verdict = None if ended else _VERDICT.match(low, found.end, stop)
                lead = low[max(0, at - _LEAD) : at].rstrip(_BULLETS)
                lists = _LISTS.search(lead)
                if not found.said and low[found.start - 1 : found.start] != '"':
                    values.append(found)
                elif found.said and verdict is not None:
                    denied = verdict["not"] is not None or low[clause:at].endswith("neither ")
                    good = (verdict["right"] is not None) != denied
                    (right if good else wrong).update(found.said)
                    spans.append((found.start, verdict.end()))
                elif lists is None or not 1 < len(found.said) < len(self.everything):
                    continue
                elif lists["wrong"] is not None:
                    wrong.update(found.said)
                    spans.append((found.start, found.end))
                elif "\n" in low[at : found.end] and _REASONS.search(lead):
                    continue
                elif low[found.end - 1] == "." or ENDED.match(low, found.end, end):
                    values.append(found)
        if wrong and not right and _REST.search(low, start, end) is not None:
            right = self.everything - wrong  # `3 is false, the rest are correct`
        if right & wrong or (right and wrong and said - right - wrong):
            return [Value("a contradiction", 0, 1), Value((), 0, 1)]
        if right:
            values.append(Value(tuple(sorted(right)), *spans[-1]))
        elif not values and wrong == self.everything:
            values.append(Value((), *spans[-1]))
        return values

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
            for at, value in self._sets(window, start, end, len(low)):
                # Beside the set, and not within, as `all except 3` has it.
                denied = bool(denials) and (denials[0][0] < at or denials[-1][1] > value.end)
                lead, several = low[start:at].strip(_BULLETS), len(value.said) > 1
                part = bool(value.said) and {*value.said} < self.everything
                sign = SIGN.search(low, at, value.end)
                if sign is None and "\n" in low[at : value.end]:
                    continue  # a list of anything
                said_of = _SAID_OF.search(low, max(start, at - _LEAD), at)
                these = not denied and (
                    (several and low.startswith(" are the ", value.end))
                    or (said_of and lead.startswith("the only ") and wrong is None)
                )
                if part and (these or (lead == "only" and wrong is None)):
                    only.append(value)
                bracketed = low.endswith("(", 0, at) or low.startswith(("(", "option"), at)
                named = not lead or said_of or sign or bracketed
                if denied or not (named or several):
                    continue  # or a number of anything that is counted
                if found is None and named and several and part and not others:
                    found, opens = value, not low[:at].strip(_BULLETS)
                elif found is None or (several and {*value.said} - {*found.said}):
                    beside = opens and (lead or sign is not None)  # `... Sucrose (B) is a ...`
                    others.update(() if beside else value.said)
        if only:
            return only[0] if len(only) == 1 else None
        return None if others else found

    def _sets(self, window: Window, start: int, stop: int, end: int) -> Iterator[tuple[int, Value]]:
        """The sets of options that begin in a stretch to `stop` and may go on up to `end` where
        they begin it, with their places."""
        low, pos = window.low, start
        for candidate in self.options.candidate.finditer(low, start, stop):
            at = candidate.start()
            first = not low[start:at].strip(_BULLETS)
            if at < pos:
                continue
            found = (self.at(window, at, end) if first else None) or self.at(window, at, stop)
            if found is not None:
                pos = found.end
                yield at, found

    def judged(self, window: Window) -> Value | None:
        """Options that a list calls right, one by one, where it judges every option."""
        low, heads = window.low, list[tuple[int, int, int]]()
        inline = {each.end(): len(low) for each in _HEAD.finditer(low)}
        for start, end in sorted((inline | dict(lines_of(low, 0, len(low)))).items()):
            at = skip(_MARKS, low, start, end)
            found = self.options.item(window, at, end)
            marked = start in inline or "|" in low[start:at] or _MARK.search(low, start, end)
            named = self.at(window, at, end)
            if found is None or (named is not None and len(named.said) > 1):
                continue  # `1, 3 ✓`
            if found.style[1] or found.end - at > 3 or marked:
                heads.append((found.place, start, found.end))
        told, last, ticked = dict[int, set[bool]](), len(low), False
        for place, start, end in reversed(heads):
            blank = _BLANK_LINE.search(low, end, last)
            stop = last if blank is None else blank.start()
            marks = list(_MARK.finditer(low, start, stop))
            verdicts = marks or list(LINE_VERDICT.finditer(low, end - 1, stop))
            ticked = ticked or bool(marks)
            told.setdefault(place, set()).update(each["right"] is not None for each in verdicts)
            last = start
        if ticked and not any(False in each for each in told.values()):
            told = {place: each or {False} for place, each in told.items()}  # ticks alone
        said = set[bool]().union(*told.values())
        every = len(list(_MARK.finditer(low)))  # of options without a line of their own, too
        partly = ticked and said == {True, False} and every == len(told)
        whole = told.keys() == self.everything or partly
        if not whole or any(len(each) != 1 for each in told.values()):
            return None
        right = tuple(sorted(place for place, each in told.items() if each == {True}))
        return Value(right, heads[0][1], len(low.rstrip()))

    def _with_text(self, window: Window, found: Value, end: int) -> bool:
        """Whether the rest of a line is the text of the option that stands before it, the last one
        of several."""
        rest, written = window.low[found.end : end], window.plain[found.start : found.end]
        marked = re.match(r"\s?[-:=;,(\[\"]", rest) is not None and len(found.said) == 1
        return (
            len(rest) < _TEXT
            and _BEHIND.match(window.low, found.end, end) is None
            and "\n" not in rest.rstrip()
            and not (self.options.letters and written.islower())
            and (marked or (written[-1] in ").]}" and SIGN.search(written) is None))
            and _OTHER.search(rest) is None
            and not self.cue.search(window.low, found.end, end)
        )


def _headed(low: str, begin: int) -> bool:
    """Whether a line stands behind a colon."""
    return low[:begin].rstrip().endswith(":")
