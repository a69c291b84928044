"""Decide what a text says: the last explicit statement of a value that is the model's own.

Explicit statements of the same authority that disagree make the text unparsed, unless the later one
is final or the text's last sentence. What is not the model's own never wins.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from bias_tasks.parsing.failures import breaks_off
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
    r"(?i)(?:^|(?<=[\s.!?,—–-]))(?:wait\b|scratch that|i take (?:that|it) back|i misread"
    r"|i was wrong|correction[:,]|on (?:second thoughts?|reflection)|actually,"
    r"|let me (?:correct|re-?(?:check|consider|think|do)))"
)
_NEXT_TURN = re.compile(
    r"\n\s*(?:#+ *)?(?:Q|Question|User|Human|Problem|Input|Instruction|Claim)\b ?\d* ?:"
    r"|\n\s*Response \d+ ?:|\n[^\n]{3,300}\?\s*\n+\s*Answer\s*:"
)
_CLAUSE = re.compile(r"\w+ \w+ \w+[^:]*,")
_FINAL_LABEL = re.compile(r"\W*final (?:answer|verdict|score|rating|choice)s?\s*:", re.I)
_HOWEVER = re.compile(r"\W*(?:however|but|yet)\b,?\s*", re.I)
_CORRECT = re.compile(r"\b(?:is|are)\s+(?:\w+\s){0,2}(?:correct|right|true)", re.I)


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

    Returns:
        The value and its place, or the reason why there is none.
    """
    turn = _NEXT_TURN.search(plain_text.text, 1)
    if turn is not None and plain_text.text[: turn.start()].strip():
        before = _decide(form, plain_text.until(turn.start()), None, truncated=False)
        least = Level.EXPLICIT if "?" in turn[0] else Level.OWN
        if before.level is not None and before.level <= least:
            return before
    decision = _decide(form, plain_text, prompt if last_resort else None, truncated=truncated)
    if truncated and decision.reason is UnparsedReason.NO_VALUE:
        return decision._replace(reason=UnparsedReason.TRUNCATED)
    return decision


def _find_all(form: Form, plain_text: PlainText) -> tuple[list[Statement], list[Sentence]]:
    """Join the lines of a text, and return its statements and sentences."""
    join_lines(form, plain_text)
    text = plain_text.text
    sentences = split_sentences(form, text)
    if not sentences:
        return [], sentences
    statements = [*find_statements(form, sentences), *find_heads(form, sentences, text)]
    statements += find_judged(form, sentences) if form.several else ()
    if "\n" not in text.strip() and (value := whole(form, text)) is not None:
        statements.append(Statement(sentences[0], Level.WHOLE, value, 0, len(text)))
    return statements, sentences


def _decide(form: Form, plain_text: PlainText, prompt: str | None, *, truncated: bool) -> Decision:
    """Return the decision about a text.

    Args:
        form: The form of its value.
        plain_text: The text.
        prompt: What it states is no last resort; None if there is no last resort.
        truncated: Whether the text ended at a token limit.
    """
    statements, sentences = _find_all(form, plain_text)
    statement: Statement | None = None
    reason: UnparsedReason | None = UnparsedReason.NO_VALUE
    own_statements = _select_own(form, statements)
    if own_statements:
        statement, reason = _last_word(form, own_statements, sentences)
    elif prompt is not None and form.several and sentences:
        statement = find_last_resort(form, sentences)
        suggested = _find_all(form, PlainText(prompt))[0] if statement else ()
        others = {one.value for one in (*statements, *suggested)}
        statement = None if statement and {UNCLEAR, statement.value} & others else statement
    if statement is None:
        return Decision(reason=reason)
    if _can_change(form, sentences, statement, truncated):
        return Decision(reason=UnparsedReason.TRUNCATED)
    words = plain_text.text[statement.start : statement.end]
    value = words.strip(" :\"'*.,;()[]{}<>⟦⟧") or words
    start = statement.start + words.index(value)
    end = start + len(value)
    return Decision(statement.value, statement.level, plain_text.span(start, end))


def _select_own(form: Form, statements: Sequence[Statement]) -> list[Statement]:
    """Return the model's own statements; a marker without a value overrules weak ones before it."""
    unclear = [one for one in statements if one.level == Level.FINAL and one.value is UNCLEAR]
    least = max((one.sentence.number for one in unclear), default=0) if form.several else 0
    return [
        one
        for one in statements
        if one.is_own and (one.sentence.number >= least or one.level <= Level.EXPLICIT)
    ]


