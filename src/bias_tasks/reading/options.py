"""How options stand in a text: by number or letter, in words (`the second option`), or by their
texts, which signs stand for while an answer is read.

The first option of a set says in which style the others must be written to be options too: behind
`(D)`, the `a` of "(D) a town" is none, and behind `2. `, the 3 of "2. Paris, 3 km away" is none.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bias_tasks.reading.bounds import Window, plain_spelling, skip
from bias_tasks.reading.engine import PATTERNS, pattern
from bias_tasks.reading.types import Value

_NUMBER, _LETTER = pattern("number"), pattern("letter")
_ORDINALS, _CARDINALS = (re.findall(r"\w+", PATTERNS[each][3:]) for each in ("ordinal", "cardinal"))
_COUNTS = {word: 1 + place for place, word in enumerate(_CARDINALS)} | {"both": 2}
_IN_WORDS, _ORDINAL, _NAMES = pattern("in_words"), pattern("ordinal"), pattern("options")
_AND, _BLANK, _THROUGH, _FURTHER = map(pattern, ("and", "blank", "through", "further"))
_ALL, _COUNTED, _NONE, _ONLY = map(pattern, ("all", "counted", "none", "only"))
_GLOSS, _BULLET, _A_WORD, _NEXT_TEXT = map(pattern, ("gloss", "bullet", "a_word", "next_text"))
_BEFORE_TEXT, _BEHIND_TEXT, _GOES_ON = map(pattern, ("before_text", "behind_text", "text_goes_on"))
LINE_VERDICT, _HEADING = pattern("line_verdict"), pattern("heading_of_options")
_LEAD = 80
"""Characters before a list in which its heading is looked for."""
SIGN = re.compile("[\ue000-\ue0fe]\ue0ff*")
"""Stands for an option's text, and is as long: the option's place, counted from `_FIRST_SIGN`."""
_FIRST_SIGN, _FILL = 0xE000, "\ue0ff"
_RUN = re.compile(r"[A-J]{2,10}(?![\w.'])|[A-HJ](?: [A-HJ]){1,9}(?![\w.'])")
_WORD = re.compile(r"[^\s.,;:)]+")
ENDED = re.compile(r"[\s\"')\]]{0,4}(?:[.,;(!\n]|\Z)")
_CROSSED = re.compile("[✗☐]")
_CLOSE = re.compile(r"[^()\n]{0,120}\)")
_ARTICLE = re.compile(r"\A(?:the|an?) (?=\w)")
_BEYOND = 2
"""A plain letter or number of two digits that is further behind the last option is no option's."""
_BULLETS = " -•·+"
_BRACKETS = "([\"'"
_BESIDE = " .,;)\"'"
"""What may stand beside a number or letter that is a line by itself."""
Style = tuple[str, str]
"""What stands before an option's number or letter, and behind it."""
BARE, BY_TEXT = ("", ""), ("text", "text")


class Item(NamedTuple):
    """An option as it stands in a text."""

    place: int
    end: int
    style: Style
    """`BY_TEXT` where its text stands for it."""
    told: bool = False
    """Whether its text stands beside it, or nothing does."""
    other: int | None = None
    """The option whose text stands beside it, where that is another one's."""


