"""Decide what a text says: the last explicit statement of a value that is the model's own.

Explicit statements of the same authority that disagree make the text unparsed, unless the later one
is final or the text's last sentence. What is not the model's own never wins.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from bias_tasks.parsing.parsed_answer import Level, UnparsedReason
from bias_tasks.parsing.plain_text import PlainText
from bias_tasks.parsing.sentences import LIST_ITEM, Sentence, join_lines, split_sentences
from bias_tasks.parsing.statements import (
    FINAL,
    Statement,
    find_heads,
    find_judged,
    find_last_resort,
    find_statements,
)
from bias_tasks.parsing.values import UNCLEAR, Form, read, whole

_RETRACTION = re.compile(
    r"(?:^|(?<=[\s.!?,—–-]))(?:wait\b|scratch that|i take (?:that|it) back|i misread|i was wrong"
    r"|correction[:,]|on (?:second thoughts?|reflection)|actually,"
    r"|let me (?:correct|re-?(?:check|consider|think|do)))",
    re.I,
)
_NEXT_TURN = re.compile(
    r"\n\s*(?:#+ *)?(?:Q|Question|User|Human|Problem|Input|Instruction|Claim)\b ?\d* ?:|\n\s*Response \d+ ?:"
    r"|\n[^\n]{3,300}\?\s*\n+\s*Answer\s*:"
)
_CLAUSE = re.compile(r"\w+ \w+ \w+[^:]*,")
_FINAL_LABEL = re.compile(r"\W*final (?:answer|verdict|score|rating|choice)s?\s*:", re.I)
_CORRECT = re.compile(r"\b(?:is|are)\s+(?:\w+\s){0,2}(?:correct|right|true)", re.I)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")


class Decision(NamedTuple):
    """The value of a text, its level and its span in the visible text, or why it has none."""

    value: Any = None
    level: Level | None = None
    span: tuple[int, int] | None = None
    reason: UnparsedReason | None = None


def parse_value(
    form: Form, plain_text: PlainText, *, prompt: str, truncated: bool, last_resort: bool
) -> Decision:
    """Return the value of a text.

    Args:
        form: The form of its value.
        plain_text: The text, which is changed.
        prompt: The prompt, if known; what it suggests needs an own statement.
        truncated: Whether the text ended at a token limit.
        last_resort: Whether the one option that the last sentence names counts.
    """
    suggested = _suggested(form, prompt) if last_resort and prompt else frozenset()
    turn = _NEXT_TURN.search(plain_text.text, 1)
    if turn is not None and plain_text.text[: turn.start()].strip():
        before = _decide(form, plain_text.until(turn.start()), None, False)
        if before.level is not None and before.level <= Level.EXPLICIT:
            return before
    decision = _decide(form, plain_text, suggested if last_resort else None, truncated)
    if truncated and decision.reason is UnparsedReason.NO_VALUE:
        return decision._replace(reason=UnparsedReason.TRUNCATED)
    return decision


def _suggested(form: Form, prompt: str) -> frozenset[Any]:
    """Return the values that a prompt states."""
    plain_text = PlainText(prompt)
    join_lines(form, plain_text)
    sentences = split_sentences(form, plain_text.text)
    return frozenset(one.value for one in find_statements(form, sentences))


def _decide(
    form: Form, plain_text: PlainText, suggested: frozenset[Any] | None, truncated: bool
) -> Decision:
    """Return the decision about a text.

    Args:
        form: The form of its value.
        plain_text: The text.
        suggested: Values that are no last resort; None if there is no last resort.
        truncated: Whether the text ended at a token limit.
    """
    join_lines(form, plain_text)
    text = plain_text.text
    sentences = split_sentences(form, text)
    if not sentences:
        return Decision(reason=UnparsedReason.NO_VALUE)
    told = find_statements(form, sentences)
    told += find_heads(form, sentences, text)
    told += find_judged(form, sentences) if form.several else ()
    value = whole(form, text)
    if value is not None and "\n" not in text.strip():
        told.append(Statement(sentences[0], Level.WHOLE, value, 0, len(text)))
    own = _own(form, told)
    retracted = max((one.number for one in sentences if _RETRACTION.search(one.text)), default=-1)
    reason: UnparsedReason | None = UnparsedReason.NO_VALUE
    statement = None
    if own:
        open_ends = [one for one in sentences if _FINAL_LABEL.match(one.text)]
        statement, reason = _last_word(form, own, retracted, open_ends)
    elif suggested is not None and form.several:
        if all(one.value is not UNCLEAR for one in told):
            statement = find_last_resort(form, sentences)
            suggested |= {one.value for one in told}
    if statement is None or statement.value in (suggested or ()) and not own:
        return Decision(reason=reason)
    if (truncated or _breaks_off(form, sentences)) and _can_change(
        form, sentences, statement, truncated
    ):
        return Decision(reason=UnparsedReason.TRUNCATED)
    words = text[statement.start : statement.end]
    start = statement.start + len(words) - len(words.lstrip(" :\"'*"))
    end = max(start + 1, statement.start + len(words.rstrip(" :\"'*.,;")))
    return Decision(statement.value, statement.level, plain_text.span(start, end))


def _breaks_off(form: Form, sentences: Sequence[Sentence]) -> bool:
    """Return whether a text visibly ends before it is finished: within a sentence, or at a label."""
    last = sentences[-1].text.rstrip()
    before = sentences[-2].text.rstrip() if len(sentences) > 1 else ""
    is_open = re.search(r"[\w,(-]$", last) and (last.count(" ") > 3 or read(form, last)[0] is None)
    return bool(is_open and before[-1:] in (*".!?:",)) or last.endswith(",")


def _can_change(
    form: Form, sentences: Sequence[Sentence], statement: Statement, truncated: bool
) -> bool:
    """Return whether more text could change a value.

    It cannot if the value is in the first sentence and more text follows. A text that breaks off
    without a known reason keeps what it states outright.
    """
    if statement.level in (Level.JUDGED, Level.RESORT):
        return True
    last = sentences[-1]
    is_at_end = statement.end >= last.start + len(last.text.rstrip(" .)"))
    if statement.sentence.number == 0:
        return (form.several or statement.level == Level.OWN) and is_at_end
    if not truncated and is_at_end:
        return False
    later = sentences[statement.sentence.number + 1 :]
    is_item = any(one.begins_line and LIST_ITEM.match(one.text) for one in later)
    return truncated or statement.level > Level.EXPLICIT or is_item


def _own(form: Form, told: Sequence[Statement]) -> list[Statement]:
    """Return the model's own statements; a marker without a value overrules weak ones before it."""
    markers = [one for one in told if one.level == Level.FINAL and not one.is_own]
    unclear = max((one.sentence.number for one in markers if one.value is UNCLEAR), default=-1)
    return [
        one
        for one in told
        if one.is_own
        and (not form.several or one.sentence.number >= unclear or one.level <= Level.EXPLICIT)
    ]


