"""Choices: which of the options an answer names, one, several or none.

An option is written by its number or letter, in words (`the second option`), or by its text. The
first one says in which style the others must be written to be options too: behind `(D)`, the `a`
of "(D) a town" is none, and behind `2. `, the 3 of "2. Paris, 3 km away" is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bias_tasks.reading.bounds import Window, plain_spelling, skip
from bias_tasks.reading.engine import CLOSING, OPENING, RETRACTED, SAID, Value, sentences_of

_NAME = r"(?:options?|choices?|answers?|letters?|numbers?|statements?|no\.|nos\.|#)"
_WRAP = r"(?:\\(?:text|mathrm|mathbf|textbf|boxed)\{|\\[(\[] ?|\$)?"
_NUMBER = re.compile(
    rf"(?:(?:the )?{_NAME} {{0,2}})?[\"'#]?{_WRAP}(?P<open>[(\[]?)(?P<value>\d{{1,2}})(?!\d"
    rf"|\.\d|,\d{{3}}|%|/\d|-[a-z]|:\d)"
    r"(?P<close>[)\].:}](?!\d))?[\"'}]?",
)
_LETTER = re.compile(
    rf"(?:(?:the )?{_NAME} {{0,2}})?[\"']?{_WRAP}(?P<open>[(\[]?)(?P<value>[a-z])(?![\w'’]"
    rf"|\.[a-z]\.)"
    r"(?P<close>[)\].:}])?[\"'}]?",
)
_NAMED = re.compile(rf"(?:the )?{_NAME}")
_AND = re.compile(
    r"(?:\\\)|\$)?\s{0,3}(?:(?:,|;|&|\+|/|\band\b|和|\bas well as\b|\bplus\b"
    r"|\balong with\b)\s{0,2}){1,2}"
    r"(?:both |also |(?:the )?)"
)
_BLANK = re.compile(r" {1,3}(?=[(\[]?\d{1,2}[)\]]?(?![\w.,]))")
_OR = re.compile(r"\s{0,3}(?:,\s?)?\bor\b\s?")
_THROUGH = re.compile(r" ?(?:-|to|through) ?")
_BULLET = re.compile(r"\s*(?:[-•·+☑✓]\s*)?")
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_ORDINAL = re.compile(
    rf"(?:the |both |only )*(?P<first>{'|'.join(_ORDINALS)}|last)\b(?: (?:options?|choices?"
    rf"|ones?|answers?)\b)?"
    rf"(?P<more>(?:,? (?:and|,) ?(?:also )?(?:the )?(?:{'|'.join(_ORDINALS)}"
    rf"|last)\b(?: (?:options?|choices?|ones?|answers?)\b)?)*)"
    r"(?: (?:options?|choices?|ones?|answers?))?"
)
_WORD_NUMBERS = {
    w: i + 1
    for i, w in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}
_IN_WORDS = re.compile(rf"(?:options?|choices?|number) ({'|'.join(_WORD_NUMBERS)})\b")
_ALL = re.compile(
    r"(?:all|every one|each)(?: (?:of )?(?:the |these |them|those )?(?P<count>\d{1,2}|two"
    r"|three|four|five|six"
    r"|seven|eight|nine|ten)?\s?(?:above|options?|choices?|answers?|statements?|listed"
    r"|given|provided|correct)?)*"
)
_NONE = re.compile(
    r"no (?:(?:single|one|provided|given|listed|available) )?(?:correct|corect|right|valid"
    r"|suitable|matching|true)"
    r" (?:answers?|options?|choices?)\b(?! (?:is|are) (?:missing|wrong))"
    r"|none(?: of (?:(?:the|these|them|those|above)\b ?){0,2}(?:(?:\d|two|three|four|five"
    r"|six|ten|given|listed|provided|above|available|other) ?){0,2}(?:options?|choices?"
    r"|answers?|statements?|ones|is|are|has|fits?|match\w*|appl\w+|can|seems?|(?=[.,;:!]"
    r"|\s*\Z|\n))| (?:is|are|apply|applies|correct|fits?|here)\b|[.\s\"')]*\Z|(?=[.,;:]"
    r"|\n))"
    r"|(?:there (?:is|are|isn't|aren't|is not|are not)|has|have|without) (?:no|any"
    r"|a) (?:single )?(?:correct|right|valid|true)"
    r" (?:answers?|options?|choices?)"
    r"|no (?:options?|choices?|answers?|statements?)(?: (?:listed|given|provided|here"
    r"|above|shown|offered|among them))*"
    r" (?:(?:is|are|can be|could be|seems?|matches|match|fits?|applies|apply|answers?"
    r"|works?|describes?|states?|gives?)\b|(?:that )?(?:is|are) (?:correct|right"
    r"|supported))"
    r"|neither (?:of|option|the|is|are|a\b|1\b)"
    r"|(?:all|each|every one)(?: of)?(?: (?:the|these|them|those))?(?: (?:\d|two|three"
    r"|four|five|above|given|listed))?"
    r"(?: (?:options?|choices?|answers?|statements?))?(?: (?:above|given|listed|provided"
    r"|shown))? (?:is|are) (?:incorrect|wrong|false|not (?:correct|right|supported|true)"
    r"|contradicted|unsupported)"
    r"|no[_ ]answer\Z|n/a\b"
)
_UNSURE = re.compile(
    r"(?:uncertain|unclear|(?:it )?(?:cannot|can't|can not) (?:be )?determined?|unknown)\Z"
)
_RIGHT = (
    r"(?:correct|corect|right|true|valid|supported|accurate|best (?:answer|option|choice|fit)s?"
    r"|(?:best )?(?:answers|fits|matches|describes) the|inferred|holds?|follows?)"
)
_VERDICT = re.compile(
    rf"[\s\"')\]}}]{{0,4}}(?:(?:,|;|:|-|=|→)\s?)?(?P<verb>(?:(?:is|are|was|were|do|does|can"
    rf"|seems?|would be|both|all|would|indeed|clearly|therefore|thus|also"
    r"|definitely|the|only|a|be|which|that) )*)"
    rf"(?P<not>not |isn't |aren't |n't )?(?:the |a |both |all |fully |entirely |clearly "
    rf"|directly |an |only |indeed |one |ones )*"
    rf"(?:(?P<right>{_RIGHT}|[✓☑])|(?P<wrong>incorrect|wrong|false|invalid|unsupported"
    rf"|contradicted|inaccurate|untrue|[✗☐]|no support|not (?:mentioned|stated|supported"
    rf"|correct)))"
    r"(?![\w])"
)


_GOOD = (
    "final|correct|corect|right|best|my|chosen|selected|valid|true|only|remaining|supported"
    "|most (?:likely|appropriate|suitable|accurate|plausible)"
)


@dataclass(frozen=True)
class Choice:
    """A choice among options that carry numbers from `first` on, or letters.

    Values are tuples of positions from 0, sorted; `()` is none of the options. A position out of
    range stays in the tuple, for whoever reports it.
    """

    count: int
    letters: bool = False
    first: int = 1
    texts: Sequence[str] = ()
    single: bool = False
    """Whether exactly one option may be named."""
    spelled: tuple[str, ...] = field(init=False)
    cue = re.compile(
        rf"{SAID}|\b(?:(?:{_GOOD})[ _]){{1,3}}(?:option|choice|statement|letter|number|one"
        rf"|item)(?:s|\(s\))?(?:[ _](?:letter|choice|numbers?)(?:\(s\))?)?"
        r"(?:[ _]?(?:id|index))?[\"'}]{0,2}(?: ?(?::|=|→)| (?:is|are|was|would be|must be"
        r"|should be)\b(?: (?:therefore|thus|clearly|then))?:?)"
        r"|\b(?:the )?(?:statements?|options?|choices?) that (?:is|are) [a-z]{1,14} (?:is"
        r"|are)(?: therefore| thus)?\b"
        r"|\b(?:facts|passage|text|evidence|paragraph) (?:clearly |only "
        r"|directly )?supports?(?: only)?\b"
        r"|(?:\bi\.e\.?,?|\bthis is|\bthat is|\bit's|\bit is|\bso|→) (?=(?:options?"
        r"|statements?|choices?) )"
        r"|\bcorrect ?:|\boption numbers?(?:\(s\))? ?:|正确的?选项 ?(?::|是|为)"
        r"|\bleaves(?: us with| only)?\b|(?:→|∴)"
    )

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "spelled", tuple(plain_spelling(each).strip(" .\n") for each in self.texts)
        )

    def whole(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options alone, with their texts; the text of one option; or none of them."""
        low = window.low
        listed = self._list(window, start, end)
        if listed is not None:
            return listed
        begin = skip(OPENING, low, start, end)
        alone = low[begin:end].strip(" \n.\"')]}:!")
        if _UNSURE.match(alone):
            return Value((), begin, end)
        none = _NONE.match(low, begin, end)
        if none is not None and skip(CLOSING, low, none.end(), end) == end:
            return Value((), begin, none.end())
        for place, text in enumerate(self.spelled):
            if text and alone == text and self.spelled.count(text) == 1:
                return Value((place,), begin, end)
        for found in (self._all(low, begin, end), self._ordinals(low, begin, end)):
            if found is not None and skip(CLOSING, low, found.end, end) == end:
                return found
        found = self._set(window, begin, end)
        if found is None or RETRACTED.search(low, found.end, end):
            return None
        rest = low[found.end : end]
        if skip(CLOSING, low, found.end, end) == end:
            return found
        if self._repeats(window, begin, found.end, end):
            return None
        behind = low[found.end - 1 : found.end + 2]
        single_line = (
            "\n" not in rest.strip() and len(rest) < _OPTION and self.cue.search(rest) is None
        )
        delimited = behind[:1] in ").]:}" or re.match(r"\s?[-:=;,(\"]|\n| \(", rest) is not None
        if (
            delimited
            and not (self.letters and window.plain[found.start : found.end].islower())
            and single_line
            and len(found.said) == 1
            and not self._contradicted(low, found.end, end)
        ):
            return found
        return None

    def item(self, window: Window, start: int, end: int) -> bool:
        """Whether a line is one option with something behind it."""
        begin = _BULLET.match(window.low, start, end)
        found = self._option(window, begin.end() if begin else start, end, None)
        return (
            found is not None
            and (found[2][1] != "" or window.low[found[1] : found[1] + 2] in (": ", " -", " ("))
            and window.low[found[1] : end].strip(" .") != ""
        )

    def _list(self, window: Window, start: int, end: int) -> Value | None:
        """Lines that are an option each: those that are ticked, or all where none is and some
        options are left out."""
        low, listed, ticked, marked = window.low, [], [], False
        styles: dict[int, tuple[str, str]] = {}
        for line in _LINES.finditer(low, start, end):
            mark = _TICK.match(low, line.start(), line.end())
            begin = mark.end() if mark else line.start()
            found = self._option(window, begin, line.end(), None)
            if (
                found is None
                or RETRACTED.search(low, *line.span())
                or found[2] != styles.setdefault(0, found[2])
            ):
                return None
            if line.end() - line.start() > _ITEM or found[2][1] == ":":
                return None
            listed.append(found[0])
            tail = low[line.start() : line.end()].rstrip()[-1:]
            if (mark and mark["tick"]) or tail == "✓":
                ticked.append(found[0])
            marked = marked or bool(mark and (mark["tick"] or mark["cross"])) or tail in ("✓", "✗")
            if _VERDICT_WORD.search(low, found[1], line.end()) and not marked:
                return None
        if len(listed) < 2 or len(set(listed)) < len(listed):
            return None
        if marked:
            return Value(tuple(sorted(ticked)), start, end)
        return Value(tuple(sorted(listed)), start, end) if len(listed) < self.count else None

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """A set of options, or none of them."""
        low = window.low
        none = _NONE.match(low, start, end)
        if none is not None:
            return Value((), start, none.end())
        everything = self._all(low, start, end)
        if everything is not None:
            return everything
        ordinal = self._ordinals(low, start, end)
        if ordinal is not None:
            return ordinal
        found = self._set(window, start, end)
        if found is not None:
            return found
        for place, text in enumerate(self.spelled):
            if (
                text
                and low.startswith(text, start)
                and not low[start + len(text) : start + len(text) + 1].isalnum()
            ):
                return Value((place,), start, start + len(text))
        return None

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """Options, or none of them, before an explanation."""
        low = window.low
        begin = skip(OPENING, low, start, end)
        none = _NONE.match(low, begin, end)
        if none is not None:
            rest = low[
                none.end() : low.find("\n", none.end()) if "\n" in low[none.end() :] else end
            ]
            return (
                None
                if re.search(r"\b(?:but|however|except)\b", rest[:60])
                else Value((), begin, none.end())
            )
        found = (
            self._all(low, begin, end)
            or self._ordinals(low, begin, end)
            or self._set(window, begin, end)
        )
        if found is None:
            return None
        if (
            _NEXT_LISTED.search(low, found.end)
            and len(found.said) < 2
            and low[found.end - 1] in ".):"
        ):
            return None
        if self._repeats(window, begin, found.end, end):
            return None
        behind = re.match(
            r"[)\]}\"'.]{0,3}(?:\s*(?:,|;|\(|-|:)|\.?\s*\n|\. | ?(?:because|since|as)\b)",
            low[found.end : found.end + 20],
        )
        if behind is None and (
            low[found.end - 1] not in ").:" or self._rambles(window, found, end)
        ):
            return None
        return None if self._contradicted(low, found.end, end) else found

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """Options called right, less those called wrong; all called wrong is none."""
        low = window.low
        right: set[int] = set()
        wrong: set[int] = set()
        none: Value | None = None
        last = start
        where = start
        for begin, stop in sentences_of(low, start, end):
            every = _EVERY.search(low, begin, stop)
            everything = self._all(low, every.start(), stop) if every is not None else None
            if (
                everything is not None
                and _RIGHTLY.match(low, everything.end)
                and not _HEDGE.search(low, begin, stop)
            ):
                right.update(everything.said)
                where, last = everything.start, everything.end
                continue
            denied = _NONE.search(low, begin, stop)
            if denied is not None and not _NONE_HEDGE.search(low, begin, denied.start()):
                none = Value((), denied.start(), denied.end())
                continue
            for found, judged in self._judged(window, begin, stop):
                good = (judged["right"] is not None) != (judged["not"] is not None)
                (right if good else wrong).update(found.said)
                where, last = (found.start, found.end) if good else (where, max(last, found.end))
        for line in _LINES.finditer(low, start, end):
            bullet = _BULLET.match(low, line.start(), line.end())
            option = self._option(
                window, bullet.end() if bullet else line.start(), line.end(), None
            )
            if option is None:
                continue
            verdict = _VERDICT.match(low, option[1], line.end())
            if verdict is not None:
                good = (verdict["right"] is not None) != (verdict["not"] is not None)
                (right if good else wrong).add(option[0])
                where = line.start() if good else where
        if right & wrong:
            return [Value(("contradiction",), 0, 1), Value((), 0, 1)]
        values = [Value(tuple(sorted(right)), where, max(last, where + 1))] if right else []
        if none is not None:
            values.append(none)
        elif not right and len(wrong) >= self.count and wrong <= set(range(self.count)):
            values.append(Value((), start, last))
        return values

    def _judged(self, window: Window, begin: int, stop: int) -> list[tuple[Value, re.Match[str]]]:
        """Sets of options in a sentence, each with what is said of it."""
        low, pos, out = window.low, begin, []
        while pos < stop:
            start = _CANDIDATE[self.letters].search(low, pos, stop)
            if start is None:
                break
            found = self._ordinals(low, start.start(), stop) or self._set(
                window, start.start(), stop, sentence=True
            )
            if found is None:
                pos = start.end()
                continue
            verdict = _VERDICT.match(low, found.end, stop)
            if verdict is not None and not _HEDGE.search(low, begin, found.start):
                out.append((found, verdict))
            pos = max(found.end, start.end())
        return out

    def _set(self, window: Window, start: int, end: int, *, sentence: bool = False) -> Value | None:
        """Options one after the other."""
        low = window.low
        first = self._option(window, start, end, None, sentence=sentence)
        if first is None:
            return None
        places, style = [first[0]], first[2]
        stop = first[1]
        through = _THROUGH.match(low, stop)
        if through is not None and style == ("", "") and not self.letters:
            upper = self._option(window, through.end(), end, style)
            if upper is not None and upper[0] > first[0]:
                return Value(tuple(range(first[0], upper[0] + 1)), start, upper[1])
        while True:
            follower = self._follower(window, stop, end, style)
            if follower is None:
                break
            if isinstance(follower, str):  # "or"
                return None
            places.append(follower[0])
            stop = follower[1]
        if self.single and len(set(places)) > 1:
            return None
        return Value(tuple(sorted(set(places))), start, stop)

    def _follower(
        self, window: Window, stop: int, end: int, style: tuple[str, str]
    ) -> tuple[int, int] | str | None:
        """The next option of a set: its position, and where it ends."""
        low = window.low
        either = _OR.match(low, stop, end)
        if either is not None and self._option(window, either.end(), end, None) is not None:
            return "or"
        gloss = _GLOSS.match(low, stop, end)
        for text_end in (stop, gloss and gloss.end(), self._behind_text(low, stop, end, style)):
            if text_end is None:
                continue
            for between in (_AND, _BLANK, _LINE_BREAK):
                if between is _BLANK and (style[1] or self.letters):
                    continue
                match = between.match(low, text_end, end)
                if match is None:
                    continue
                begin = match.end()
                if style == ("", "") and between is not _BLANK:
                    begin = skip(OPENING, low, begin, end)
                found = self._option(
                    window, begin, end, style if between is not _AND or text_end != stop else None
                )
                if found is None:
                    continue
                if between is _LINE_BREAK and not self._list_line(low, found[1], style):
                    continue
                return found[0], found[1]
        return None

    def _list_line(self, low: str, end: int, style: tuple[str, str]) -> bool:
        """Whether a line that begins with an option is an item of a list, and no explanation."""
        line = low[end : (low.find("\n", end) + 1 or len(low) + 1) - 1]
        return not line.strip(" .,;)\"'") or (style[1] != "" and _VERDICT_WORD.search(line) is None)

    def _behind_text(self, low: str, stop: int, end: int, style: tuple[str, str]) -> int | None:
        """Where the text of an option ends that stands behind it in a list."""
        if not style[1] and not low.startswith((" (", " -", ": "), stop):
            return None
        line = low.find("\n", stop, end)
        stretch = low[stop : line if line >= 0 else end]
        for separator in (r"(?:,|;) (?:and )?(?=", r" and (?="):
            again = re.search(
                separator + (re.escape(style[0]) + r"\w{1,2}" + re.escape(style[1])) + ")", stretch
            )
            if again is not None:
                return stop + again.start()
        return line if line >= 0 else None

    def _option(
        self,
        window: Window,
        start: int,
        end: int,
        style: tuple[str, str] | None,
        *,
        sentence: bool = False,
    ) -> tuple[int, int, tuple[str, str]] | None:
        """An option's position, where it ends, and how it is written."""
        low = window.low
        match = (_LETTER if self.letters else _NUMBER).match(low, start, end)
        if match is None:
            return None
        own = (match["open"], match["close"] or "")
        if own[0] == "" and own[1] == "]":
            own = ("", "")
        if own[1] in (".", ":") and not low[match.end() : match.end() + 1].strip() and sentence:
            pass
        if style is not None and (
            style[0] != own[0] or (style[1] != own[1] and {style[1], own[1]} != {"", "."})
        ):
            return None
        if not self.letters:
            return int(match["value"]) - self.first, match.end(), own
        written = window.plain[match.start("value")]
        named = _NAMED.match(low, match.start()) is not None
        if not written.isupper() and not (
            own[1] in (")", "]") or named or match.end() - match.start() == end - start
        ):
            return None
        if (
            written in "AI"
            and not named
            and own == ("", "")
            and re.match(r" [a-z']", window.plain[match.end() : match.end() + 2])
        ):
            return None
        return ord(match["value"]) - ord("a"), match.end(), own

    def _ordinals(self, low: str, start: int, end: int) -> Value | None:
        word = _IN_WORDS.match(low, start, end)
        if word is not None:
            return Value((_WORD_NUMBERS[word[1]] - 1,), word.start(), word.end())
        match = _ORDINAL.match(low, start, end)
        if match is None:
            return None
        words = re.findall(rf"\b(?:{'|'.join(_ORDINALS)}|last)\b", match[0])
        if not re.search(r"option|choice|one|answer", match[0]) and len(words) < 2:
            return None
        places = {self.count - 1 if word == "last" else _ORDINALS.index(word) for word in words}
        return Value(tuple(sorted(places)), match.start(), match.end())

    def _all(self, low: str, start: int, end: int) -> Value | None:
        match = _ALL.match(low, start, end)
        if match is None or match[0].strip() in ("all", "each", "every one"):
            return None
        count = match["count"]
        wanted = None if count is None else _WORD_NUMBERS.get(count) or int(count)
        if wanted not in (None, self.count) or re.match(
            r"\s?(?:is|are) (?:not|in|wrong|false)|\s?(?:but|except)",
            low[match.end() : match.end() + 14],
        ):
            return None
        if (
            re.match(
                r"\s?(?:is|are) (?:correct|right|true)|[\s.\"')]*(?:\n|\Z|[.,;])",
                low[match.end() : match.end() + 16],
            )
            is None
        ):
            return None
        return Value(tuple(range(self.count)), match.start(), match.end())

    def _rambles(self, window: Window, found: Value, end: int) -> bool:
        """Whether what stands behind a delimited option is too long for its text: `(a) We ...`."""
        line = window.low.find("\n", found.end, end)
        small = self.letters and window.plain[found.start : found.end].islower()
        return small or (line if line >= 0 else end) - found.end > _OPTION

    def _repeats(self, window: Window, start: int, stop: int, end: int) -> bool:
        """Whether one option follows the other in the same style, as in `1. 1. 1.`: no answer."""
        first = self._option(window, start, end, None)
        follows = re.match(r"[ .)]{0,3}", window.low[stop : stop + 3])
        begin = stop + (follows.end() if follows else 0)
        second = self._option(window, begin, end, None)
        return first is not None and second is not None and first[2] == second[2] != ("", "")

    def _contradicted(self, low: str, start: int, end: int) -> bool:
        """Whether the words behind an option call it wrong."""
        verdict = _VERDICT.match(low, start, min(end, start + 80))
        if verdict is None or (low[start - 1] in ".)" and not verdict["verb"]):
            return False  # the text of an option may be "False"
        return verdict["wrong"] is not None or verdict["not"] is not None


