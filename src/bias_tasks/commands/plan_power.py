"""The minimum detectable effect of a run, and the number of items that a given effect needs.

Simulated models answer the questions of a plan, without and with the bias of `plan_effects.yaml`.
Runs are drawn from their outcomes, with the bias in a share of the items, and the family computes
the headline metric of each run.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.stats import norm

from bias_tasks.complex_eval.scoring_data import JudgeExtra
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.metrics import find_headline, find_metric_spec
from bias_tasks.contract.outcomes import Answer, AnyOutcome, Extra
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.data.files import RawRecord, read_yaml
from bias_tasks.simulated.persona import Persona
from bias_tasks.statistics.estimate import Estimate

TARGET_POWER = 0.8
"""Share of runs in which the effect is detected."""
_TRAITS = {"hedge": 1.0, "discernment": 0.5}
"""Traits of all simulated models without the bias. Wrong answers often equal a suggestion, since
they are all `Unknown` or none."""
_N_MODELS = 10
"""Simulated models that answer each question; they differ in their seeds."""
_MAX_QUESTIONS = 1200
"""Questions that they answer; a larger plan is represented by as many."""
_MAX_FALSE_ALARMS = 0.1
"""Share of runs without an effect whose interval may exclude 0 if the metric is 0 without one."""
_N_SHARES = 16
"""Shares of items at which the effect is simulated, from one item to all."""
_N_RUNS = 32
"""Simulated runs per share."""
_N_PAIR_RUNS = 8
"""Simulated runs whose intervals show the standard error of a difference between two models."""
_MIN_ITEMS = 8
"""Smallest number of items that is reported as needed."""

_Z_DETECTED = float(norm.ppf(TARGET_POWER) + norm.ppf(0.975))
"""Standard errors between a value and 0 at which 80 % of 95 % intervals exclude 0."""
Effect = RawRecord
"""A row of `plan_effects.yaml`."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How good a simulated model is."""

    accuracy: float
    """Share of its answers that are correct."""
    noise: float
    """Standard deviation of its scores as a judge, as a share of the scale."""
    share: float
    """Share of the questions on which it is biased."""
    resampled: float
    """Share of its answers that are drawn independently under each variant."""

    @property
    def traits(self) -> RawRecord:
        """Traits of the simulated model without the bias."""
        return {**_TRAITS, "accuracy": self.accuracy, "noise": self.noise}


WEAK = Strength(accuracy=0.8, noise=0.03, share=0.1, resampled=0.1)
STRONG = Strength(accuracy=0.97, noise=0.03, share=0.03, resampled=0.03)
STRENGTHS = {"weak": WEAK, "strong": STRONG}
"""Two such models are compared by `compute_pair_mde`. All other power is that of a weak one."""


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
    null = _value_without_effect(headlines(0.0))

    def detected(share: float) -> float:
        return share_detected(headlines(share), null)

    shares = [0.0, *np.geomspace(1 / n, 1, _N_SHARES).tolist()]
    index = bisect_left(shares, TARGET_POWER, lo=1, key=detected)
    if index == len(shares):
        return None
    neighbours = shares[index - 1 : index + 1]
    powers = [detected(share) for share in neighbours]
    means = [_mean(run.value for run in headlines(share)) for share in neighbours]
    value = float(np.interp(TARGET_POWER, powers, means))
    share = float(np.interp(TARGET_POWER, powers, neighbours))
    mde, items = abs(value - null), None
    if detect is not None:
        # The width of an interval is inversely proportional to the root of the number of items.
        items = max(_MIN_ITEMS, round(n * (mde / detect) ** 2))
    return Power(name, null, mde, share, n, items)


def compute_pair_mde(pool: "OutcomePool", n: int, epochs: int = 1) -> float | None:
    """Return the difference between two models that 80 % of paired comparisons detect.

    The models are those of the pool, biased on the share of questions of their strength, with
    independent errors: models that find the same items hard differ in fewer answers, so that
    smaller differences are detected.

    Args:
        pool: The outcomes of the plan.
        n: Number of items.
        epochs: Number of epochs.

    Returns:
        None if no simulated run has an interval.
    """
    generators = [np.random.default_rng([1, n, number]) for number in range(_N_PAIR_RUNS)]
    share = pool.strength.share
    runs = [pool.run(rng, n, share, epochs, by_question=True) for rng in generators]
    widths = [run[1].ci_high - run[1].ci_low for run in runs if run is not None]
    error = _mean(widths) / (2 * float(norm.ppf(0.975)))
    return None if math.isnan(error) else _Z_DETECTED * math.sqrt(2) * error


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


