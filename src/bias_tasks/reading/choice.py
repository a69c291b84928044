"""Choices: which of the options an answer names, one, several or none.

An option is written by its number or letter, in words (`the second option`), or by its text. The
first one says in which style the others must be written to be options too: behind `(D)`, the `a`
of "(D) a town" is none, and behind `2. `, the 3 of "2. Paris, 3 km away" is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bias_tasks.reading.bounds import Window, plain_spelling, skip
from bias_tasks.reading.engine import CLOSING, OPENING, PATTERNS, RETRACTED, Form, lines_of, pattern
from bias_tasks.reading.types import Value

_NUMBER, _LETTER = pattern("number"), pattern("letter")
_ORDINALS, _CARDINALS = (re.findall(r"\w+", PATTERNS[each][3:]) for each in ("ordinal", "cardinal"))
_COUNTS = {word: 1 + place for place, word in enumerate(_CARDINALS)} | {"both": 2}
_IN_WORDS, _ORDINAL, _NAMES = pattern("in_words"), pattern("ordinal"), pattern("options")
_AND, _BLANK, _THROUGH = map(pattern, ("and", "blank", "through"))
_ALL, _COUNTED, _NONE, _VERDICT = map(pattern, ("all", "counted", "none", "verdict"))
_UNCLEAR, _UNCLEAR_NONE = map(pattern, ("unclear", "unclear_none"))
_GLOSS, _BULLET, _NEXT_TEXT, _ONLY = map(pattern, ("gloss", "bullet", "next_text", "only"))
_LINE_VERDICT, _MARK, _MARKS = map(pattern, ("line_verdict", "mark", "line_marks"))
_AROUND = pattern("around_text")
_A_WORD = pattern("a_word")
_RUN = re.compile(r"[A-J]{2,10}(?![\w.'])")
_BLANK_LINE = re.compile(r"\n[ .*-]*\n")
# `The Stoics are 2 and 3.`, `Mammals: 2, 3`, `False statements: 1, 4`
_LISTS = pattern("lists")
_ENDED = re.compile(r"[\s\"')\]]{0,4}(?:[.,;(!\n]|\Z)")
_TEXT = 400
"""Characters of an option's text behind its number or letter."""
_BULLETS = " \n-•·+([\"'"
_BESIDE = " .,;)\"'"
"""What may stand beside a number or letter that is a line by itself."""


class _Option(NamedTuple):
    """An option as it stands in a text."""

    place: int
    end: int
    style: tuple[str, str]
    """What stands before its number or letter, and behind it."""


