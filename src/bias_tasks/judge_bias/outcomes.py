"""Scores a judge's answers, and turns scores of single responses into preferences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.judge_bias.cosmetic_edits import find_cosmetic_edit
from bias_tasks.judge_bias.items import JudgeBiasData, JudgeBiasExtra, remove_role
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import BASELINE

SCALE = (1.0, 10.0)
"""Lowest and highest score of a response."""
SCORE_FORM = AnswerForm("score", scale=SCALE)
"""What the prompt for single responses requests."""
VERDICT_FORM = AnswerForm("verdict")
"""What the prompt for pairs requests."""


def score_judgment(data: JudgeBiasData, answer: Answer) -> Outcome[JudgeBiasExtra]:
    """Score a judge's answer.

    Args:
        data: The question's scoring data.
        answer: The judge's answer, without reasoning.

    Returns:
        For a pair, the number of the preferred response or `tie`, scored by `score_preference`.
        For a single response, the judge's score.
    """
    truncated = answer.stop == "truncated"
    if data.response is None:
        parsed = VERDICT_FORM.parse(answer.text, truncated=truncated)
        first, second = map(str, data.response_order)
        value = select_preferred(parsed.label, first, second)
        score = score_preference(value, data.gold)
    else:
        parsed = SCORE_FORM.parse(answer.text, truncated=truncated)
        value = None if parsed.span is None else answer.text[slice(*parsed.span)]
        score = parsed.value
    extra = JudgeBiasExtra(
        response_order=data.response_order,
        edited_response=data.edited_response,
        response=data.response,
        better_response=data.better_response,
        human_labels=data.human_labels,
    )
    return Outcome[JudgeBiasExtra].from_answer(
        data, answer, parsed=parsed, answer=value, score=score, extra=extra
    )


def select_preferred(verdict: str | None, first: str, second: str) -> str | None:
    """Return which of two responses a verdict prefers.

    Args:
        verdict: `A`, `B` or `tie`; None if unparsed.
        first: Name of the response displayed as A.
        second: Name of the response displayed as B.

    Returns:
        One of the names, `tie`, or None if the verdict is unparsed.
    """
    if verdict == "A":
        return first
    return second if verdict == "B" else verdict


def score_preference(preferred: str | None, gold: str | None) -> float | None:
    """Score a preference: 1 if correct, 0.5 for a tie, 0 if wrong or unparsed.

    Returns:
        The score, or None if the pair has no gold label.
    """
    if not gold:
        return None
    return 0.5 if preferred == TIE else float(preferred == gold)


def compute_preferences(
    outcomes: Iterable[Outcome[JudgeBiasExtra]],
) -> list[Outcome[JudgeBiasExtra]]:
    """Return the judge's preferences, one outcome per pair, variant and epoch.

    The response with the higher score is preferred. The preference is unparsed if either score is.
    A cosmetic edit changes one response of a pair; the other keeps its baseline score. Items with a
    single response and pairs with a missing answer are excluded.

    Args:
        outcomes: Outcomes of comparisons, of single responses, or of both.

    Raises:
        ValueError: A response has two scores under one variant and epoch.
    """
    preferences: list[Outcome[JudgeBiasExtra]] = []
    scored: dict[tuple[str, int], list[Outcome[JudgeBiasExtra]]] = {}
    for outcome in outcomes:
        if outcome.extra.response is None:
            preferences.append(outcome)
        else:
            scored.setdefault((outcome.item, outcome.epoch), []).append(outcome)
    for item_outcomes in scored.values():
        preferences += _compare_scores(item_outcomes)
    return preferences


def _compare_scores(outcomes: Sequence[Outcome[JudgeBiasExtra]]) -> list[Outcome[JudgeBiasExtra]]:
    """Return the preferences of one item in one epoch, one per variant."""
    template = outcomes[0]
    order, better = template.extra.response_order, template.extra.better_response
    if len(order) < 2:
        return []
    gold = None if better is None else str(better)
    preferences = []
    by_variant = _collect_scores(outcomes)
    for variant, edited_scores in by_variant.items():
        scores = edited_scores
        if find_cosmetic_edit(variant):
            scores = {**by_variant.get(BASELINE, {}), **edited_scores}
        if not all(number in scores for number in order):
            continue
        preferred = _find_highest({number: scores[number] for number in order})
        preferences.append(
            replace(
                template,
                variant=variant,
                gold=gold,
                answer=preferred,
                score=score_preference(preferred, gold),
                explanation="",
                reason=None,
                span=None,
            )
        )
    return preferences


def _collect_scores(
    outcomes: Sequence[Outcome[JudgeBiasExtra]],
) -> dict[str, dict[int, float | None]]:
    """Return the scores of one item in one epoch, by variant and response."""
    by_variant: dict[str, dict[int, float | None]] = {}
    for outcome in outcomes:
        variant, number = remove_role(outcome.variant), outcome.extra.response
        assert number is not None
        scores = by_variant.setdefault(variant, {})
        if number in scores:
            raise ValueError(
                f"{outcome.item} has two scores of response {number} under {variant} in epoch "
                f"{outcome.epoch}"
            )
        scores[number] = outcome.score
    return by_variant


def _find_highest(scores: Mapping[int, float | None]) -> str | None:
    """Return the response with the highest score, or `tie`; None if a score is unparsed."""
    parsed = {number: score for number, score in scores.items() if score is not None}
    if len(parsed) < len(scores):
        return None
    best = [number for number, score in parsed.items() if score == max(parsed.values())]
    return str(best[0]) if len(best) == 1 else TIE
