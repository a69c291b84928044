"""From a judge's answer to its outcome, and from outcomes to the rows of the metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, TypeVar

from bias_tasks.complex_eval.metrics.outcome import Judgement
from bias_tasks.complex_eval.prompts.answer_form import SCORE_RANGE, SEVERITY_RANGE
from bias_tasks.complex_eval.reading.score_values import ReportedFlaw
from bias_tasks.complex_eval.reading.scores import (
    ScoreReading,
    read_criterion_scores,
    read_first_error,
    read_flaws,
    read_score,
)
from bias_tasks.family import Answer, Outcome

FULL_SCORE = 100.0
"""What a dimension without a flaw has."""
POINTS_A_SEVERITY = 5.0
"""Points that a flaw costs for each degree of severity."""
SEVERITY_A_TURN = 0.3
"""Severity that is forgiven for each turn of a character: long dialogues hold more flaws."""

T = TypeVar("T")
_OPENING = re.compile(r"[^\w]{0,20}(?:json)?[^\w]{0,20}")
"""What may stand before an answer at the very beginning: marks, or the head of a fence."""


def read_judgement(form: Mapping[str, Any], text: str, *, cut: bool = False) -> ScoreReading[float]:
    """The score that a judge's answer gives, on the scale of its family.

    Basic: the score, 1 to 10. Math: the position of the first wrong step, or -1. Creative
    writing: the mean over the criteria, 1 to 10. Role playing: the mean over the dimensions of
    `deduction_score`, 0 to 100.

    Args:
        form: what `JudgeQuestion.form` says of the answer.
        text: the judge's whole answer.
        cut: whether it ended at a token limit. Such a text may have gone on to something else, so
            that only an answer at its very beginning is read.
    """
    family = form["family"]
    if family == "math":
        located = _uncut(read_first_error(text, form["steps"]), text, cut)
        return _with(located, None if located.value is None else float(located.value))
    if family == "creative_writing":
        scores = _uncut(read_criterion_scores(text, form["criteria"], SCORE_RANGE), text, cut)
        return _with(scores, None if scores.value is None else fmean(scores.value.values()))
    if family == "role_playing":
        flaws = read_reported(form, text, cut=cut)
        return _with(flaws, None if flaws.value is None else _deducted(flaws.value, form))
    return _uncut(read_score(text, SCORE_RANGE), text, cut)


def read_reported(
    form: Mapping[str, Any], text: str, *, cut: bool = False
) -> ScoreReading[tuple[ReportedFlaw, ...]]:
    """The flaws that a judge's answer reports in a dialogue; arguments as `read_judgement`."""
    return _uncut(read_flaws(text, form["criteria"], SEVERITY_RANGE), text, cut)


def deduction_score(severity: float, turns: int) -> float:
    """The score of one dimension: 100 - 5 * (severity - 0.3 * turns), held within 0 to 100.

    CoSER's own formula. Its published evaluations have these scores throughout, where every one of
    the characters' turns, and none of the environment's, is counted.

    Args:
        severity: of all flaws in the dimension together.
        turns: how often a character speaks or acts in the dialogue.
    """
    score = FULL_SCORE - POINTS_A_SEVERITY * (severity - SEVERITY_A_TURN * turns)
    return min(max(score, 0.0), FULL_SCORE)


def outcome_of(facts: Mapping[str, Any], answer: Answer) -> Outcome:
    """What a judge's answer came to: its score, or none where that could not be read.

    One answer may stand for the judgements of several items, since these share the response.
    """
    reading = read_judgement(facts["form"], answer.text, cut=answer.stop == "cut")
    return judged(facts, answer, reading, reading.value, {"judgements": facts["judgements"]})


def judged(
    facts: Mapping[str, Any],
    answer: Answer,
    reading: ScoreReading[Any],
    score: float | None,
    own: Mapping[str, Any],
) -> Outcome:
    """The outcome of a judge's answer that was read as `score`, or not (None)."""
    unread = reading.value is None
    span = None if unread else reading.span
    return Outcome(
        item=facts["item"],
        cluster=facts["cluster"],
        variant=facts["variant"],
        gold=None if facts["gold"] is None else str(facts["gold"]),
        answer=None if span is None else answer.text[slice(*span)],
        score=score,
        why=reading.detail or "",
        reason=answer.reason(reading.reason, unread=unread),
        span=span,
        epoch=answer.epoch,
        own=own,
    )


def judgement_rows(outcomes: Iterable[Outcome]) -> list[Judgement]:
    """The judgements that the answers stand for: every pair that has the judged response.

    Where each dimension has an answer of its own, the score is the mean over them, as it is where
    one answer has all (appendix B.2). A judgement with an unread answer has no score; one that
    lacks an answer, which failed for another reason than the judge's, is left out.

    Raises:
        ValueError: a judgement has more answers than make it up.
    """
    answers: dict[tuple[Any, ...], list[tuple[Mapping[str, Any], float | None]]] = {}
    for outcome in outcomes:
        for fact in outcome.own["judgements"]:
            key = (fact["item"], fact["aux"], fact["response"], outcome.epoch)
            answers.setdefault(key, []).append((fact, outcome.score))
    found = [_whole(parts, epoch=key[-1]) for key, parts in answers.items()]
    return [judgement for judgement in found if judgement is not None]


def _whole(
    answers: Sequence[tuple[Mapping[str, Any], float | None]], epoch: int
) -> Judgement | None:
    """The judgement that answers make up; None where one is missing."""
    facts = dict(answers[0][0])
    parts = facts.pop("parts", 1)
    if len(answers) > parts:
        raise ValueError(
            f"item {facts['item']!r}, {facts['response']!r} under {facts['aux']!r}: "
            f"{len(answers)} answers in epoch {epoch}, where {parts} make up the judgement"
        )
    if len(answers) < parts:
        return None
    scores = [score for _, score in answers if score is not None]
    score = fmean(scores) if len(scores) == len(answers) else None
    return Judgement(**facts, score=score, epoch=epoch)


def _deducted(flaws: tuple[ReportedFlaw, ...], form: Mapping[str, Any]) -> float:
    severities = [
        sum(flaw.severity for flaw in flaws if flaw.dimension == name) for name in form["criteria"]
    ]
    return fmean(deduction_score(severity, form["turns"]) for severity in severities)


def _with(reading: ScoreReading[Any], value: float | None) -> ScoreReading[float]:
    return ScoreReading(value, reading.span, reading.reason, reading.detail)


def _uncut(reading: ScoreReading[T], text: str, cut: bool) -> ScoreReading[T]:
    if not cut or reading.span is None:
        return reading
    start, end = reading.span
    said = text[start:end]
    whole = said[:1] in "{[" or (said[-1:].isdigit() and text[end:].strip() != "")
    if not whole or _OPENING.fullmatch(text[:start]) is None:
        return replace(
            reading,
            value=None,
            span=None,
            reason="invalid_response_format",
            detail="cut at its token limit before a final answer",
        )
    return reading
