"""The minimum detectable effect of a run, and the number of items that a given effect needs.

Runs are simulated: outcomes of a plan's questions are drawn with an effect in a share of the items,
and the family computes the headline metric of each simulated run.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache

import numpy as np
from scipy.stats import norm

from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryExtra
from bias_tasks.complex_eval.items import SCALES
from bias_tasks.complex_eval.scoring_data import JudgeExtra
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.metrics import find_headline, find_metric_spec
from bias_tasks.contract.outcomes import Answer, AnyOutcome, Extra, Outcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.data.files import RawRecord, read_yaml
from bias_tasks.instruction_boundary.items import LABELS
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.judge_bias.items import JudgeBiasExtra
from bias_tasks.output_format.scoring_data import FormatExtra
from bias_tasks.statistics.estimate import Estimate

POWER = 0.8
"""Share of runs in which the effect is detected."""
RESAMPLED = 0.1
"""Share of answers that are drawn independently under each variant, as by an unstable model."""
NOISE = 0.03
"""Standard deviation of a judge's scores, as a share of the scale."""
_ACCURACY = 0.8
"""Share of correct answers without the effect."""
_BETTER, _WORSE, _SINGLE = 2 / 3, 1 / 3, 1 / 2
"""Where on the scale a judge scores the better response, the worse one, and one without a pair."""
_SHIFT = 1 / 2
"""What the effect adds to such a score, as a share of the scale."""
_MAX_REPORTED = 2
"""Flaws that a judge reports at most under the effect."""
_N_DRAWS = 40
"""Outcomes that are drawn in advance for each question."""
_MAX_QUESTIONS = 1200
"""Questions for which outcomes are drawn; a larger plan is represented by as many."""
_ZERO_WITHOUT_EFFECT = ("difference", "points", "percent squared")
"""Units of metrics that are 0 without an effect. Others have some value without an effect."""
_N_SHARES = 16
"""Shares of items at which the effect is simulated, from one item to all."""
_N_RUNS = 32
"""Simulated runs per share."""
_MIN_ITEMS = 8
"""Smallest number of items that is reported as needed."""

Effect = RawRecord
"""A row of `plan_effects.yaml`."""
DrawOutcome = Callable[[AnyOutcome, bool, bool, np.random.Generator], AnyOutcome]
"""Returns the outcome of an answer.

The arguments are the outcome of an empty answer, whether the answer is correct, whether the effect
applies to it, and the random numbers."""


@dataclass(frozen=True, slots=True)
class Power:
    """What a run can detect."""

    metric: str
    """Printed name of the headline metric."""
    null: float
    """Its value without an effect, measured or assumed."""
    mde: float
    """Minimum detectable effect: the distance from `null` that 80 % of runs detect, in its unit."""
    share: float
    """Share of the items to which the effect applies."""
    n: int
    """Items of the run."""
    items: int | None = None
    """Items that a given effect needs; None if no effect is given."""


class NoHeadlineError(ValueError):
    """No simulated run has a value of the headline metric; the message says what it needs."""


def compute_power(
    pool: "OutcomePool", n: int, epochs: int = 1, detect: float | None = None
) -> Power | None:
    """Return the minimum detectable effect of a run.

    The effect applies to the share of items for which the nearer bound of the headline's interval
    is beyond the value without an effect in 80 % of simulated runs. The runs of all shares use the
    same random numbers, so that they differ in the effect alone, and few runs are enough.

    Args:
        pool: The outcomes of the plan.
        n: Number of items.
        epochs: Number of epochs.
        detect: Effect for which to compute the number of items.

    Returns:
        None if not even an effect on all items is detected.

    Raises:
        NoHeadlineError: No run has a value of the headline.
    """

    names: list[str] = []

    @cache
    def headlines(share: float) -> list[Estimate]:
        generators = [np.random.default_rng([0, n, number]) for number in range(_N_RUNS)]
        runs = [run for rng in generators if (run := pool.run(rng, n, share, epochs)) is not None]
        names.extend(name for name, _ in runs)
        return [headline for _, headline in runs]

    if not headlines(0.0):
        raise NoHeadlineError(pool.needed)
    name = names[0]
    null = _value_without_effect(pool.family, name, headlines(0.0))

    def detected(share: float) -> float:
        return share_detected(headlines(share), null)

    shares = [0.0, *np.geomspace(1 / n, 1, _N_SHARES).tolist()]
    index = bisect_left(shares, POWER, lo=1, key=detected)
    if index == len(shares):
        return None
    neighbours = shares[index - 1 : index + 1]
    powers = [detected(share) for share in neighbours]
    means = [_mean(run.value for run in headlines(share)) for share in neighbours]
    value = float(np.interp(POWER, powers, means))
    share = float(np.interp(POWER, powers, neighbours))
    mde, items = abs(value - null), None
    if detect is not None:
        # The width of an interval is inversely proportional to the root of the number of items.
        items = max(_MIN_ITEMS, round(n * (mde / detect) ** 2))
    return Power(name, null, mde, share, n, items)


