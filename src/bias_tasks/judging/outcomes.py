"""From a judge's answer to its outcome, and from scores of single responses to preferences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.contract.family import Answer, Outcome
from bias_tasks.judging.dressings import dressing_of
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import PLAIN

SCALE = (1.0, 10.0)
"""Lowest and highest score of a response."""
SCORE_FORM = AnswerForm("score", scale=SCALE)
VERDICT_FORM = AnswerForm("verdict")
"""What the prompts ask for."""
_OWN = ("way", "shown", "dressed", "response", "right", "human")
"""What of the facts the figures take."""


def outcome_of(facts: Mapping[str, Any], answer: Answer) -> Outcome:
    """What an answer came to: the response preferred, by its number, or a response's score."""
    truncated = answer.stop == "truncated"
    found: str | None
    if "response" in facts:
        parsed = SCORE_FORM.parse(answer.text, truncated=truncated)
        score = parsed.value
        found = None if parsed.span is None else answer.text[slice(*parsed.span)]
    else:
        parsed = VERDICT_FORM.parse(answer.text, truncated=truncated)
        first, second = facts["shown"]
        found = {"A": str(first), "B": str(second), TIE: TIE}.get(parsed.label or "")
        score = rightness(found, facts["gold"])
    return Outcome.of(
        facts,
        answer,
        answer=found,
        score=score,
        parsed=parsed,
        own={name: facts[name] for name in _OWN if name in facts},
    )


def rightness(preferred: str | None, gold: str | None) -> float | None:
    """1 where the better response is preferred, 0.5 for a tie, 0 for the other and for none read;
    None where nobody says which is better."""
    return {gold: 1.0, TIE: 0.5}.get(preferred or "", 0.0) if gold else None


def preferences(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """What the judge prefers, one outcome for each pair, way and epoch.

    Of scores, the response with the higher one; none read where either is not. Under a dressing the
    response without it has its plain score. Items of a single response, and pairs of which an
    answer is missing, are left out.
    """
    found: list[Outcome] = []
    scored: dict[tuple[str, int], list[Outcome]] = {}
    for outcome in outcomes:
        if "response" in outcome.own:
            scored.setdefault((outcome.item, outcome.epoch), []).append(outcome)
        else:
            found.append(outcome)
    return found + [each for scores in scored.values() for each in _joined(scores)]


def _joined(scores: Sequence[Outcome]) -> list[Outcome]:
    """The preferences of one item in one epoch."""
    first = scores[0]
    shown = first.own["shown"]
    if len(shown) < 2:
        return []
    by_way: dict[str, dict[int, float | None]] = {}
    for each in scores:
        way, number = each.own["way"], each.own["response"]
        given = by_way.setdefault(way, {})
        if number in given:
            raise ValueError(
                f"{each.item} has two scores of response {number} under {way} in epoch {each.epoch}"
            )
        given[number] = each.score
    gold = "" if first.own["right"] is None else str(first.own["right"])
    found = []
    for way, given in by_way.items():
        told = {**by_way.get(PLAIN, {}), **given} if dressing_of(way) else given
        if all(number in told for number in shown):
            answer = _higher({number: told[number] for number in shown})
            score = rightness(answer, gold)
            made = replace(first, variant=way, gold=gold, answer=answer, score=score)
            found.append(replace(made, why="", reason=None, span=None))
    return found


def _higher(scores: Mapping[int, float | None]) -> str | None:
    known = {number: score for number, score in scores.items() if score is not None}
    if len(known) < len(scores):
        return None
    best = [number for number, score in known.items() if score == max(known.values())]
    return str(best[0]) if len(best) == 1 else TIE
