"""Where an answer names options: by number or letter, in words (`the second option`), or by text.

Each of these places is written over by a sign as long as it is, before an answer is read. What is
left for the grammar of choices (`choice.py`) are signs, of which those of one kind may make a set:
behind `(D)`, the `a` of "(D) a town" is none, and behind `2. `, the 3 of "2. Paris, 3 km" is none.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from bias_tasks.reading.bounds import Window, plain_spelling
from bias_tasks.reading.engine import PATTERNS, pattern

KINDS = ("bare", "named", "plural", "half", "closed", "text", "told")
"""`2`; `option 2`; `options 2`; `2)`, and `2.` or `2:` where a line begins; `(2)`; `Paris`; `2. Paris`."""
_FIRST, _A_KIND, _FILL = 0xE000, 256, "\uf8ff"
_BEYOND = 2
"""A plain letter or number of two digits that is further behind the last option is no option's."""
_SYMBOLS = {False: pattern("number"), True: pattern("letter")}
_IN_WORDS, _ORDINAL, _MERGED = map(pattern, ("in_words", "number_word", "merged"))
_ORDINALS, _CARDINALS = (re.findall(r"\w+", PATTERNS[each][3:]) for each in ("ordinal", "cardinal"))
_RUN = re.compile(r"(?<![\w'])(?:[A-J]{2,10}|[A-HJ](?: [A-HJ]){1,9})(?![\w.'])")
_A_WORD, _LINE_HEAD, _QUOTED = map(pattern, ("a_word", "line_head", "quoted"))
_ARTICLE = re.compile(r"\A(?:the|an?) (?=\w)")
_EXPLAINED = re.compile(r"[ .)\"']{0,3}(?!(?:and|or|is|are|only|alone)\b)[^\W_]")
_SENTENCE = re.compile(r" (?!(?:and|or)\b)\w")
_CLOSED, _GOES_ON = re.compile(r"\.(?!\.)|:| [-=:] ?(?=\w)"), re.compile(r" [a-z(]")
SIGN = pattern("sign")


def place_of(sign: str) -> int:
    """The position of the option that a sign stands for, from 0; another where none was offered."""
    return (ord(sign[0]) - _FIRST) % _A_KIND - 1


def kind_of(sign: str) -> str:
    """How the option is written that a sign stands for; no kind where there is no sign."""
    kind = (ord(sign[0]) - _FIRST) // _A_KIND
    return KINDS[kind] if 0 <= kind < len(KINDS) else ""


def _sign(kind: str, place: int, length: int) -> str:
    place = place if -1 <= place < _A_KIND - 2 else -1
    return chr(_FIRST + _A_KIND * KINDS.index(kind) + place + 1) + _FILL * (length - 1)