def _last_word(
    form: Form, own: Sequence[Statement], retracted: int, open_ends: Sequence[Sentence]
) -> tuple[Statement | None, UnparsedReason | None]:
    """Return the last statement of the highest authority, unless others contradict it."""
    authority = min(one.level.authority for one in own)
    same = [one for one in own if one.level.authority == authority]
    last = max(same, key=lambda one: one.sentence.number)
    after = [
        one
        for one in own
        if one.level <= Level.OWN
        and one.sentence.number > last.sentence.number
        and one.value not in (last.value, UNCLEAR)
    ]
    later = [one for one in after if one.level <= Level.EXPLICIT]
    if later:
        last = max(later, key=lambda one: one.sentence.number)
    elif any(not _is_part(form, one.value, last.value) for one in after):
        return None, UnparsedReason.CONTRADICTION
    rivals = [one for one in same if one.value != last.value and one.sentence.number > retracted]
    if last.level == Level.OWN and form.several and rivals and last.value is not UNCLEAR:
        if all(_CORRECT.search(one.sentence.text) for one in same):
            parts = {n for one in same if one.value is not UNCLEAR for n in one.value}
            last, rivals = last._replace(value=tuple(sorted(parts))), []
        rivals = [one for one in rivals if one.sentence.number >= last.sentence.number - 1]
    elif any(_stands_beside(one, last) for one in rivals):
        return None, UnparsedReason.CONTRADICTION
    elif rivals and not _settles(last):
        return None, UnparsedReason.CONTRADICTION
    if last.value is UNCLEAR:
        return None, UnparsedReason.NOT_OFFERED
    if last.level > Level.EXPLICIT and any(one.number > last.sentence.number for one in open_ends):
        return None, UnparsedReason.CONTRADICTION
    if retracted > last.sentence.number or (retracted >= 0 and last.level > Level.EXPLICIT):
        return None, UnparsedReason.RETRACTED
    return last, None


def _is_part(form: Form, value: Any, of: Any) -> bool:
    """Return whether a set is a part of another, whose options an explanation goes through."""
    return form.several and of is not UNCLEAR and bool(value) and {*value} < {*of}


def _stands_beside(other: Statement, last: Statement) -> bool:
    """Return whether two statements share a sentence, or two lines with the same words."""
    words = [one.sentence.text[: one.start - one.sentence.start] for one in (other, last)]
    distance = last.sentence.number - other.sentence.number
    return distance == 0 or (distance == 1 and words[0] == words[1] != "")


def _settles(last: Statement) -> bool:
    """Return whether a statement settles a disagreement: it is final, or the text's last clause."""
    text = last.sentence.text
    before = text[: last.start - last.sentence.start]
    is_last = last.sentence.is_last and last.level > Level.FINAL and not _CLAUSE.search(before)
    return is_last or FINAL.search(text) is not None
