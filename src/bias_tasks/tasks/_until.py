"""Stops an Inspect run when its headline is known, through Inspect's own early stopping."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSpec
from inspect_ai.scorer import SampleScore
from inspect_ai.util import EarlyStop
from pydantic import JsonValue

from bias_tasks.family import Family, JsonObject, Outcome, Plan
from bias_tasks.figures import Better
from bias_tasks.parameters import UNTIL, VERDICT
from bias_tasks.scored import scored_in
from bias_tasks.stopping.looking import UNDER_WAY
from bias_tasks.stopping.told import MANAGER, reason_told, rule_told
from bias_tasks.stopping.until import Until, half_width, in_random_order

if TYPE_CHECKING:
    from bias_tasks.results.comparison.compared import Verdict
    from bias_tasks.stopping.interval import CardOf

_OFTEN, _SELDOM = 0.02, 0.1
"""By how much a run grows between two looks: of a mean, and of what each look works out anew many
times."""
_DECIDES = 1
"""The epoch whose answers decide."""
_BROKEN = (
    "until: %d clusters of items have answers of the log that was retried and were not finished; "
    "they count as far as they were asked"
)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Cluster:
    """Items that count together, and how far they are."""

    open: set[str]
    """Ids of samples that have neither an answer nor failed, in the first epoch."""
    outcomes: list[Outcome] = field(default_factory=list)


@dataclass(slots=True)
class _Run:
    """One run's clusters in the order in which they are asked."""

    of: StopWhenKnown
    eval_id: str
    clusters: list[_Cluster]
    place: dict[str, int]
    """Of the cluster of each sample that is asked, by the sample's id."""
    looks: Iterator[int]
    next_look: int
    begun: int = -1
    """The place of the last cluster that was begun."""
    done: int = 0
    """How many of the first clusters are finished."""
    stopped: bool = False
    reason: str = ""
    skipped: set[str] = field(default_factory=set)


_running: ContextVar[_Run | None] = ContextVar("the run that is asked", default=None)
"""One object may be a task on several models at once: each run is asked in a context of its own."""