class Options:
    """The options of a choice, which carry numbers from `first` on, or letters.

    A set is a tuple of positions from 0, sorted; `()` is none of the options. A position out of
    range stays in it, for whoever reports it.
    """

    def __init__(self, count: int, letters: bool, first: int, texts: Sequence[str]) -> None:
        self.count, self.letters, self.first = count, letters, first
        spelled = [_ARTICLE.sub("", plain_spelling(each).strip(" .\n\"'")) for each in texts]
        symbols = {chr(ord("a") + n) if letters else str(first + n) for n in range(count)}
        once = {text for text in {*spelled} - symbols if text and spelled.count(text) == 1}
        self.places = {text: spelled.index(text) for text in sorted(once, key=len, reverse=True)}
        self.begins = {(place, text.split()[0]) for place, text in enumerate(spelled) if text}
        self.candidate = pattern("letter_candidate" if letters else "number_candidate")

    def signed(self, window: Window) -> Window:
        """The window with a sign for each option's text.

        No pattern finds texts: it would have to be compiled for every item.
        """
        for text, place in self.places.items():
            if place < ord(_FILL) - _FIRST_SIGN:
                sign = chr(_FIRST_SIGN + place) + _FILL * (len(text) - 1)
                window = window.written([(at, sign) for at in _whole_words(window.low, text)])
        return window

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options that a stretch begins with, or none of them."""
        return self._in_words(window, start, end) or self._set(window, start, end)

    def item(self, window: Window, start: int, end: int, style: Style | None = None) -> Item | None:
        """The option that a stretch begins with, in a style if that is given: its number or letter
        with its text behind it, or its text with its number behind it."""
        low, found = window.low, self._symbol(window, start, end, style)
        at = skip(_BEFORE_TEXT, low, start if found is None else found.end, end)
        sign = SIGN.match(low, at, end)
        if sign is None:
            said = _WORD.match(low, at, end)
            told = found and said and (found.place, said[0]) in self.begins
            return found._replace(told=True) if found and told else found
        place, stop = ord(sign[0][0]) - _FIRST_SIGN, skip(_BEHIND_TEXT, low, sign.end(), end)
        if found is None:
            label = self._symbol(window, skip(_BEFORE_TEXT, low, stop, end), end)
            same = label is not None and label.place == place
            return Item(place, label.end if label and same else stop, BY_TEXT, True)
        if found.style[1] == "." and _GOES_ON.match(low, stop, end):
            return found  # `Only 4. The albatross flies.`
        if place != found.place:
            begins = not low[low.rfind("\n", 0, start) + 1 : start].strip(_BULLETS + _BRACKETS)
            sentence = found.style[1] == "." and not begins  # `All but 3 and 5. Seoul is ...`
            return found if sentence else found._replace(end=stop, told=True, other=place)
        if "(" in low[found.end : at] and low[stop - 1] != ")":
            stop = skip(_CLOSE, low, stop, end)
        return found._replace(end=stop, told=True)

    def _symbol(
        self, window: Window, start: int, end: int, style: Style | None = None
    ) -> Item | None:
        """The option whose number or letter a stretch begins with, in a style if that is given."""
        match = (_LETTER if self.letters else _NUMBER).match(window.low, start, end)
        if match is None:
            return None
        closed = match["close"].replace("}", "") or match["colon"] or ""
        opened = {")": "(", "]": "["}.get(closed, "")
        # The bracket before the first one is among the marks that open a value.
        if match["open"] != opened and window.low[start - 1 : start] != opened:
            opened, closed = match["open"] if closed else "", closed.replace("]", "")
        value = match["value"]
        place = ord(value) - ord("a") if self.letters else int(value) - self.first
        plain = match["name"] is None and closed in ("", ".") and (self.letters or len(value) > 1)
        if style not in (None, (opened, closed)) or (plain and place > self.count + _BEYOND):
            return None
        if not self.letters:
            return Item(place, match.end(), (opened, closed))
        written = window.plain[match.start("value")]
        if closed not in (")", "]") and match["name"] is None:
            variable = written.islower() and match.span() != (start, end)
            if variable or (not closed and _A_WORD.match(window.plain, match.end() - 1)):
                return None
        return Item(place, match.end(), (opened, closed))

    def _set(self, window: Window, start: int, end: int) -> Value | None:
        """Options one after the other."""
        low, item = window.low, self.item(window, start, end)
        run = _RUN.match(window.plain, start, end) if self.letters else None
        letters = "" if run is None else run[0].replace(" ", "")
        if run is not None and all(a < b for a, b in pairwise(letters)):
            return Value(tuple(ord(letter) - ord("A") for letter in letters), *run.span())
        if item is None:
            return None
        through = _THROUGH.match(low, item.end, end) if item.style == BARE else None
        last = self._symbol(window, through.end(), end) if through else None
        if last is not None and last.style in (BARE, ("", ".")) and last.place > item.place:
            return Value(tuple(range(item.place, last.place + 1)), start, last.end)
        before = low[low.rfind("\n", 0, start) + 1 : start].strip(_BRACKETS)
        items, bullet = [item], None if before.strip(_BULLETS) else before
        while (found := self._next(window, items[-1], end, item.style, bullet)) is not None:
            items.append(found)
        stop = items[-1].end
        further = None if self.letters else _AND.match(low, stop, end)
        if further is not None and low[further.end() : further.end() + 1].isdigit():
            return None  # numbers, of which one is no option's
        if "\n" in low[start:stop]:
            # The steps of a solution are no answer, and neither are options that are judged.
            told = 2 * sum(each.told for each in items) >= len(items)
            lead = low[max(0, start - _LEAD) : start]
            headed = _HEADING.search(lead) and (lead.strip() or not self.places)
            verdicts = LINE_VERDICT.finditer(low, start, stop)
            if not (told or headed) or any(each["right"] is None for each in verdicts):
                return None
            if _CROSSED.search(low, start, stop) is not None:
                return None
        elif len(items) > 1 or item.style == BY_TEXT:
            stop = skip(_GLOSS, low, stop, end)
        if len(items) > 1 and any(each.other is not None for each in items):
            # Numbered anew: the texts count, where the numbers are those of a list.
            if [each.place for each in items] != [*range(len(items))]:
                return None
            items = [i if i.other is None else i._replace(place=i.other) for i in items]
        places = tuple(sorted({each.place for each in items}))
        return Value(places, start, skip(_ONLY, low, stop, end))

    def _next(
        self, window: Window, item: Item, end: int, style: Style, bullet: str | None
    ) -> Item | None:
        """The next option of a set: behind `and`, a comma, or a blank between bare numbers; behind
        a text in which brackets tell options apart; on the next line, behind the same bullet."""
        low, bare = window.low, style in (BARE, BY_TEXT)
        for joined in (_AND,) if self.letters or style != BARE else (_AND, _BLANK):
            for place in (item.end, skip(_GLOSS, low, item.end, end)):
                between = joined.match(low, place, end)
                if between is None or low.startswith("options", between.end()):
                    continue  # `3, and options 1 and 2 are wrong`
                found = self.item(window, between.end(), end)
                if found and ";" in between[0] and ENDED.match(low, found.end, end) is None:
                    continue  # `1 and 3; 2 is wrong`
                if found and (found.style in (style, BY_TEXT) or (bare and not found.style[0])):
                    return found
        begin = skip(_NEXT_TEXT, low, item.end, end) if item.style == BY_TEXT else item.end
        found = self.item(window, begin, end) if begin > item.end else None
        if found is not None and ENDED.match(low, found.end, end) is not None:
            return found
        closed = style[1] in (")", "]", ".") and not self.places  # else its text is known
        further = _FURTHER.match(low, item.end, end) if closed else None
        found = self.item(window, further.end(), end, style) if further else None
        line = -1 if bullet is None else low.find("\n", item.end, end)
        if found is not None or line < 0 or not _ends(item, low[item.end : line]):
            return found
        begin = skip(_BULLET, low, line, end)
        if low[low.rfind("\n", line, begin) + 1 : begin] != bullet:
            return None
        found = self.item(window, begin, end, None if style == BY_TEXT else style)
        rest = "" if found is None else low[found.end : end].partition("\n")[0]
        again = found is not None and found.place < item.place and "\n\n" in low[line:begin]
        if found is None or found.style != style or again or not _ends(found, rest):
            return None  # or what a further paragraph says of the others
        told = found.told or not rest.strip(_BESIDE)
        return found._replace(end=found.end + len(rest), told=told)

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


def _whole_words(low: str, text: str) -> Iterator[int]:
    """Where a text stands as whole words, from left to right."""
    at = low.find(text)
    while at >= 0:
        before, behind = low[max(0, at - 1) : at], low[at + len(text) : at + len(text) + 1]
        whole = not (before.isalnum() or behind.isalnum() or behind == "_")
        if whole:
            yield at
        at = low.find(text, at + len(text) if whole else at + 1)


def _ends(item: Item, rest: str) -> bool:
    """Whether an option of a list may have `rest` behind it in its line."""
    said = rest.strip(_BESIDE)
    return item.told or bool(item.style[1]) or not said or said[0] in "-:("
