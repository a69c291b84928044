"""Scoring of a judge's answer, and the rows that metrics are computed from."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Any

from bias_tasks.complex_eval.items import JudgedKind, Mode
from bias_tasks.complex_eval.prompts.judge import AUXILIARY, SCORE_RANGE, SEVERITY_RANGE
from bias_tasks.complex_eval.quote_matching import count_located
from bias_tasks.complex_eval.reasons import cites_reference
from bias_tasks.complex_eval.scoring_data import (
    JudgeData,
    JudgedResponse,
    JudgeExtra,
    JudgementForm,
)
from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.parsing.answer import AnswerForm, FormName

_FORMS: Mapping[JudgedKind, tuple[FormName, tuple[int, int]]] = {
    "basic": ("score", SCORE_RANGE),
    "math": ("first_error", SCORE_RANGE),
    "role_playing": ("flaws", SEVERITY_RANGE),
    "creative_writing": ("criteria", SCORE_RANGE),
}
"""Form and scale of an answer by kind of item; `first_error` ignores the scale."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One response, judged under one auxiliary condition."""

    judged: JudgedResponse
    score: float | None
    """On the scale of the kind. In math, the reported position of the first wrong step, or -1.
    None if an answer is unparsed."""
    epoch: int = 1
    criteria: Mapping[str, float | None] = field(default_factory=dict)
    """Scores by criterion, if each is scored separately; None for those of an unparsed answer."""
    cites: float | None = None
    """Share of its answers whose reasons cite the reference; None if unknown."""

    @property
    def item(self) -> str:
        """The item of the response."""
        return self.judged.item

    @property
    def cluster(self) -> str:
        """The cluster of the item."""
        return self.judged.cluster

    @property
    def answers(self) -> int:
        """Number of answers that make it up."""
        return self.judged.parts

    @property
    def unparsed(self) -> float:
        """Number of these without a score."""
        scores = list(self.criteria.values()) or [self.score]
        return scores.count(None) / len(scores) * self.answers

    @property
    def spread(self) -> float | None:
        """Standard deviation across two criteria or more; None if unparsed, or if there is one."""
        scores = list(self.criteria.values())
        return _combine(scores, pstdev) if len(scores) > 1 else None

    @property
    def attacked(self) -> float | None:
        """Score by the attacked criterion; None if unparsed, or if none is known."""
        return self.criteria.get(self.judged.attacked_criterion or "")

    @property
    def others(self) -> float | None:
        """Mean score by the other criteria; None if unparsed, or if the attacked one is unknown."""
        attacked = self.judged.attacked_criterion
        scores = [score for name, score in self.criteria.items() if name != attacked]
        return _combine(scores, fmean) if attacked in self.criteria and scores else None


@dataclass(frozen=True, slots=True)
class IssueCount:
    """The number of flaws that a judge reports in a dialogue with planted flaws."""

    item: str
    cluster: str
    mode: Mode
    planted: int
    """Number of planted flaws."""
    reported: float | None
    """Number of reported flaws, true or not; None if an answer is unparsed."""
    unparsed: float = field(kw_only=True)
    """Share of its answers without a count: there is one, or one per dimension."""
    located: float | None = None
    """Number of planted flaws among the reported ones; None if unknown."""
    by_chance: float | None = None
    """Mean number that as many random reports would locate; None if unknown."""
    epoch: int = 1


def build_answer_form(data: JudgeData) -> AnswerForm:
    """Return the form of answer that the prompt of a question requests."""
    name, scale = _FORMS[data.form.family]
    return AnswerForm(name, scale=scale, criteria=data.form.criteria, n_steps=data.form.steps)


def score_answer(data: JudgeData, answer: Answer) -> Outcome[JudgeExtra]:
    """Return the outcome of a judge's answer.

    Args:
        data: The question's scoring data.
        answer: An answer without reasoning.

    Returns:
        An outcome whose score is on the scale of the kind (math: a position), or, in the attention
        limit, the number of reported flaws. An unparsed answer has no score.
    """
    parsed = build_answer_form(data).parse(answer.text, truncated=answer.stop == "truncated")
    value, score, located, by_chance = parsed.value, None, None, None
    criteria: Mapping[str, float | None] = {}
    if data.flaw_count is None:
        criteria = _score_criteria(value, data.form)
        score = _combine(list(criteria.values()) or [value], fmean)
    elif value is not None:
        score = float(len(value))
        located = float(count_located(value, data.flaws or (), data.turns or ()))
        by_chance = compute_located_by_chance(len(value), data)
    span = None if value is None else parsed.span
    shown = {name for judged in data.judgements for name in AUXILIARY[judged.aux]}
    has_reference = "reference" in shown and not data.form.lacks_reference and value is not None
    return Outcome[JudgeExtra].from_answer(
        data,
        answer,
        answer=None if span is None else answer.text[slice(*span)],
        score=score,
        parsed=parsed,
        extra=JudgeExtra(
            judgements=data.judgements,
            flaw_count=data.flaw_count,
            parts=data.parts,
            criteria=criteria,
            cites_reference=cites_reference(answer.text) if has_reference else None,
            located=located,
            by_chance=by_chance,
        ),
    )


