"""From a judge's answer to its outcome, and from outcomes to the rows of the metrics."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from bias_tasks.complex_eval.items import JudgedKind, Mode
from bias_tasks.complex_eval.prompts.judge import SCORE_RANGE, SEVERITY_RANGE
from bias_tasks.complex_eval.quote_matching import located
from bias_tasks.contract.family import Answer, Outcome
from bias_tasks.parsing.answer import AnswerForm, FormName

_FORMS: Mapping[JudgedKind, tuple[FormName, tuple[int, int]]] = {
    "basic": ("score", SCORE_RANGE),
    "math": ("first_error", SCORE_RANGE),
    "role_playing": ("flaws", SEVERITY_RANGE),
    "creative_writing": ("criteria", SCORE_RANGE),
}
"""The form of an answer, and its scale where it has one."""


def answer_form(facts: Mapping[str, Any]) -> AnswerForm:
    """Return what the prompt of a question asks for."""
    form = facts["form"]
    name, scale = _FORMS[form["family"]]
    criteria, n_steps = tuple(form.get("criteria", ())), form.get("steps", 0)
    return AnswerForm(name, scale=scale, criteria=criteria, n_steps=n_steps)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One response, by its name, judged under one auxiliary condition (`full` but for basic items).

    `score` is on the family's scale, None where unread; of math it is the position of the first
    wrong step, or -1, and `gold` the true one.
    """

    item: str
    cluster: str
    family: JudgedKind
    domain: str
    aux: str
    response: str
    score: float | None
    gold: int | None = None
    epoch: int = 1


@dataclass(frozen=True, slots=True)
class IssueCount:
    """How many flaws a judge reported in a dialogue with a known number of planted ones.

    `found` are those reported, true or not (None: unread), `located` the planted ones among them,
    and `by_chance` those that as many blind reports would locate on average (None: not known).
    """

    item: str
    cluster: str
    mode: Mode
    planted: int
    found: float | None
    located: float | None = None
    by_chance: float | None = None
    epoch: int = 1


def outcome_of(facts: Mapping[str, Any], answer: Answer) -> Outcome:
    """What a judge's answer came to: its score, or none where that could not be read; of a dialogue
    of the attention limit, how many flaws are reported. One answer may stand for the judgements of
    several items, which share the response."""
    form = facts["form"]
    parsed = answer_form(facts).parse(answer.text, truncated=answer.stop == "truncated")
    found = parsed.value
    if "count" not in facts:
        score = None if found is None else _score_of(found, form)
        own = {"judgements": facts["judgements"]}
    else:
        score = None if found is None else float(len(found))
        own = {
            "count": facts["count"],
            "parts": facts["parts"],
            "located": None if found is None else located(found, facts["flaws"], facts["turns"]),
            "by_chance": None if found is None else located_by_chance(len(found), facts),
        }
    span = None if found is None else parsed.span
    return Outcome.of(
        facts,
        answer,
        gold=None if facts["gold"] is None else str(facts["gold"]),
        answer=None if span is None else answer.text[slice(*span)],
        score=score,
        parsed=parsed,
        own=own,
    )


def deduction_score(severity: float, turns: int) -> float:
    """The score of one dimension: 100 - 5 * (severity - 0.3 * turns), held within 0 to 100.

    CoSER's own formula. Its published evaluations have these scores throughout, where every one of
    the characters' turns, and none of the environment's, is counted: long dialogues hold more
    flaws.

    `severity` is that of all flaws in the dimension together, and `turns` how often a character
    speaks or acts.
    """
    return min(max(100.0 - 5.0 * (severity - 0.3 * turns), 0.0), 100.0)


def located_by_chance(reported: int, facts: Mapping[str, Any]) -> float:
    """How many planted flaws as many reports would locate, drawn blindly: of P planted flaws among
    the pairs of T turns and D dimensions, r reports locate r P / (T D) on average (the mean of the
    hypergeometric distribution), all pairs being as likely and none reported twice."""
    pairs = len(facts["turns"]) * len(facts["form"]["criteria"])
    return min(reported, pairs) * len(facts["flaws"]) / pairs


def judgement_rows(outcomes: Iterable[Outcome]) -> list[Judgement]:
    """The judgements that the answers stand for: every pair that has the judged response.

    Where each dimension has an answer of its own, the score is the mean over them, as it is where
    one answer has all (appendix B.2). A judgement with an unread answer has no score; one that
    lacks an answer, which failed for another reason than the judge's, is left out. Raises a
    ValueError where one has more answers than make it up.
    """
    answers: dict[tuple[Any, ...], list[tuple[dict[str, Any], float | None]]] = {}
    for outcome in outcomes:
        for fact in outcome.own["judgements"]:
            key = (fact["item"], fact["aux"], fact["response"], outcome.epoch)
            answers.setdefault(key, []).append((fact, outcome.score))
    found = []
    for (item, aux, response, epoch), given in answers.items():
        facts = dict(given[0][0])
        parts = facts.pop("parts")
        if len(given) > parts:
            raise ValueError(
                f"item {item!r}, {response!r} under {aux!r}: {len(given)} answers in epoch "
                f"{epoch}, where {parts} make up the judgement"
            )
        if len(given) == parts:
            score = _all_or_none([score for _, score in given], fmean)
            found.append(Judgement(**facts, score=score, epoch=epoch))
    return found


def issue_counts(outcomes: Iterable[Outcome]) -> list[IssueCount]:
    """The counts of a run; where each dimension has a call of its own, those are added up. Unread
    and missing answers do as in `judgement_rows`."""
    groups: dict[tuple[Any, ...], list[Outcome]] = {}
    for outcome in outcomes:
        key = (*outcome.own["count"].values(), outcome.epoch)
        groups.setdefault(key, []).append(outcome)
    return [
        IssueCount(
            **parts[0].own["count"],
            found=_all_or_none([part.score for part in parts], sum),
            located=_all_or_none([part.own["located"] for part in parts], sum),
            by_chance=_all_or_none([part.own["by_chance"] for part in parts], sum),
            epoch=parts[0].epoch,
        )
        for parts in groups.values()
        if len(parts) == parts[0].own["parts"]
    ]


def _all_or_none(
    numbers: Sequence[float | None], of: Callable[[list[float]], float]
) -> float | None:
    """A sum or a mean of numbers; None where one of them is not known."""
    known = [number for number in numbers if number is not None]
    return of(known) if len(known) == len(numbers) else None


def _score_of(value: Any, form: Mapping[str, Any]) -> float:
    """The score that what was read comes to, on the scale of the family."""
    if form["family"] == "creative_writing":
        return fmean(value.values())
    if form["family"] == "role_playing":
        return fmean(
            deduction_score(
                sum(flaw.severity for flaw in value if flaw.dimension == name), form["turns"]
            )
            for name in form["criteria"]
        )
    return float(value)