def share_detected(runs: Sequence[Estimate], null: float) -> float:
    """Return the share of runs whose interval is beyond the value without an effect.

    The nearer bound of the interval is assumed to be normal, which needs fewer runs than counting.
    Runs are counted if the metric cannot be further out, so that bounds accumulate at that value.

    Args:
        runs: The headline metric of each run.
        null: Its value without an effect.
    """
    sign = math.copysign(1, _mean(run.value for run in runs) - null)
    bounds = sign * (np.array([run.ci_low if sign > 0 else run.ci_high for run in runs]) - null)
    bounds = bounds[np.isfinite(bounds)]
    if not len(bounds):
        return 0.0
    spread = float(np.std(bounds))
    if (bounds == 0).any() or spread == 0:
        return float(np.mean(bounds > 0))
    return float(norm.cdf(np.mean(bounds) / spread))


def _value_without_effect(family: AnyFamily, name: str, runs: Sequence[Estimate]) -> float:
    """Return the headline without an effect: 0 if it is a difference and close to 0."""
    spec, mean = find_metric_spec(name, family.metrics), _mean(run.value for run in runs)
    half_width = _mean((run.ci_high - run.ci_low) / 2 for run in runs)
    is_difference = spec is not None and spec.unit in _ZERO_WITHOUT_EFFECT
    return 0.0 if is_difference and abs(mean) <= half_width / 2 else mean


def _mean(values: Iterable[float]) -> float:
    """Return the mean of the values that are not nan; nan if there are none."""
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan


def read_effect(family: str, task: str) -> Effect | None:
    """Return the effect simulated in a task (`plan_effects.yaml`); None if there is none.

    Args:
        family: Name of the task's family, whose row applies to tasks without one.
        task: Name of the task.
    """
    effects: Mapping[str, Effect] = read_yaml(__package__, "plan_effects")
    return effects.get(task, effects.get(family))


def affects(effect: Effect, variant: str, first_variant: str) -> bool:
    """Return whether an effect changes answers under a variant of an item."""
    if effect.get("one_variant"):
        return variant == first_variant
    is_under = any(fnmatchcase(variant, pattern) for pattern in effect.get("under", ["*"]))
    is_spared = any(fnmatchcase(variant, pattern) for pattern in effect.get("spared", []))
    return is_under and not is_spared