class Choice(Form):
    """A choice among options that carry numbers from `first` on, or letters.

    Values are tuples of positions from 0, sorted; `()` is none of the options. A position out of
    range stays in the tuple, for whoever reports it.
    """

    cue, ended = pattern("choice_cue"), pattern("explained")

    def __init__(
        self, count: int, letters: bool = False, first: int = 1, texts: Sequence[str] = ()
    ) -> None:
        self.count, self.letters, self.first = count, letters, first
        spelled = [plain_spelling(each).strip(" .\n") for each in texts]
        symbols = {chr(ord("a") + n) if letters else str(first + n) for n in range(count)}
        once = (text for text in {*spelled} - symbols if text and spelled.count(text) == 1)
        self.places = {text: spelled.index(text) for text in sorted(once, key=len, reverse=True)}
        self.spelled = spelled
        self.candidate = pattern("letter_candidate" if letters else "number_candidate")

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options, or none of them."""
        found = self._in_words(window, start, end) or self._texts(window.low, start, end)
        return found or self._set(window, start, end)

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options alone, one with its text; the text of one; or none of them."""
        low = window.low
        begin = skip(OPENING, low, start, end)
        said = low[begin:end].strip(" \n.\"')]}:!")
        if said in self.places:
            return Value((self.places[said],), begin, end)
        found = self.at(window, begin, end)
        if found is None or RETRACTED.search(low, found.end, end):
            return None
        if "\n" in low[begin : found.end] and {*range(self.count)} <= {*found.said}:
            return None  # a list of all options
        closed = skip(CLOSING, low, found.end, end) == end
        text = self._with_text(window, found, end) and not self.cue.search(low, found.end, end)
        named = text and self._text_at(low, begin, end) is None
        return found if closed or named else None

    def item(self, window: Window, start: int, end: int) -> bool:
        """Whether a line is one option with something behind it."""
        low = window.low
        found = self._option(window, skip(_MARKS, low, start, end), end)
        if found is None or _MARK.search(low, start, end) is not None:
            return found is not None
        if not low[found.end : end].strip(" .:"):
            return False
        return found.style[1] != "" or low.startswith((" -", " ("), found.end)

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """Options called right, less those called wrong; all called wrong is none."""
        low, spans, values = window.low, [], []
        right, wrong = set[int](), set[int]()
        named = {at for text in self.places for at in _places_of(text, low, start, end)}
        for begin, stop in lines_of(low, start, end):
            pos, sentence = begin, begin
            symbols = {each.start() for each in self.candidate.finditer(low, begin, stop)}
            for at in sorted(symbols | {each for each in named if begin <= each < stop}):
                headed = not low[begin:at].strip(_BULLETS) and low[:begin].rstrip().endswith(":")
                found = self.at(window, at, end if headed else stop) if at >= pos else None
                if found is None:
                    continue
                sentence = max(sentence, *(low.rfind(mark, sentence, at) for mark in ".!?"))
                clause = sentence if found.said else max(sentence, low.rfind(" but ", sentence, at))
                pos = found.end
                unclear = _UNCLEAR if found.said else _UNCLEAR_NONE
                verdict = _VERDICT.match(low, found.end, stop)
                if unclear.search(low, clause, found.start):
                    continue
                if not found.said and low[found.start - 1 : found.start] != '"':
                    values.append(found)
                elif 1 < len(found.said) < self.count and verdict is None:
                    lead = low[max(0 if headed else sentence, at - 40) : at]
                    lists = _LISTS.search(lead.rstrip(_BULLETS))
                    if lists is not None and lists["wrong"] is not None:
                        wrong.update(found.said)
                        spans.append((found.start, found.end))
                    elif lists is not None and _ENDED.match(low, found.end, stop) is not None:
                        values.append(found)
                elif found.said and verdict is not None:
                    good = (verdict["right"] is not None) != (verdict["not"] is not None)
                    (right if good else wrong).update(found.said)
                    spans.append((found.start, verdict.end()))
        if right & wrong:
            return [Value("a contradiction", 0, 1), Value((), 0, 1)]
        if right:
            values.append(Value(tuple(sorted(right)), *spans[-1]))
        elif not values and wrong == set(range(self.count)):
            values.append(Value((), *spans[-1]))
        return values

    def judged(self, window: Window) -> Value | None:
        """Options that a list calls right, line by line, where it judges every option."""
        low, heads = window.low, list[tuple[int, int, int]]()
        for start, end in lines_of(low, 0, len(low)):
            at = skip(_MARKS, low, start, end)
            option, text = self._option(window, at, end), self._text_at(low, at, end)
            marked = _MARK.search(low, start, end) is not None
            if text is not None:
                heads.append((self.places[text], start, at + len(text)))
            elif option is not None and (option.style[1] or option.end - at > 3 or marked):
                heads.append((option.place, start, option.end))
        told: dict[int, set[bool]] = {}
        last = len(low)
        for place, start, end in reversed(heads):
            blank = _BLANK_LINE.search(low, end, last)
            stop = last if blank is None else blank.start()
            marks = list(_MARK.finditer(low, start, stop))
            found = marks or _LINE_VERDICT.finditer(low, end - 1, stop)
            told.setdefault(place, set()).update(each["right"] is not None for each in found)
            last = start
        if any(told.values()) and not any(False in each for each in told.values()):
            told = {place: each or {False} for place, each in told.items()}  # ticks alone
        if told.keys() != {*range(self.count)} or any(len(each) != 1 for each in told.values()):
            return None
        right = tuple(sorted(place for place, each in told.items() if each == {True}))
        return Value(right, heads[0][1], heads[-1][2])

    def _option(
        self, window: Window, start: int, end: int, style: tuple[str, str] | None = None
    ) -> _Option | None:
        """The option that a stretch begins with, in a style if that is given."""
        match = (_LETTER if self.letters else _NUMBER).match(window.low, start, end)
        if match is None:
            return None
        closed = match["close"].replace("}", "") or match["colon"] or ""
        opened = {")": "(", "]": "["}.get(closed, "")
        # The bracket before the first one is among the marks that open a value.
        if match["open"] != opened and window.low[start - 1 : start] != opened:
            opened, closed = match["open"] if closed else "", closed.replace("]", "")
        if style not in (None, (opened, closed)):
            return None
        if not self.letters:
            return _Option(int(match["value"]) - self.first, match.end(), (opened, closed))
        written = window.plain[match.start("value")]
        if closed not in (")", "]") and match["name"] is None:
            variable = written.islower() and match.span() != (start, end)
            if variable or (not closed and _A_WORD.match(window.plain, match.end() - 1)):
                return None
        return _Option(ord(match["value"]) - ord("a"), match.end(), (opened, closed))

    def _set(self, window: Window, start: int, end: int) -> Value | None:
        """Options one after the other."""
        low, option = window.low, self._option(window, start, end)
        run = _RUN.match(window.plain, start, end) if self.letters else None
        if run is not None and all(a < b for a, b in pairwise(run[0])):
            return Value(tuple(ord(letter) - ord("A") for letter in run[0]), *run.span())
        if option is None:
            return None
        style, places = option.style, {option.place}
        through = _THROUGH.match(low, option.end, end) if style == ("", "") else None
        last = self._option(window, through.end(), end, style) if through else None
        if last is not None and not self.letters and last.place > option.place:
            return Value(tuple(range(option.place, last.place + 1)), start, last.end)
        listed = not low[low.rfind("\n", 0, start) + 1 : start].strip(" -•·+([\"'")
        while (found := self._next(window, option, end, style, listed)) is not None:
            places.add(found.place)
            option = found
        stop = self._past_its_text(low, option, end) if len(places) > 1 else option.end
        stop = skip(_ONLY, low, stop, end)
        # The steps of a solution are no answer.
        if "\n" in low[start:stop] and self._are_steps(window, start, stop):
            return None
        return Value(tuple(sorted(places)), start, stop)

    def _are_steps(self, window: Window, start: int, stop: int) -> bool:
        """Whether the numbered lines of a list say something else than the options' texts."""
        named = counted = 0
        for begin, end in lines_of(window.low, start, stop):
            found = self._option(window, skip(_BULLET, window.low, begin, end), end)
            said = "" if found is None else window.low[found.end : end].strip(" .:)-*_\"'")
            if found is None or not said or not 0 <= found.place < len(self.spelled):
                continue
            text, counted = self.spelled[found.place], counted + 1
            named += said in text or text in said or said.split()[0] == text.split()[0]
        return 2 * named < counted

    def _texts(self, low: str, start: int, end: int) -> Value | None:
        """Texts of options one after the other."""
        places, at, stop = set(), start, start
        while (said := self._text_at(low, at, end)) is not None:
            places.add(self.places[said])
            stop = skip(_GLOSS, low, at + len(said), end)
            at = skip(_NEXT_TEXT, low, skip(_AROUND, low, stop, end), end)
            at = skip(_AROUND, low, at, end)
        return Value(tuple(sorted(places)), start, stop) if places else None

    def _text_at(self, low: str, at: int, end: int) -> str | None:
        """The longest of the options' texts that stands at a place as whole words.

        No pattern says that: it would have to be compiled for every item.
        """
        return next((text for text in self.places if _stands_at(low, text, at, end)), None)

    def _past_its_text(self, low: str, option: _Option, end: int) -> int:
        """Where the text ends that an option's number stands before; else where that ends."""
        own = self.spelled[option.place] if 0 <= option.place < len(self.spelled) else ""
        begin = skip(_AROUND, low, option.end, end)
        if not own or not _stands_at(low, own, begin, end):
            return option.end
        return skip(_AROUND, low, begin + len(own), end)

    def _next(
        self, window: Window, option: _Option, end: int, style: tuple[str, str], listed: bool
    ) -> _Option | None:
        """The next option of a set: behind `and`, a comma, or a blank between bare numbers; behind
        the text of the one before, if that is known or brackets tell them apart; on a list's next
        line."""
        low, stop, bare = window.low, option.end, style == ("", "")
        behind = self._past_its_text(low, option, end)
        between = _AND.match(low, skip(_GLOSS, low, behind, end), end) if behind > stop else None
        if between is not None:
            begin = skip(_AROUND, low, between.end(), end)
            found = self._option(window, begin, end, option.style)
            if found is not None:
                return found
        for joined in (_AND, _BLANK) if bare and not self.letters else (_AND,):
            for place in (stop, skip(_GLOSS, low, stop, end)):
                between = joined.match(low, place, end)
                found = self._option(window, between.end(), end) if between else None
                if found is not None and (found.style == style or (bare and not found.style[0])):
                    return found
        if style[1] in (")", "]"):
            opened, closed = map(re.escape, style)
            text = rf"(?:(?!(?<!\w){opened}\w{{1,2}}{closed})[^\n]){{0,{_TEXT}}}?"
            further = rf"{text}(?:,|;| and|, and) (?={opened}\w{{1,2}}{closed})"
            between = re.compile(further).match(low, stop, end)
            found = self._option(window, between.end(), end, style) if between else None
            if found is not None:
                return found
        line = low.find("\n", stop, end) if listed else -1
        if line < 0 or (bare and low[stop:line].strip(_BESIDE)):
            return None
        found = self._option(window, skip(_BULLET, low, line, end), end, style)
        rest = "" if found is None else low[found.end : end].partition("\n")[0]
        if found is None or (bare and rest.strip(_BESIDE)):
            return None
        return found._replace(end=found.end + len(rest))

    def _in_words(self, window: Window, start: int, end: int) -> Value | None:
        """`none of them`, `all but 3`, `option two`, `the first and the third option`."""
        low, everything = window.low, range(self.count)
        if (denied := _NONE.match(low, start, end)) is not None:
            return Value((), *denied.span())
        every = _ALL.match(low, start, end)
        if every is not None and every[0] not in ("all", "each", "every one"):
            counts = [_COUNTS.get(word) or int(word) for word in _COUNTED.findall(every[0])]
            none = Value((), *every.span())
            but = self.at(window, every.end(), end) if every["but"] else none
            if but is None or any(count != self.count for count in counts):
                return None
            return Value(tuple(sorted({*everything} - {*but.said})), start, but.end)
        match = _IN_WORDS.match(low, start, end)
        if match is not None and match["one"]:
            return Value((_CARDINALS.index(match["one"]),), *match.span())
        if match is not None and match["many"]:
            many = _CARDINALS.index(match["many"]) + 1
            chosen = everything[:many] if match["edge"] == "first" else everything[-many:]
            return Value(tuple(chosen), *match.span()) if many < self.count else None
        words = _ORDINAL.findall(match[0]) if match else []
        named = match and (_NAMES.search(match[0]) or low.startswith(" is ", match.end()))
        if match is None or not (named or len(words) > 1):
            return None
        places = {self.count - 1 if each == "last" else _ORDINALS.index(each) for each in words}
        return Value(tuple(sorted(places)), *match.span())

    def _with_text(self, window: Window, found: Value, end: int) -> bool:
        """Whether the rest of a line is the text of the one option that stands before it."""
        rest, written = window.low[found.end : end], window.plain[found.start : found.end]
        return (
            len(found.said) == 1
            and len(rest) < _TEXT
            and "\n" not in rest.rstrip()
            and not (self.letters and written.islower())
            and (written[-1] in ").]}" or re.match(r"\s?[-:=;,(\[\"]", rest) is not None)
            and not re.search(r"[.;,] [(\[]?\w{1,2}(?:[)\]:]| =) ", rest)
        )


def _places_of(text: str, low: str, start: int, end: int) -> Iterator[int]:
    """Where a text begins as whole words."""
    at = low.find(text, start, end)
    while at >= 0:
        if not low[at - 1 : at].isalnum() and _stands_at(low, text, at, end):
            yield at
        at = low.find(text, at + 1, end)


def _stands_at(low: str, text: str, at: int, end: int) -> bool:
    """Whether a text stands at a place as whole words."""
    stop = at + len(text)
    behind = low[stop : min(stop + 1, end)]
    return stop <= end and low.startswith(text, at) and not (behind.isalnum() or behind == "_")