_LINES = re.compile(r"[^\n]*\S[^\n]*")
_TICK = re.compile(r"\s*[-•·+>]?\s*(?:(?P<tick>\[x\]|[✓☑])|(?P<cross>\[ ?\]|[✗☐]))?\s*")
_LINE_BREAK = re.compile(r"[ .,;]{0,3}\n(?:\s*\n)?\s*(?:[-•·+☑✓]\s*)?")
_NEXT_LISTED = re.compile(r"\n\s*(?:[-•·+]\s*)?[(\[]?(?:\d{1,2}|[a-j])[)\].:] ")
_VERDICT_WORD = re.compile(
    r"\b(?:correct|incorrect|wrong|false|true|not|contradict\w*|supported|because|since)\b|[✓✗]"
)
_GLOSS = re.compile(r" ?(?:\([^()\n]{0,120}\)|\"[^\"\n]{0,120}\")")
_OPTION = 400
"""Characters of an option's text behind its letter."""
_ITEM = 120
"""Characters of a line that is an option with its text, and no explanation."""
_RIGHTLY = re.compile(r"\s?(?:is|are) (?:correct|right|true)")
_EVERY = re.compile(r"\b(?:all|each|every one)\b")
_NONE_HEDGE = re.compile(
    r"\b(?:if|suppose|supposing|assuming|whether|respond with|reply with|answer with"
    r"|questions? with|e\.g|might|may|could|perhaps|possibly|unless|expert|experts"
    r"|consensus|claim\w*)\b"
)
_HEDGE = re.compile(
    r"\b(?:(?:all|every)\b[^,.;]{0,30}\bbut|except|other than|besides|apart from"
    r"|aside from|all but|respond with|reply with|answer with|questions? with|e\.g|if"
    r"|suppose|supposing|assuming|whether|might|may|could|perhaps|possibly|unless|would"
    r"|expert|experts|consensus|claim\w*|nor|not|n't)\b"
)
_CANDIDATE = {
    False: re.compile(
        r"(?<![\w.,])(?:(?:options?|choices?|answers?|statements?"
        r"|number) )?[(\[\"']?\d{1,2}(?![\d%]|[.,]\d)|\b(?:the |both )+(?:first|second"
        r"|third|fourth|fifth|last)\b"
    ),
    True: re.compile(
        r"(?<![\w'])(?:(?:options?|choices?|answers?|statements?"
        r"|letter) )?[(\[\"']?[a-j](?![\w'])|\b(?:the |both )+(?:first|second|third|fourth"
        r"|fifth|last)\b"
    ),
}