def compute_deduction_score(severity: float, turns: int) -> float:
    """Return the score of one dimension of a dialogue.

    100 - 5 * (severity - 0.3 * turns), clipped to 0 to 100: CoSER's formula. It reproduces all
    scores of CoSER's published evaluations if every turn of a character counts, and no turn of the
    environment. Turns are subtracted because long dialogues hold more flaws.

    Args:
        severity: Sum of the severities of all flaws in the dimension.
        turns: Number of turns of characters.
    """
    return min(max(100.0 - 5.0 * (severity - 0.3 * turns), 0.0), 100.0)


def compute_located_by_chance(reported: int, data: JudgeData) -> float:
    """Return the mean number of planted flaws that as many random reports locate.

    With P planted flaws among the pairs of T turns and D dimensions, r reports locate r P / (T D)
    on average: the mean of the hypergeometric distribution. All pairs are equally likely, and none
    is reported twice.

    Args:
        reported: Number of reports.
        data: Scoring data of a question of the attention limit.
    """
    pairs = len(data.turns or ()) * len(data.form.criteria)
    return min(reported, pairs) * len(data.flaws or ()) / pairs


def collect_judgements(outcomes: Iterable[Outcome[JudgeExtra]]) -> list[Judgement]:
    """Return the judgements of a run.

    An answer yields one judgement for each pair that shares the judged response. If each dimension
    has its own answer, the score is the mean over the dimensions, as it is if one answer has all of
    them (appendix B.2). A judgement with an unparsed answer has no score. A judgement with a
    missing answer is excluded, because the answer is missing for a reason other than the judge.

    Raises:
        ValueError: A judgement has more answers than make it up.
    """
    answers: dict[tuple[JudgedResponse, int], list[Outcome[JudgeExtra]]] = defaultdict(list)
    for outcome in outcomes:
        for judged in outcome.extra.judgements:
            answers[judged, outcome.epoch].append(outcome)
    judgements = []
    for (judged, epoch), parts in answers.items():
        if len(parts) > judged.parts:
            raise ValueError(
                f"{judged}: {len(parts)} answers in epoch {epoch}, but {judged.parts} make up the "
                "judgement"
            )
        if len(parts) == judged.parts:
            score = _combine([part.score for part in parts], fmean)
            criteria = {name: s for part in parts for name, s in part.extra.criteria.items()}
            cites = _combine([part.extra.cites_reference for part in parts], fmean)
            judgements.append(Judgement(judged, score, epoch, criteria, cites))
    return judgements


def collect_issue_counts(outcomes: Iterable[Outcome[JudgeExtra]]) -> list[IssueCount]:
    """Return the counts of a run of the attention limit.

    If each dimension has its own answer, their counts are added up. Unparsed and missing answers
    are handled as in `collect_judgements`.
    """
    groups: dict[tuple[str, str, Mode, int, int], list[Outcome[JudgeExtra]]] = defaultdict(list)
    for outcome in outcomes:
        count = outcome.extra.flaw_count
        if count is not None:
            key = (outcome.item, outcome.cluster, count.mode, count.planted, outcome.epoch)
            groups[key].append(outcome)
    return [
        IssueCount(
            item=item,
            cluster=cluster,
            mode=mode,
            planted=planted,
            reported=_combine([part.score for part in parts], sum),
            unparsed=fmean(part.score is None for part in parts),
            located=_combine([part.extra.located for part in parts], sum),
            by_chance=_combine([part.extra.by_chance for part in parts], sum),
            epoch=epoch,
        )
        for (item, cluster, mode, planted, epoch), parts in groups.items()
        if len(parts) == parts[0].extra.parts
    ]


def _combine(
    numbers: Sequence[float | None], function: Callable[[list[float]], float]
) -> float | None:
    """Return a sum or a mean of numbers; None if any of them is unknown."""
    known = [number for number in numbers if number is not None]
    return function(known) if len(known) == len(numbers) else None


def _score_criteria(value: Any, form: JudgementForm) -> Mapping[str, float | None]:
    """Return scores by criterion, None for an unparsed value; empty if the kind has no criteria."""
    if value is None:
        return dict.fromkeys(form.criteria)
    if form.family == "creative_writing":
        return dict(value)
    return {
        name: compute_deduction_score(
            sum(flaw.severity for flaw in value if flaw.dimension == name), form.turns
        )
        for name in form.criteria
    }