class OutcomePool:
    """The outcomes from which runs are simulated: some without and with the effect per question.

    Args:
        family: The task's family.
        task: The task.
        values: The value of every parameter.
        plan: The questions.
        effect: The effect (`read_effect`).
        seed: Seed of the outcomes.
    """

    def __init__(
        self,
        family: AnyFamily,
        task: str,
        values: ParameterValues,
        plan: Plan,
        effect: Effect,
        seed: int = 0,
    ) -> None:
        self.family, self._spec = family, family.tasks[task]
        spec = find_metric_spec(self._spec.headline[0], family.metrics)
        self.needed = f"{spec.name}: {spec.sentences.get('none', '')}" if spec else "the headline"
        self._options = self._spec.metric_options(values)
        rng = np.random.default_rng(seed)
        self._clusters = [
            [_draw_outcomes(family, effect, rng, questions) for questions in items]
            for items in _group_questions(plan.questions)
        ]

    def run(
        self, rng: np.random.Generator, n: int, share: float, epochs: int = 1
    ) -> tuple[str, Estimate] | None:
        """Return name and value of the headline metric of a simulated run.

        Whole clusters are drawn with replacement.

        Args:
            rng: The random numbers.
            n: Approximate number of items.
            share: Share of the items to which the effect applies.
            epochs: Number of epochs.

        Returns:
            None if the run has no headline, or no value of it.
        """
        outcomes: list[AnyOutcome] = []
        n_repeats: Counter[int] = Counter()
        n_items = 0
        while n_items < n:
            number = int(rng.integers(len(self._clusters)))
            for questions in self._clusters[number]:
                is_affected = bool(rng.random() < share)
                for epoch in range(1, epochs + 1):
                    shared_draw = rng.integers(_N_DRAWS)
                    for question_outcomes in questions:
                        is_resampled = rng.random() < RESAMPLED
                        index = rng.integers(_N_DRAWS) if is_resampled else shared_draw
                        outcome = question_outcomes[is_affected][index]
                        outcomes.append(_rename_item(outcome, n_repeats[number], epoch))
                n_items += 1
            n_repeats[number] += 1
        metrics = self.family.compute_metrics(outcomes, self._options)
        name = find_headline(self._spec, metrics)
        return None if name is None or math.isnan(metrics[name].value) else (name, metrics[name])


def _rename_item(outcome: AnyOutcome, repeat: int, epoch: int) -> AnyOutcome:
    """Return an outcome as that of another item, for the given repeat of its cluster, from 0."""
    item, cluster = f"{outcome.item}.{repeat}", f"{outcome.cluster}.{repeat}"
    extra: Extra = outcome.extra
    if isinstance(extra, JudgeExtra):
        judgements = tuple(
            replace(judgement, item=item, cluster=cluster) for judgement in extra.judgements
        )
        extra = replace(extra, judgements=judgements)
    return replace(outcome, item=item, cluster=cluster, epoch=epoch, extra=extra)


def _group_questions(questions: Sequence[Question]) -> list[list[list[Question]]]:
    """Return the questions by cluster and item.

    A large plan is represented by random clusters with about `_MAX_QUESTIONS` of its questions: in
    evenly spaced ones, labels that take turns would be all the same.
    """
    clusters: dict[str, dict[str, list[Question]]] = {}
    for question in questions:
        items = clusters.setdefault(question.cluster, {})
        items.setdefault(question.item, []).append(question)
    share = min(1.0, _MAX_QUESTIONS / max(1, len(questions)))
    n_clusters = math.ceil(len(clusters) * share)
    selected = np.random.default_rng(0).permutation(len(clusters))[:n_clusters]
    items_by_cluster = [list(items.values()) for items in clusters.values()]
    return [items_by_cluster[index] for index in sorted(selected)]


def _draw_outcomes(
    family: AnyFamily, effect: Effect, rng: np.random.Generator, questions: Sequence[Question]
) -> list[tuple[list[AnyOutcome], list[AnyOutcome]]]:
    """Return the outcomes of an item's questions without and with the effect.

    The n-th outcomes of all questions belong together.
    """
    draw_outcome = DRAW_BY_FAMILY[family.name]
    is_correct = rng.random(_N_DRAWS) < _ACCURACY
    drawn = []
    for question in questions:
        empty = family.score_visible_text(question.scoring_data, Answer())
        without = [draw_outcome(empty, bool(correct), False, rng) for correct in is_correct]
        affected = without
        if affects(effect, question.variant, questions[0].variant):
            becomes_correct = {
                "wrong": np.zeros(_N_DRAWS, dtype=bool),
                "other": ~is_correct,
                "any": rng.random(_N_DRAWS) < 0.5,
                "swayed": is_correct,
            }[effect.get("answer", "wrong")]
            affected = [draw_outcome(empty, bool(flips), True, rng) for flips in becomes_correct]
        drawn.append((without, affected))
    return drawn