class Options:
    """The options of a choice, which carry numbers from `first` on, or letters."""

    def __init__(self, count: int, letters: bool, first: int, texts: Sequence[str]) -> None:
        self.count, self.letters, self.first = count, letters, first
        spelled = [_ARTICLE.sub("", plain_spelling(each).strip(" .\n\"'$")) for each in texts]
        symbols = {chr(ord("a") + n) if letters else str(first + n) for n in range(count)}
        once = {text for text in {*spelled} - symbols if text and spelled.count(text) == 1}
        self.texts = {text: spelled.index(text) for text in sorted(once, key=len, reverse=True)}

    def signed(self, window: Window) -> Window:
        """The window with a sign wherever an option is named."""
        for text, place in self.texts.items():
            # No pattern finds texts: it would have to be compiled for every item.
            sign = _sign("text", place, len(text))
            window = window.written([(at, sign) for at in _whole_words(window.low, text)])
        window = _rewritten(window, _QUOTED, self._text)
        window = _rewritten(window, _IN_WORDS, self._words)
        if self.letters:
            window = _rewritten(window, _RUN, self._run)
        return self._merged(_rewritten(window, _SYMBOLS[self.letters], self._symbol))

    def _text(self, window: Window, match: re.Match[str]) -> str:
        """A sign for an option's text with its article, and the quotes about it."""
        return _sign("text", place_of(match["sign"]), len(match[0]))

    def _words(self, window: Window, match: re.Match[str]) -> str:
        """Signs for `option two`, `the first and the third option`, `the last two`."""
        if match["many"]:
            many = _CARDINALS.index(match["many"]) + 1
            begin = 0 if match["edge"] == "first" else self.count - many
            signs = "".join(_sign("bare", begin + place, 1) for place in range(many))
            return signs + _FILL * (len(match[0]) - many) if many < self.count else ""

        def sign(word: re.Match[str]) -> str:
            last = self.count - 1 if word["ordinal"] == "last" else -1
            named = word["ordinal"] or word["cardinal"]
            rows = _ORDINALS if word["ordinal"] else _CARDINALS
            return _sign("named", last if last >= 0 else rows.index(named), len(word[0]))

        return _ORDINAL.sub(sign, match[0])

    def _run(self, window: Window, match: re.Match[str]) -> str:
        """Signs for letters in a row, as in `ACD`."""
        run = window.plain[match.start() : match.end()]
        letters = run.replace(" ", "")
        if not all(a < b for a, b in zip(letters, letters[1:], strict=False)):
            return ""
        signs = "".join(_sign("bare", ord(letter) - ord("A"), 1) for letter in letters)
        return signs + _FILL * (len(run) - len(signs))

    def _symbol(self, window: Window, match: re.Match[str]) -> str:
        """A sign for a number or letter, and what belongs to it."""
        low, value, name = window.low, match["value"], match["name"]
        place = ord(value) - ord("a") if self.letters else int(value) - self.first
        begin, end = match.span()
        line = low.rfind("\n", 0, begin) + 1
        head = _LINE_HEAD.fullmatch(low, line, begin)
        kind = "bare"
        open_ended = match["open"] and not match["close"]
        if name is not None and not open_ended:
            kind = "plural" if name.rstrip(" }").endswith("s") else "named"
        elif match["close"] and match["open"]:
            kind = "closed"
        elif match["close"] and low.count("(", line, begin) <= low.count(")", line, begin):
            kind = "half"
        elif head is not None and _CLOSED.match(low, end):
            kind = "half"
        if place < 0 and _GOES_ON.match(low, end):
            return ""  # `0 correct options`
        if kind in ("bare", "half") and (self.letters or len(value) > 1):
            if place > self.count + _BEYOND:
                return ""
        if self.letters and name is None:
            if window.plain[match.start("value")].islower() and _EXPLAINED.match(low, end):
                return ""  # `(a) We begin ...`, `a town`
            if kind == "bare" and _A_WORD.match(window.plain, match.start("value")):
                return ""
        if kind == "bare" and not (match["quote"] or match["tex"]):
            begin, end = match.span("value")  # brackets about several are nobody's
        sign = _sign(kind, place, end - begin)
        return low[match.start() : begin] + sign + low[end : match.end()]

    def _merged(self, window: Window) -> Window:
        """One sign where an option's number and its text stand beside each other."""
        low, pos, signs = window.low, 0, list[tuple[int, str]]()
        while (match := _MERGED.search(low, pos)) is not None:
            one, other = match["one"], match["other"]
            pos = match.start("other")
            kinds = kind_of(one), kind_of(other)
            if kinds.count("text") != 1:
                continue
            place = place_of(one if kinds[0] == "text" else other)
            begins = low.rfind("\n", 0, match.start()) + 1
            head = _LINE_HEAD.fullmatch(low, begins, match.start()) is not None
            sentence = "." in low[match.end("one") : pos] and _SENTENCE.match(low, match.end())
            if (place_of(one) != place_of(other) or sentence) and not (kinds[0] == "half" and head):
                continue  # `All but 3. Paris is ...`
            signs.append((match.start(), _sign("told", place, len(match[0]))))
            pos = match.end()
        return window.written(signs)


def _rewritten(
    window: Window, rows: re.Pattern[str], sign: Callable[[Window, re.Match[str]], str]
) -> Window:
    text = window.plain if rows is _RUN else window.low
    signs = ((match.start(), sign(window, match)) for match in rows.finditer(text))
    return window.written([each for each in signs if each[1]])


def _whole_words(low: str, text: str) -> Iterator[int]:
    """Where a text stands as whole words, from left to right."""
    at = low.find(text)
    while at >= 0:
        before, behind = low[max(0, at - 1) : at], low[at + len(text) : at + len(text) + 1]
        whole = not (before.isalnum() or behind.isalnum() or behind == "_")
        if whole:
            yield at
        at = low.find(text, at + len(text) if whole else at + 1)
