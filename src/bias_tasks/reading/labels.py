"""Answers that are one of a few labels: True, False or Unknown; Yes or No; A, B or a tie.

A label is a table row: how it is written where an answer is expected, and how a sentence says it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.choice import Choice
from bias_tasks.reading.engine import CLOSING, OPENING, SAID, Value, sentences_of, stands

_CUE = (
    rf"{SAID}|\b(?:(?:final|correct|right|my|the|best|overall) )?(?:winner"
    rf"|preferred(?:[ _](?:response|answer|output))?|better(?:[ _](?:response|answer|output|one))?"
    r"|best[ _](?:response|answer|output|one)|choice|classification|category"
    r"|option)[\"'}$]{0,2}(?: ?(?::|=|→)| (?:is|would be|must be|should be)\b:?(?: that)?)"
    r"|\b(?:answers the question|consensus leans towards) ?:?|\bhence ?:"
)


@dataclass(frozen=True)
class Labels:
    """A form whose values are labels."""

    written: Mapping[str, re.Pattern[str]]
    """Of each label, how it is written where an answer is expected, in lower case."""
    sentence: re.Pattern[str] | None = None
    """What says a label in a sentence: one named group a label, which stands for it as `by_group`
    says."""
    by_group: Mapping[str, str] | None = None
    edges: int = 10_000_000
    """Characters at both ends of a text in which a sentence may say a label."""
    begins: re.Pattern[str] = re.compile(r"(?=\s*[✓✗]?\s*(?:[.;:!<)\]\"'\n-]|\Z))")
    """What must follow a label that opens a text."""
    cue: re.Pattern[str] = re.compile(_CUE)

    def whole(self, window: Window, start: int, end: int) -> Value | None:
        """A label alone."""
        begin = skip(_MARKS, window.low, start, end)
        found = self._label(window.low, begin, end)
        if found is None:
            return None
        behind = skip(_GLOSSED, window.low, found.end, end)
        return found if skip(CLOSING, window.low, behind, end) == end else None

    def item(self, window: Window, start: int, end: int) -> bool:
        """Lists are of no use here."""
        return False

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The label that a stretch begins with."""
        return self._label(window.low, start, end)

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The label that a text begins with."""
        begin = skip(_MARKS, window.low, start, end)
        found = self._label(window.low, begin, end)
        other = (
            None
            if found is None
            else self._label(window.low, skip(_MARKS, window.low, found.end, end), end)
        )
        if found is None or (other is not None and other.said != found.said):
            return None
        if self.begins.match(window.low, found.end) is None:
            return None
        return found if stands(window.low, begin, found) else None

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """The labels that sentences say."""
        if self.sentence is None:
            return []
        values = []
        for begin, stop in sentences_of(window.low, start, end):
            for match in self.sentence.finditer(window.low, begin, stop):
                label = (self.by_group or {})[match.lastgroup or ""]
                value = Value(label, match.start(), match.end())
                clause = max(begin, window.low.rfind(",", begin, match.start()) + 1)
                inner = match.start() > self.edges and len(window.low) - match.end() > self.edges
                if not inner and stands(window.low, clause, value):
                    values.append(value)
        return values

    def _label(self, low: str, start: int, end: int) -> Value | None:
        for label, pattern in self.written.items():
            match = pattern.match(low, start, end)
            if match is not None:
                return Value(label, match.start(), match.end())
        return None


def _compiled(written: Mapping[str, str]) -> Mapping[str, re.Pattern[str]]:
    return {label: re.compile(pattern) for label, pattern in written.items()}


_MARKS = re.compile(rf"(?:{OPENING.pattern}[✗☐]?){{0,3}}(?:\[ ?x ?\])?{OPENING.pattern}")


_COURTESY = (
    r"(?!,? (?:i understand|understood|of course|you(?:'re| are) (?:absolutely )?(?:right|correct)"
    r"|i'd be happy|i can help|i(?:'m| am) ready))"
)
"""What is said to the asker, and answers nothing."""
YES_NO = Labels(
    written=_compiled(
        {
            "Yes": r"(?:yes|yeah|yep|yup)\b(?! ?(?:/|or|and) ?no\b)(?![:=] )"
            rf"{_COURTESY}",
            "No": (
                r"(?:no|nope|nah)\b(?!\.? ?\d| (?:one|evidence|mention|information|correct|such"
                r"|longer|matter|more|less|way|doubt|idea|need|clear|other|single|answer|specific"
                r"|direct|known|explicit|two|of)\b)(?! ?(?:/|or|and) ?yes\b)"
            ),
        }
    ),
    sentence=re.compile(
        r"(?:^|(?<=[.!?\n]\s)|(?<=\n)|\b(?:so|thus|therefore|hence|in (?:conclusion|short"
        r"|summary)|overall|then|well|hmm|absolutely|definitely|technically|most likely"
        r"|probably"
        r"|based on the (?:passage|context|text)))(?:,|;|:)?\s?"
        r"(?:(?:in short|my answer is|i(?: would|'d)? (?:say"
        r"|answer)):? )?[\"'\[]?(?:(?P<yes>yes" + _COURTESY + r")|(?P<no>no))\b(?! (?:or"
        r"|and) )(?=[\"'\]]?\s*(?:[,.;:!)]|\n|\Z))"
    ),
    by_group={"yes": "Yes", "no": "No"},
    edges=300,
    cue=re.compile(rf"{_CUE}|\[(?=(?:yes|no)\])"),
    begins=re.compile(
        r"(?=\s*[✓✗]?\s*(?:[,.;:!<)(\]\"'\n-]|\Z"
        r"| (?:it|they|he|she|that|this|there|the|both|i|we|you|because|since|as)\b))"
    ),
)
"""Yes or No."""


_SUBJECT = (
    r"(?:statement|claim|conclusion|hypothesis|question|proposition|assertion|sentence|it|this"
    r"|that)(?: (?:above|given|provided|in question|made|itself))?"
)
_BE = (
    r"(?: (?:is|must be|has been|can be|was|are|be|being|remains|holds|as"
    r"|to be))?(?: (?:therefore|thus|clearly|logically|indeed|definitely|hence|also|considered"
    r"|classified as|labell?ed|marked as|necessarily|both))*"
)


_UNKNOWN = (
    r"(?:unknown|unkown|uncertain|undetermined|undecided|inconclusive|indeterminate"
    r"|(?:not (?:enough|sufficient)|insufficient)(?: (?:information|evidence|info))?"
    r"|(?:can ?not|can't|cannot) (?:be )?(?:determined?|decided?|tell|told"
    r"|(?:either )?(?:proven|proved) (?:or|nor) (?:disproven|disproved))"
    r"|(?:can )?neither (?:be )?(?:proven|proved|true) nor)"
)
_FALSE = r"(?:disproven|disproved|false|refuted|(?:can be )(?:disproved|disproven|refuted))"
_TRUE = r"(?:proven|proved|true|(?:can be )(?:proved|proven))"
_GLOSS = (
    r"(?:the )?(?:statement |question "
    r"|claim )?(?:is )?(?:there is clear evidence (?:that )?(?:the )?(?:statement "
    r"|question )?)?"
)
_WORDS = {"Unknown": _UNKNOWN, "False": _FALSE, "True": _TRUE}


def _only(label: str) -> str:
    others = "|".join(pattern for name, pattern in _WORDS.items() if name != label)
    return rf"{_GLOSS}{_WORDS[label]}\b(?!\s?(?:/|or|and|,) ?(?:{others}))"


_JUDGED = Labels(
    written={label: re.compile(_only(label)) for label in _WORDS},
    sentence=re.compile(
        rf"\b{_SUBJECT}{_BE} +(?:(?P<unknown>{_UNKNOWN})|(?P<false>{_FALSE}|incorrect"
        rf"|not (?:true|correct))|(?P<true>{_TRUE}))\b"
        r"|\b(?P<unknown2>(?:facts|evidence|information|premises)(?: provided"
        r"| given)? (?:is|are) (?:insufficient|not sufficient|inconclusive|not enough)"
        r"|(?:is|are)(?:n't| not) enough (?:information|evidence|facts)"
        r"|there's not enough (?:information|evidence)|can(?:'t|not) tell|(?:can"
        r"|could) (?:neither|not) be (?:proven|proved) (?:n?or) (?:disproven|disproved)"
        r"|neither (?:be )?(?:proven|proved) nor (?:disproven|disproved))"
        r"|\b(?P<false2>facts (?:clearly |directly )?contradict (?:the "
        r"|this )?(?:statement|question|claim))"
    ),
    by_group={
        "unknown": "Unknown",
        "unknown2": "Unknown",
        "false": "False",
        "false2": "False",
        "true": "True",
    },
)


class Judging:
    """True (proved), False (disproved) or Unknown, by word or by the number it is offered under.

    A value is a label, or a number that was not offered.
    """

    def __init__(self, offered: Sequence[str] = ("True", "False", "Unknown")) -> None:
        self.offered = tuple(offered)
        self.numbers = Choice(len(self.offered), single=True)
        self.cue = re.compile(rf"{self.numbers.cue.pattern}|{_CUE}")

    def whole(self, window: Window, start: int, end: int) -> Value | None:
        """A label or a number alone."""
        return self._either(window, "whole", start, end)

    def item(self, window: Window, start: int, end: int) -> bool:
        """Whether a line is a number with something behind it that is no label."""
        return self.numbers.item(window, start, end)

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The label or number that a stretch begins with."""
        return self._either(window, "at", start, end)

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The label or number that a text begins with."""
        return self._either(window, "opening", start, end)

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """What sentences call right."""
        said = [self._label(value) for value in self.numbers.sentences(window, start, end)]
        return [value for value in said if value is not None] + _JUDGED.sentences(
            window, start, end
        )

    def _either(self, window: Window, layer: str, start: int, end: int) -> Value | None:
        number = getattr(self.numbers, layer)(window, start, end)
        found = None if number is None else self._label(number)
        if found is None:
            return getattr(_JUDGED, layer)(window, start, end)  # type: ignore[no-any-return]
        begin = skip(_BETWEEN, window.low, found.end, end)
        named = _JUDGED.at(window, begin, end)
        contradicts = named is not None and begin > found.end and named.said != found.said
        return None if contradicts and found.said in _WORDS else found

    def _label(self, value: Value) -> Value | None:
        if len(value.said) != 1:
            return None
        place = value.said[0]
        inside = isinstance(place, int) and 0 <= place < len(self.offered)
        return value._replace(said=self.offered[place] if inside else place)


_GLOSSED = re.compile(r"\s?\([^()\n]{0,120}\)")
_BETWEEN = re.compile(r"[ .:;)(,\"'=\[\]-]{1,8}")


_SIDE = r"(?:(?:the )?(?:response|answer|assistant|output|model|option|solution|candidate|ai) ?)?"
_ON = r"(?![\w'])(?! (?!because|since|as|is|was|provides|gives|wins|and|over)[a-z])"
_A, _B = rf"[(\[]?a[)\]]?{_ON}", r"[(\[]?b[)\]]?(?![\w'])"
_FIRST, _SECOND = r"(?:first|former)\b", r"(?:second|latter)\b"
_TIE = (
    r"(?:a )?(?:tie|draw)\b|tied\b|equal(?:ly (?:good|bad))?\b|both (?:are )?(?:equally|equal)"
    r"|c\b(?=\s*\]\])|a ?={1,2} ?b\b"
)
TIE = "tie"
VERDICT = Labels(
    written=_compiled(
        {
            TIE: _TIE,
            "A": (
                rf"(?:{_SIDE}{_A}(?: ?(?:>{{1,2}}) ?{_SIDE}{_B})?(?! ?(?:<(?!/)|=|/|or\b|and\b|vs))"
                rf"|{_SIDE}{_B} ?<{{1,2}} ?{_A}|(?:the )?{_FIRST}(?: (?:one|response|answer"
                rf"|output))?)"
            ),
            "B": (
                rf"(?:{_SIDE}{_B}(?: ?(?:>{{1,2}}) ?{_SIDE}{_A})?(?! ?(?:<(?!/)|=|/|or\b|and\b|vs))"
                rf"|{_SIDE}{_A} ?<{{1,2}} ?{_B}|(?:the )?{_SECOND}(?: (?:one|response|answer"
                rf"|output))?)"
            ),
        }
    ),
    sentence=re.compile(
        rf"(?:\b(?:response|answer|assistant|output|model|option|solution) ?(?:(?P<a>{_A})"
        rf"|(?P<b>{_B})),?(?:'s (?:response|answer|output))?(?: (?:is|was|provides|gives"
        rf"|offers|does|has|wins|provided))(?: (?:clearly|the|a|an|slightly|much|overall"
        rf"|therefore|thus|far|more|significantly|considered|marginally))*"
        rf" ?(?:better|superior|best|preferable|winner|stronger|wins?)\b)"
        rf"|\bi (?:prefer|choose|pick|favou?r) (?:the )?(?:response|answer|assistant"
        rf"|output) ?(?:(?P<a2>{_A})|(?P<b2>{_B}))"
        rf"|\b(?:(?P<a3>assistant {_A}|response {_A})|(?P<b3>assistant {_B}|response {_B})) wins\b"
        rf"|\b(?:(?P<a4>a)|(?P<b4>b)) is (?:clearly |much |slightly "
        rf"|far )?better than (?:\w{{1,10}} )?[ab]\b"
        rf"|\bthe (?:(?P<a5>first)|(?P<b5>second)) (?:response|answer|output|one|assistant) is"
        rf" (?:clearly |much |slightly |far |the )?better\b"
        rf"|\bi (?:prefer|choose) (?:(?P<a6>a)|(?P<b6>b))(?=\W*(?:\n|\Z))"
        rf"|\b(?P<tie>(?:it is|it's|this is|the result is|they are|both (?:responses"
        rf"|answers|outputs) are) (?:a (?:tie|draw)|tied|equally good|equal))\b"
    ),
    begins=re.compile(
        r"(?=\s*(?:[.:]?\s*\n|\.?\s*\Z|[.,;:-]{1,2} (?:because|since|as|it|the|both)\b|[.:] ))"
    ),
    by_group={"a": "A", "b": "B", "a2": "A", "b2": "B", "a3": "A", "b3": "B", "tie": "tie"}
    | {f"{side}{number}": side.upper() for side in "ab" for number in "456"},
)
"""Which of two responses is better: A, B, or a tie."""
