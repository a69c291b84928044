"""Decide what a text says: the first level of authority at which a candidate is a value.

Contradiction at that level or in a plain statement further on makes the text unparsed, and so do a
retraction and, in a text that breaks off, everything that more text could change.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from bias_tasks.parsing.candidates import STATEMENT_ALONE, find_candidates
from bias_tasks.parsing.grammar import LINE_MARKS, Candidate, Grammar, Match, NotOffered
from bias_tasks.parsing.judged_lines import parse_judged_lines
from bias_tasks.parsing.normalized_text import HEAD, NormalizedText
from bias_tasks.parsing.parsed_answer import Level, UnparsedReason

_RETRACTION = re.compile(
    r"(?:^|(?<=[\s.!?,—–-]))(?:wait\b|scratch that|i take (?:that|it) back|i misread|i was wrong"
    r"|correction[:,]|on (?:second thoughts?|reflection)|actually,"
    r"|(?:updated|revised|adjusted|corrected) (?:score|rating|answer|verdict|choice)\b"
    r"|let me (?:correct|re-?(?:check|consider|think|do)))",
    re.I,
)
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_NEXT_ITEM = re.compile(r"\n[ ]*(?:\d{1,3}[.)]|[-•+])[ ]")
# Levels of statements that contradict another value before them.
_STATEMENTS = (
    *(Level.FIELD, Level.MARKER, Level.FINAL_LABEL, Level.LABEL),
    *(Level.FINAL_STATEMENT, Level.STATEMENT),
)


class ParsedCandidate(NamedTuple):
    """A candidate that is a value."""

    candidate: Candidate
    match: Match

    @property
    def value(self) -> Any:
        """The value."""
        return self.match.value

    @property
    def span(self) -> tuple[int, int]:
        """The span of the value in the normalised text, without its explanation."""
        start = self.candidate.start
        return start + self.match.start, start + self.match.end


class Decision(NamedTuple):
    """The value of a text, its level and its span in the visible text, or why it has none."""

    value: Any = None
    level: Level | None = None
    span: tuple[int, int] | None = None
    reason: UnparsedReason | None = None


def parse_value(normalized: NormalizedText, grammar: Grammar, truncated: bool = False) -> Decision:
    """Return the value of a normalised text.

    Args:
        normalized: The text.
        grammar: The form of its value.
        truncated: Whether the text ended at a token limit.
    """
    before_turn = normalized.before_next_turn()
    if before_turn is not None:
        decision = _decide(before_turn, normalized, grammar, False)
        if decision.reason is None:
            return decision
    return _decide(normalized.text, normalized, grammar, truncated or normalized.breaks_off)


def _decide(text: str, normalized: NormalizedText, grammar: Grammar, cut: bool) -> Decision:
    """Return the value by the highest authority in `text`, a beginning of the normalised text."""
    candidates = list(_find_values(text, grammar))
    values = [one for one in candidates if one.match.value is not None]
    unmatched = max(
        (one.candidate.start for one in candidates if one.match.value is None), default=-1
    )
    for level in sorted({one.candidate.level for one in values}):
        same_level = [one for one in values if one.candidate.level == level]
        last = max(same_level, key=lambda one: (one.candidate.start, one.candidate.end))
        reason = _objection(text, grammar, values, same_level, last)
        if reason is None and level > Level.FINAL_LABEL and unmatched > last.candidate.end:
            reason = UnparsedReason.CONTRADICTION  # `Final answer: ...` says something unknown
        if reason is None and isinstance(last.value, NotOffered):
            reason = UnparsedReason.NOT_OFFERED
        is_open = cut or _is_before_open_sentence(text, normalized.open_sentence, last.candidate)
        equal = [one for one in same_level if one.value == last.value]
        if is_open and all(_can_change(text, grammar, one) for one in equal):
            reason = UnparsedReason.TRUNCATED
        if reason is not None:
            return Decision(last.value, level, reason=reason)
        return Decision(last.value, level, normalized.span(*last.span))
    return Decision(reason=UnparsedReason.TRUNCATED if cut else UnparsedReason.NO_VALUE)


def _find_values(text: str, grammar: Grammar) -> Iterator[ParsedCandidate]:
    """Yield the candidates that are a value, and final labels without one (value None)."""
    for candidate in find_candidates(text, grammar):
        own_text, before = text[candidate.start : candidate.end], text[: candidate.start]
        match = grammar.match(own_text, candidate)
        if match is None:
            if candidate.level == Level.FINAL_LABEL and not candidate.block:
                yield ParsedCandidate(candidate, Match(None, 0, 0))
            continue
        is_line = not candidate.block and before.rstrip(" ")[-1:] in ("", "\n")
        if is_line and candidate.level not in (Level.WHOLE, Level.PREDICATE):
            below = text[candidate.end :].lstrip().partition("\n")[0]
            above = before.rstrip().rpartition("\n")[2]
            if grammar.lists_items and grammar.has_rival((above, below), match, own_text):
                continue
        is_meant = not isinstance(match.value, NotOffered) or candidate.level < Level.STATEMENT
        if is_meant and match.strength >= candidate.min_strength:
            yield ParsedCandidate(candidate, match)
    judged = parse_judged_lines(text, grammar)
    if judged is not None:
        start, end = judged.start, judged.end
        candidate = Candidate(Level.JUDGED_LINES, start, end, start, block=True)
        yield ParsedCandidate(candidate, Match(judged.value, 0, end - start))


def _objection(
    text: str,
    grammar: Grammar,
    values: list[ParsedCandidate],
    same_level: list[ParsedCandidate],
    last: ParsedCandidate,
) -> UnparsedReason | None:
    """Return why the last value of a level does not count, or None."""
    candidate = last.candidate
    retractions = [match.start() for match in _RETRACTION.finditer(text)]
    for other in _others(text, values, same_level, last):
        is_retracted = any(other.candidate.end <= at <= candidate.start for at in retractions)
        if other.value != last.value and not is_retracted:
            return UnparsedReason.CONTRADICTION
    is_first = not text[: candidate.start].strip() and bool(text[candidate.end :].strip())
    is_first_line = candidate.level == Level.LINE and is_first and not candidate.block
    has_rival = last.value != () and (candidate.level == Level.HEAD or is_first_line)
    if has_rival and grammar.has_rival(text[:HEAD].split("\n"), last.match):
        return UnparsedReason.CONTRADICTION
    is_retracted = any(at > candidate.start for at in retractions)
    return UnparsedReason.RETRACTED if is_retracted else None


def _others(
    text: str,
    values: list[ParsedCandidate],
    same_level: list[ParsedCandidate],
    last: ParsedCandidate,
) -> Iterator[ParsedCandidate]:
    """Yield what must not say another value: the level's own, and plain statements further on.

    A set of options that are called correct one by one does not contradict itself.
    """
    level = last.candidate.level
    parts = {n for one in same_level if isinstance(one.value, tuple) for n in one.value}
    is_union = level == Level.PREDICATE and last.value == tuple(sorted(parts)) and len(parts) > 1
    if not is_union:
        yield from same_level
    plain = _STATEMENTS if level < Level.FINAL_STATEMENT else (*_STATEMENTS, Level.PREDICATE)
    for other in values:
        is_further = other.candidate.start > last.candidate.end or level == Level.LINE
        if is_further and other.candidate.level in plain and other.candidate.level > level:
            yield other


def _is_before_open_sentence(text: str, open_sentence: int, candidate: Candidate) -> bool:
    """Return whether a last sentence without an end follows, which may change what is before it.

    A statement keeps its value, unless it is an item of a list that continues.
    """
    is_whole = candidate.block or candidate.name == STATEMENT_ALONE
    end = candidate.start if is_whole or candidate.level == Level.HEAD else candidate.end
    is_statement = candidate.level in _STATEMENTS and not candidate.block
    is_kept = is_statement and _NEXT_ITEM.search(text, candidate.end) is None
    return end <= open_sentence < len(text) and not is_kept


def _can_change(text: str, grammar: Grammar, parsed: ParsedCandidate) -> bool:
    """Return whether more text could change a value.

    It cannot if the value is in the first sentence and more text follows.
    """
    before = text[: parsed.candidate.origin].lstrip(LINE_MARKS)
    if parsed.candidate.name == STATEMENT_ALONE or _SENTENCE_END.search(before):
        return True
    is_predicate = parsed.candidate.level == Level.PREDICATE
    end = parsed.candidate.end + len(parsed.candidate.name) if is_predicate else parsed.span[1]
    is_last = not text[end:].strip("" if is_predicate else LINE_MARKS + ")")
    return (grammar.extendable or is_predicate) and is_last