class StopWhenKnown:
    """Skips clusters of items that were not begun once enough is known.

    It looks at the clusters at the front that are all finished, in the order in which they are
    asked, whichever others are finished too: how fast an answer comes may have to do with what it
    says. Clusters that were begun are finished, in all epochs. The host asks all clusters in one
    epoch before it begins another, so that the first one's answers decide.
    """

    def __init__(
        self,
        until: Until,
        plan: Plan,
        card_of: CardOf,
        better: Better | None = None,
        others: Sequence[Outcome] = (),
    ) -> None:
        """Args: `plan` in the order in which it is asked; `others` are a baseline's outcomes."""
        self._until = until
        self._card_of = card_of
        self._better = better
        self._others = others
        self._asked: dict[str, set[str]] = {}
        for question in plan.questions:
            self._asked.setdefault(question.cluster, set()).add(question.id)
        self._cluster = {each.id: each.cluster for each in plan.questions}

    def __deepcopy__(self, memo: dict[int, Any]) -> StopWhenKnown:
        return self

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        """Set out to ask the clusters that the host leaves whole, in its order."""
        given = [str(sample.id) for sample in samples]
        known = set(given)
        found = dict.fromkeys(self._cluster[name] for name in given)
        whole = [self._asked[name] for name in found if self._asked[name] <= known]
        looks = _looks_of(self._until)
        _running.set(
            _Run(
                self,
                task.eval_id,
                [_Cluster(set(ids)) for ids in whole],
                {name: place for place, ids in enumerate(whole) for name in ids},
                looks,
                next(looks),
            )
        )
        UNDER_WAY.set(True)
        return MANAGER

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        """Nothing where the sample is to be asked."""
        run = _the_run()
        place = run.place.get(str(id))
        if place is None:
            return self._skipped(run, id, epoch, "its items are not whole under --limit")
        if run.stopped and place > run.begun:
            return self._skipped(run, id, epoch, f"{rule_told(self._until)}: {run.reason}")
        run.begun = max(run.begun, place)
        return None

    async def complete_sample(
        self, id: str | int, epoch: int, scores: dict[str, SampleScore]
    ) -> None:
        """Note what a sample came to, and look where it is time to."""
        run = _the_run()
        place = run.place.get(str(id))
        if place is None or str(id) in run.skipped:
            return
        run.begun = max(run.begun, place)  # a retried run takes answers over without asking
        found = (scored_in(each.score.metadata) for each in scores.values())
        run.clusters[place].outcomes += [each.outcome for each in found if each is not None]
        self.ended(str(id), epoch)

    def ended(self, sample: str, epoch: int) -> None:
        """A sample is answered, or failed for good."""
        run = _the_run()
        if epoch == _DECIDES and sample in run.place:
            run.clusters[run.place[sample]].open.discard(sample)
        while run.done < len(run.clusters) and not run.clusters[run.done].open:
            run.done += 1
        while not run.stopped and run.next_look <= run.done:
            self._look(run, run.next_look, [_DECIDES])
            run.next_look = next(run.looks)

    async def complete_task(self) -> dict[str, JsonValue]:
        """What was found, which the log keeps."""
        run = _the_run()
        UNDER_WAY.set(False)
        whole = len(run.clusters)
        if not run.stopped and run.done:
            self._look(run, run.done)
        broken = sum(bool(each.outcomes and each.open & run.skipped) for each in run.clusters)
        if broken:
            logger.warning(_BROKEN, broken)
        return {
            "rule": self._until.rule,
            "figure": self._until.figure,
            "stopped": bool(run.skipped & set(run.place)),
            "reason": run.reason,
            "clusters": run.done,
            "clusters_planned": whole,
        }

    def _look(self, run: _Run, clusters: int, epochs: Sequence[int] | None = None) -> None:
        """Decide at the first clusters whether enough is known, from some epochs or all."""
        # Imported here: they load numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.results.comparison.verdict import nothing_read, verdict_of
        from bias_tasks.stopping.interval import difference_of, interval_of

        outcomes = [
            each
            for one in run.clusters[:clusters]
            for each in one.outcomes
            if epochs is None or each.epoch in epochs
        ]
        word: Verdict | Literal[""] = ""
        if self._until.rule == VERDICT:
            seen = difference_of(self._card_of, outcomes, self._others, self._until)
            word = verdict_of(seen, self._until.margin, self._better)
            if nothing_read(self._until.figure, [*outcomes, *self._others]):
                word = "UNREAD"
            run.stopped = word not in ("INCONCLUSIVE", "UNREAD")
        else:
            seen = interval_of(self._card_of, outcomes, self._until)
            run.stopped = half_width(seen.ci_low, seen.ci_high) <= float(self._until.rule)
        run.reason = reason_told(self._until, clusters, seen.value, seen.ci_low, seen.ci_high, word)

    @staticmethod
    def _skipped(run: _Run, id: str | int, epoch: int, reason: str) -> EarlyStop:
        run.skipped.add(str(id))
        return EarlyStop(id=id, epoch=epoch, reason=reason)


def with_stopping(
    family: Family, until: Until | None, plan: Plan, record: JsonObject
) -> tuple[Plan, JsonObject, StopWhenKnown | None]:
    """A plan in the order in which it is asked, its record, and what stops the run.

    All as they were, and nothing that stops, where a run asks everything.

    Raises:
        ValueError: the baseline can't be compared with.
    """
    if until is None:
        return plan, record, None
    # Imported here: it registers a hook, which the host would announce in runs that ask all.
    import bias_tasks.tasks._until_hook  # noqa: F401
    from bias_tasks.tasks._baseline import baseline_outcomes

    others = (
        [] if until.baseline is None else baseline_outcomes(until.baseline, family, record, plan)
    )
    ordered = in_random_order(plan, until.seed)
    declared = family.figure(until.figure)
    options = family.tasks[record["task"]].for_figures(record["parameters"])
    stopping = StopWhenKnown(
        until,
        ordered,
        partial(family.scorecard, options=options),
        None if declared is None else declared.better,
        others,
    )
    return ordered, {**record, UNTIL: until.to_dict()}, stopping


def sample_failed(eval_id: str, sample: str, epoch: int) -> None:
    """Tell a run that looks that one of its samples failed for good."""
    run = _running.get()
    if run is not None and run.eval_id == eval_id:
        run.of.ended(sample, epoch)


def _the_run() -> _Run:
    run = _running.get()
    assert run is not None, "the host has not started the task"
    return run


def _looks_of(until: Until) -> Iterator[int]:
    from bias_tasks.statistics.sequences import looks

    return looks(_SELDOM if until.decided_asymptotically else _OFTEN)