def _draw_setting(
    empty: Outcome[SettingExtra], correct: bool, affected: bool, _: object
) -> Outcome[SettingExtra]:
    extra = empty.extra
    gold = extra.gold_label
    wrong = next(label for label in reversed(LABELS[extra.form]) if label != gold)
    label = gold if correct else wrong
    if extra.suggested is not None:
        if affected and not extra.suggestion_is_gold:
            label, correct = extra.suggested, False
        at_suggestion = label == extra.suggested and correct == extra.suggestion_is_gold
        extra = replace(extra, at_suggestion=at_suggestion)
    return replace(empty, answer=label, score=float(correct), extra=replace(extra, label=label))


def _draw_yes_no(empty: Outcome[BinaryExtra], correct: bool, *_: object) -> Outcome[BinaryExtra]:
    wrong = next(label for label in BINARY_LABELS if label != empty.gold)
    return replace(empty, answer=empty.gold if correct else wrong, score=float(correct))


def _draw_formatted(empty: Outcome[FormatExtra], correct: bool, *_: object) -> Outcome[FormatExtra]:
    return replace(empty, answer="", score=float(correct), extra=replace(empty.extra, follows=True))


def _draw_judgement(
    empty: Outcome[JudgeExtra], correct: bool, affected: bool, rng: np.random.Generator
) -> Outcome[JudgeExtra]:
    extra = empty.extra
    if extra.flaw_count is not None:  # flaws of a dialogue, in equal parts by its calls
        planted = extra.flaw_count.planted
        reported = min(planted, _MAX_REPORTED) if affected else planted
        flaws = reported / (extra.parts or 1)
        extra = replace(extra, located=flaws, by_chance=0.0)
        return replace(empty, answer=f"{flaws:g}", score=flaws, extra=extra)
    judgement = extra.judgements[0]
    if judgement.family == "math":
        gold = -1 if judgement.first_error is None else judgement.first_error
        wrong = 0 if gold < 0 else -1  # without an error, its step is -1
        position = gold if correct else wrong
        return replace(empty, answer=str(position), score=float(position))
    quality = _SINGLE
    if judgement.family == "basic":
        quality = _BETTER if (judgement.response == "chosen") == correct else _WORSE
    if affected:
        quality += _SHIFT
    return _draw_score(empty, quality, SCALES[judgement.family], rng)


def _draw_verdict(
    empty: Outcome[JudgeBiasExtra], correct: bool, affected: bool, rng: np.random.Generator
) -> Outcome[JudgeBiasExtra]:
    extra = empty.extra
    if extra.response is not None:  # the score of one response
        quality = _SINGLE
        if extra.better_response is not None:
            is_better = extra.response == extra.better_response
            quality = _BETTER if is_better == correct else _WORSE
        if affected:
            quality += _SHIFT
        return _draw_score(empty, quality, SCALES["basic"], rng)
    responses = sorted(extra.response_order)
    best = int(empty.gold or responses[0])
    preferred: int | None = best
    if affected:
        preferred = extra.edited_response
    elif not correct:
        preferred = next(number for number in responses if number != best)
    score = float(preferred == best) if empty.gold else None
    return replace(empty, answer=str(preferred), score=score)


def _draw_score(
    empty: AnyOutcome, share: float, scale: tuple[float, float], rng: np.random.Generator
) -> AnyOutcome:
    """Return a score at a share of the scale, with noise."""
    low, high = scale
    score = float(np.clip(low + (high - low) * (share + rng.normal(0, NOISE)), low, high))
    return replace(empty, answer=f"{score:.6g}", score=score)


DRAW_BY_FAMILY: Mapping[str, DrawOutcome] = {
    "instruction_boundary": _draw_setting,
    "binary_qa": _draw_yes_no,
    "output_format": _draw_formatted,
    "complex_eval": _draw_judgement,
    "judge_bias": _draw_verdict,
}
"""The function that draws an outcome of a question, by family."""