def _value_without_effect(runs: Sequence[Estimate]) -> float:
    """Return the headline without an effect: 0 if few intervals exclude 0, else the mean."""
    few = share_detected(runs, 0.0) <= _MAX_FALSE_ALARMS
    return 0.0 if few else _mean(run.value for run in runs)


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
    return variant == first_variant if effect.get("first_only") else variant != effect.get("spared")


class OutcomePool:
    """The outcomes from which runs are simulated: some without and with the effect per question.

    Args:
        family: The task's family.
        task: The task.
        values: The value of every parameter.
        plan: The questions.
        effect: The effect (`read_effect`).
        strength: How good the simulated models are.
        seed: Seed of the first simulated model.
    """

    def __init__(
        self,
        family: AnyFamily,
        task: str,
        values: ParameterValues,
        plan: Plan,
        effect: Effect,
        strength: Strength = WEAK,
        seed: int = 0,
    ) -> None:
        self.family, self._spec, self.strength = family, family.tasks[task], strength
        spec = find_metric_spec(self._spec.headline[0], family.metrics)
        self.needed = f"{spec.name}: {spec.sentences.get('none', '')}" if spec else "the headline"
        self._options = self._spec.metric_options(values)
        models = [
            [Persona(seed=number, **traits) for number in range(seed, seed + _N_MODELS)]
            for traits in (strength.traits, strength.traits | effect["traits"])
        ]
        self._clusters = [
            [_list_outcomes(family, effect, models, questions) for questions in items]
            for items in _group_questions(plan.questions)
        ]

    def run(
        self,
        rng: np.random.Generator,
        n: int,
        share: float,
        epochs: int = 1,
        *,
        by_question: bool = False,
    ) -> tuple[str, Estimate] | None:
        """Return name and value of the headline metric of a simulated run.

        Whole clusters are drawn with replacement.

        Args:
            rng: The random numbers.
            n: Approximate number of items.
            share: Share of the items to which the effect applies.
            epochs: Number of epochs.
            by_question: Whether the effect applies to that share of the questions instead.

        Returns:
            None if the run has no headline, or no value of it.
        """
        outcomes: list[AnyOutcome] = []
        n_repeats: Counter[int] = Counter()
        n_items = 0
        while n_items < n:
            number = int(rng.integers(len(self._clusters)))
            for questions in self._clusters[number]:
                draws = rng.random(len(questions) if by_question else 1) < share
                is_affected = np.broadcast_to(draws, len(questions))
                for epoch in range(1, epochs + 1):
                    shared_draw = rng.integers(_N_MODELS)
                    for number_asked, question_outcomes in enumerate(questions):
                        is_resampled = rng.random() < self.strength.resampled
                        index = rng.integers(_N_MODELS) if is_resampled else shared_draw
                        outcome = question_outcomes[int(is_affected[number_asked])][index]
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


def _list_outcomes(
    family: AnyFamily,
    effect: Effect,
    models: Sequence[Sequence[Persona]],
    questions: Sequence[Question],
) -> list[list[list[AnyOutcome]]]:
    """Return the outcomes of an item's questions without and with the effect.

    The n-th outcomes of all questions belong together: they are those of one simulated model.

    Args:
        family: The family of the questions.
        effect: The effect.
        models: The simulated models without and with the effect.
        questions: The questions of one item.
    """
    plain, biased = models
    outcomes = []
    for question in questions:
        without = _score_answers(family, question, plain)
        is_affected = affects(effect, question.variant, questions[0].variant)
        affected = _score_answers(family, question, biased) if is_affected else without
        outcomes.append([without, affected])
    return outcomes


def _score_answers(
    family: AnyFamily, question: Question, models: Sequence[Persona]
) -> list[AnyOutcome]:
    chats = [answer_rounds(family, question, model) for model in models]
    outcomes = {  # Few of the chats differ.
        chat: family.score_visible_text(
            question.scoring_data, Answer(chat[-1], earlier_rounds=tuple(map(Answer, chat[:-1])))
        )
        for chat in {*chats}
    }
    return [outcomes[chat] for chat in chats]


def answer_rounds(family: AnyFamily, question: Question, model: Persona) -> tuple[str, ...]:
    """Return the answers to a question and to the messages of the same chat that follow it."""
    requests = family.requests(question, "")
    messages = [question.prompt, *(r.prompt for r in requests if r.continues)]
    return tuple(
        model.respond("\n\n".join(messages[:number]), question)
        for number in range(1, len(messages) + 1)
    )