def _can_change(
    form: Form, sentences: Sequence[Sentence], statement: Statement, truncated: bool
) -> bool:
    """Return whether a text breaks off where more text could change its value.

    It cannot if the value is in the first sentence and more text follows. A text that breaks off
    within a sentence, without a known reason, keeps what it states outright.
    """
    last = sentences[-1].text.rstrip()
    before = sentences[-2].text.rstrip() if len(sentences) > 1 else ""
    is_open = breaks_off(before, last) and (last.count(" ") > 3 or read(form, last)[0] is None)
    if not (truncated or is_open or last.endswith(",")):
        return False
    if statement.level in (Level.JUDGED, Level.RESORT):
        return True
    is_at_end = statement.end >= sentences[-1].start + len(last.rstrip(" .)"))
    if statement.sentence.number == 0:
        is_unfinished = statement.sentence.is_last and re.search(r"[\w,]$", last) is not None
        return is_at_end if form.several else is_unfinished and statement.level == Level.OWN
    later = sentences[statement.sentence.number + 1 :]
    is_weak = statement.level > Level.EXPLICIT or any(LIST_ITEM.match(one.text) for one in later)
    return truncated or (is_weak and not is_at_end)


def _last_word(
    form: Form, own_statements: Sequence[Statement], sentences: Sequence[Sentence]
) -> tuple[Statement | None, UnparsedReason | None]:
    """Return the last statement of the highest authority, or why it does not count."""
    authority = min(one.level.authority for one in own_statements)
    same = [one for one in own_statements if one.level.authority == authority]
    explicit = [
        one for one in own_statements if one.level <= Level.EXPLICIT and one.value is not UNCLEAR
    ]
    last = max((*same, *explicit), key=lambda one: one.sentence.number)
    retracted = max((one.number for one in sentences if _RETRACTION.search(one.text)), default=-1)
    rivals = [one for one in same if one.value != last.value and one.sentence.number > retracted]
    if last.level == Level.OWN and form.several and last.value is not UNCLEAR:
        if all(_CORRECT.search(one.sentence.text) for one in same):
            parts = {n for one in same if one.value is not UNCLEAR for n in one.value}
            last = last._replace(value=tuple(sorted(parts)))
        elif any(one.sentence.number >= last.sentence.number - 1 for one in rivals):
            return None, UnparsedReason.CONTRADICTION
    elif rivals and not _settles(last, rivals):
        return None, UnparsedReason.CONTRADICTION
    if last.value is UNCLEAR:
        return None, UnparsedReason.NOT_OFFERED
    if _is_contradicted(form, last, own_statements, sentences):
        return None, UnparsedReason.CONTRADICTION
    if retracted > last.sentence.number or (retracted >= 0 and last.level > Level.EXPLICIT):
        return None, UnparsedReason.RETRACTED
    return last, None


def _is_contradicted(
    form: Form, last: Statement, own_statements: Sequence[Statement], sentences: Sequence[Sentence]
) -> bool:
    """Return whether what follows says another value, or that there is none."""
    later = (one for one in own_statements if one.sentence.number > last.sentence.number)
    plain = {one.value for one in later if one.level <= Level.OWN} - {UNCLEAR, last.value}
    if not all(form.several and value and {*value} < {*last.value} for value in plain):
        return True
    for sentence in sentences[last.sentence.number + 1 :] if last.level > Level.EXPLICIT else ():
        turn = _HOWEVER.match(sentence.text)
        other = read(form, sentence.text, turn.end())[0] if turn else None
        if _FINAL_LABEL.match(sentence.text) or other not in (None, UNCLEAR, last.value):
            return True
    return False


def _settles(last: Statement, rivals: Sequence[Statement]) -> bool:
    """Return whether a statement settles a disagreement: it is final, or the text's last clause.

    It does not if a rival is in the same sentence, or behind the same words just before it.
    """
    text = last.sentence.text
    before = text[: last.start - last.sentence.start]
    for rival in rivals:
        words = rival.sentence.text[: rival.start - rival.sentence.start]
        distance = last.sentence.number - rival.sentence.number
        if distance == 0 or (distance <= 2 and words == before != ""):
            return False
    is_last = last.sentence.is_last and last.level > Level.FINAL and not _CLAUSE.search(before)
    return is_last or FINAL.search(text) is not None
