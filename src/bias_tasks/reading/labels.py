"""Answers that are one of a few labels: True, False or Unknown; Yes or No; A, B or a tie.

A label is a table row: how it is written where an answer is expected, and how a sentence says it.
"""

import re
from collections.abc import Mapping, Sequence

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.choice import Choice
from bias_tasks.reading.engine import SENTENCES, Form, stands
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.types import TIE, Value


class Labels(Form):
    """A form whose values are labels. By label, `rows` names the patterns that say how it is
    written where an answer is expected (`<name>_alone`) and how a sentence says it
    (`<name>_sentence`), `ended` that of what follows a label that opens a text, and `cue` that of
    words that announce one; a sentence is read in so many characters at both `edges` of a text."""

    opens = re.compile(
        rf"(?:{patterns.rows['opening']}[✗☐]?){{0,3}}(?:\[ ?x ?\])?{patterns.rows['opening']}"
    )

    def __init__(
        self,
        rows: Mapping[str, str],
        *,
        edges: int = 10_000_000,
        ended: str = "label_ended",
        cue: str = "label_cue",
    ) -> None:
        self.written = {label: getattr(patterns, f"{row}_alone") for label, row in rows.items()}
        said = (f"(?P<{label}>{patterns.rows[f'{row}_sentence']})" for label, row in rows.items())
        self.sentence = re.compile("|".join(said))
        self.edges, self.ended, self.cue = edges, getattr(patterns, ended), getattr(patterns, cue)

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The label that a stretch begins with."""
        for label, written in self.written.items():
            match = written.match(window.low, start, end)
            if match is not None:
                return Value(label, *match.span())
        return None

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """A label alone, or with a gloss in brackets."""
        found = self.at(window, skip(self.opens, window.low, start, end), end)
        if found is None:
            return None
        behind = skip(patterns.label_gloss, window.low, found.end, end)
        return found if skip(patterns.closing, window.low, behind, end) == end else None

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The label that a text begins with, unless another follows at once."""
        found = super().opening(window, start, end)
        if found is None:
            return None
        other = self.at(window, skip(self.opens, window.low, found.end, end), end)
        return found if other is None or other.said == found.said else None

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """The labels that sentences say."""
        low, values = window.low, []
        for each in SENTENCES.finditer(low, start, end):
            for match in self.sentence.finditer(low, *each.span()):
                value = Value(match.lastgroup, *match.span())
                clause = max(each.start(), low.rfind(",", each.start(), match.start()) + 1)
                inner = match.start() > self.edges and len(low) - match.end() > self.edges
                if not inner and stands(low, clause, value):
                    values.append(value)
        return values


YES_NO = Labels({"Yes": "yes", "No": "no"}, edges=300, ended="yes_no_ended", cue="yes_no_cue")
"""Yes or No."""
VERDICT = Labels({TIE: "tie", "A": "a", "B": "b"}, ended="verdict_ended")
"""Which of two responses is better: A, B, or a tie."""
_WORDS = Labels({"Unknown": "unknown", "False": "false", "True": "true"})


class Judging(Form):
    """True (proved), False (disproved) or Unknown, by word or by the number it is offered under.

    A value is a label, or the position of a number that was not offered.
    """

    cue = patterns.judging_cue

    def __init__(self, offered: Sequence[str] = ("True", "False", "Unknown")) -> None:
        self.offered = tuple(offered)
        self.numbers = Choice(len(self.offered), letters=False, first=1, texts=())

    def prepared(self, window: Window) -> Window:
        """The window with signs for numbers."""
        return self.numbers.prepared(window)

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The label or number that a stretch begins with."""
        return self._either(window, "at", start, end)

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """A label or a number alone."""
        return self._either(window, "alone", start, end)

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The label or number that a text begins with."""
        return self._either(window, "opening", start, end)

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """What sentences call right."""
        return _WORDS.sentences(window, start, end)

    def _either(self, window: Window, layer: str, start: int, end: int) -> Value | None:
        number: Value | None = getattr(self.numbers, layer)(window, start, end)
        found = None if number is None else self._label(number)
        if found is None:
            word: Value | None = getattr(_WORDS, layer)(window, start, end)
            return word
        # A number with another label behind it is neither.
        begin = skip(patterns.label_between, window.low, found.end, end)
        named = _WORDS.at(window, begin, end) if begin > found.end else None
        contradicts = named is not None and named.said != found.said
        return None if contradicts and found.said in _WORDS.written else found

    def _label(self, value: Value) -> Value | None:
        if len(value.said) != 1:
            return None
        (place,) = value.said
        inside = isinstance(place, int) and 0 <= place < len(self.offered)
        return value._replace(said=self.offered[place] if inside else place)
