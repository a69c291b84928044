"""Grammars of scores: a number on a scale, or one for each of several criteria."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bias_tasks.parsing.grammar import Candidate, Grammar, Match, NotOffered
from bias_tasks.parsing.json_values import find_objects, normalize_name, number_in_field
from bias_tasks.parsing.parsed_answer import Level, ParsedAnswer, UnparsedReason, unparsed

_UNIT = r"(?:\s*(?:points?|stars?|marks?))?"


class ScoreGrammar(Grammar):
    """A number on a scale; what it is out of must be the highest score of the scale."""

    announcements = (
        re.compile(
            r"\b(?:rate|give|award|assign|score)"
            r"(?:\s+(?:it|this|the|response|answer|assistant's|assistant|output))*"
            r"(?:\s+(?:an?|at|as|with))?(?:\s+(?:overall|final))?"
            r"(?:\s+(?:score|rating|grade)\s+of)?(?=\s)|\b(?:score|rating) of(?=\s)",
            re.I,
        ),
    )
    not_meant = re.compile(
        rf"{Grammar.not_meant.pattern}|[^.\n]{{0,60}}[,;]\s*(?:and\s+)?\d[\d./]*\s*(?:\(|(?:for|on)\b)",
        re.I,
    )
    lists_items = False  # the scores of parts are often above or below the total
    _number: ClassVar[re.Pattern[str]] = re.compile(
        r"[(\[]?(?P<value>[+-]?(?:\d{1,4}(?:\.\d{1,15}|,\d{1,2})?|\.\d{1,15}))(?P<half>½)?"
        rf"(?![\w%½]|[.,:]\d)[)\]]?{_UNIT}"
        r"(?:\s*\(?(?:/|out of|of|over)\s*(?P<most>\d+(?:[.,]\d+)?)(?![\w%/])\)?)?"
        rf"{_UNIT}(?!\s*(?:-|–|to|or|and)\s*\d|\s*\(?(?:/|out of|of)\b|\s*/|\s*%)",
        re.I,
    )

    def __init__(self, low: float, high: float) -> None:
        """Build the grammar of a scale from `low` to `high`, both included."""
        self._low, self._high = low, high

    def value_at(self, text: str, at: int) -> Match | None:
        """Return the score that begins at an index."""
        match = self._number.match(text, at)
        if match is None:
            return None
        value = float(match["value"].replace(",", ".")) + (0.5 if match["half"] else 0)
        scale_agrees = not match["most"] or float(match["most"].replace(",", ".")) == self._high
        is_on_scale = scale_agrees and self._low <= value <= self._high
        return Match(value if is_on_scale else NotOffered(), *match.span())

    def match(self, text: str, candidate: Candidate) -> Match | None:
        """Return the score of a candidate; `1. The response ...` is an item of a list."""
        is_item = re.match(r"\W*\d+[.)]\s+\w", text) is not None
        is_part = len(re.findall(rf"/\s?{self._high:g}\b", text)) > 1  # `7/10 for style, 3/10 ...`
        is_head = candidate.level == Level.HEAD
        return None if is_head and (is_item or is_part) else super().match(text, candidate)


# --- Several criteria ----------------------------------------------------------------------------

_SCORE_KEYS = ("score", "rating", "value", "grade")
_MAX_DEPTH = 3
"""Levels of an object in which scores are looked for."""
_CRITERION_LINE = re.compile(
    r"^[ ]*(?:[-•+|]+[ ]*|\d+[.)][ ]*)?(?P<name>[^\s:|=—–][^\n:|=—–]{1,60}?)"
    r"[ ]*(?::|\||=|—|–|\s-\s)(?P<value>[^\n]+)$",
    re.M,
)


def parse_criteria(text: str, criteria: Sequence[str], scale: tuple[float, float]) -> ParsedAnswer:
    """Parse a score for every criterion from fields of an object or lines `name: score`.

    Args:
        text: A normalised text.
        criteria: The names of the criteria; all of them need a score.
        scale: The lowest and the highest score, both included.
    """
    grammar, names = ScoreGrammar(*scale), {normalize_name(name): name for name in criteria}
    pairs = [pair for value in find_objects(text) for pair in _score_fields(value)]
    if not any(normalize_name(key) in names for key, _ in pairs):
        pairs = [(line["name"], line["value"]) for line in _CRITERION_LINE.finditer(text)]
    scores: dict[str, float] = {}
    for key, value in pairs:
        name = names.get(normalize_name(key))
        if name is None:
            continue
        number = number_in_field(value)
        field = f"{number:g}" if number is not None and not isinstance(value, str) else str(value)
        match = grammar.match(field, Candidate(Level.FIELD, 0, 0, 0))
        if match is None:
            continue
        if isinstance(match.value, NotOffered):
            return unparsed(UnparsedReason.NOT_OFFERED, name)
        if scores.setdefault(name, match.value) != match.value:
            return unparsed(UnparsedReason.CONTRADICTION, f"two scores for {name}")
    missing = [name for name in criteria if name not in scores]
    if missing:
        return unparsed(UnparsedReason.NO_VALUE, f"no score for {', '.join(missing)}")
    ordered = {name: scores[name] for name in criteria}
    label = ", ".join(f"{score:g}" for score in ordered.values())
    return ParsedAnswer(label, ordered, level=Level.FIELD, span=(0, len(text)))


def _score_fields(value: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield the fields of an object and of objects in it; an inner `score` is its object's."""
    if depth > _MAX_DEPTH:
        return
    for part in value if isinstance(value, list) else [value]:
        for key, field in part.items() if isinstance(part, Mapping) else ():
            if isinstance(field, Mapping):
                inner = [inner for name, inner in field.items() if name.lower() in _SCORE_KEYS]
                yield from ((key, score) for score in inner)
                yield from _score_fields(field, depth + 1) if not inner else ()
            elif isinstance(field, list):
                yield from _score_fields(field, depth + 1)
            else:
                yield key, field
