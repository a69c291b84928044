"""Runs that stop when their headline is known: what they ask, what they say, what is refused."""

import itertools
import json
import math
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import anyio
import numpy as np
import pytest
from click.testing import CliRunner
from inspect_ai import eval as evaluate

import bias_tasks
from bias_tasks.cli import main
from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.headline import headline
from bias_tasks.inspect_errors import TaskError
from bias_tasks.parameters import of_whole_run
from bias_tasks.record import RECORD
from bias_tasks.results.find import read_runs
from bias_tasks.scored import Scored
from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.intervals import Kept, difference, keeping_samples
from bias_tasks.statistics.sequences import mean_limits
from bias_tasks.stopping.interval import difference_of, interval_of, names_planned
from bias_tasks.stopping.until import Until, until_of
from bias_tasks.tasks import _until
from tests.bias_tasks.contract.runs import SPECS, inspect_task, scored, small

DATA = {"data": "synthetic", "form": "judging"}
_TASKS = [f"{family}/{spec.name}" for family, spec in SPECS]


def conformity(n=40, **given):
    return bias_tasks.conformity(n=n, **DATA, **given)


def planned(task, n, **given):
    """The family, the values and the plan of a small run."""
    family = load_family(task.partition("/")[0])
    spec = family.tasks[task.partition("/")[2]]
    values = spec.values({**small(task, n), **given})
    return family, spec, values, family.plan(spec.name, of_whole_run(values))


def test_clusters_are_asked_in_an_order_of_their_own():
    plain, until = conformity(), conformity(until=0.3)
    there = [sample.metadata["cluster"] for sample in plain.dataset]
    here = [sample.metadata["cluster"] for sample in until.dataset]
    assert sorted(here) == sorted(there)
    assert here != there
    # Each cluster's questions side by side, and the same again: the order follows from the ids.
    borders = sum(one != other for one, other in itertools.pairwise(here))
    assert borders + 1 == len(set(here))
    assert here == [sample.metadata["cluster"] for sample in conformity(until=0.2).dataset]
    assert here != [s.metadata["cluster"] for s in conformity(until=0.3, seed=1).dataset]
    records = [each.metadata[RECORD] for each in (plain, until)]
    assert records[0]["digest"] == records[1]["digest"]
    assert "until" not in records[0]
    assert records[1]["until"]["rule"] == 0.3
    assert records[1]["changed"]["until"] == 0.3


@pytest.mark.parametrize("task", _TASKS)
def test_headlines_declared_as_means_are_means(task):
    # On these the exact sequence stands: a figure that is something else would break it.
    family, spec, values, plan = planned(task, 3)
    options = spec.for_figures(of_whole_run(values))
    name = headline(spec, names_planned(family, plan, options))
    declared = family.figure(name)
    if declared.sequence in ("mean", "ratio"):
        scores = scored(inspect_task(task, **small(task, 3)), family.name, accuracy=0.6)
        outcomes = [Outcome.from_dict(each.score.metadata["outcome"]) for each in scores]
        if spec.name == "self_preference":  # whose answers the solver would have asked for
            outcomes = [family.outcome_with_all_figures(each.facts) for each in plan.questions]
        with keeping_samples():
            found = family.scorecard(outcomes, options)[name]
        assert isinstance(found, Kept)
        whole = family.scorecard(outcomes, options)[name]
        assert found.value == pytest.approx(whole.value, nan_ok=True)
        assert found.sample.mean() == pytest.approx(found.value)
        assert found.signed == (declared.unit == "difference")
        until = until_of(family, spec.name, {**values, "until": 0.4}, plan)
        assert interval_of(partial(family.scorecard, options=options), outcomes, until).n == found.n
    else:
        assert name in ("mbs", "rs", "f1", "bias_f_corrected", "mean_bias_f")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"until": 0}, "expected a number above 0, or verdict"),
        ({"until": math.nan}, "expected a number above 0, or verdict"),
        ({"until": "0.03x"}, "until='0.03x': expected a number above 0, or verdict"),
        ({"until": [0.1]}, "expected a number above 0, or verdict"),
        ({"until": True}, "expected a number above 0, or verdict"),
        ({"until": 1}, "says nothing of delta_acc, which lies between -1 and 1"),
        ({"until": 0.1, "shard": "1/2"}, "until and shard"),
        ({"until": 0.1, "margin": 0.1}, "margin: only until=verdict compares"),
        ({"baseline": "x.eval"}, "baseline: only until=verdict compares"),
        ({"until": "verdict"}, "name the log to compare with"),
        ({"until": "verdict", "baseline": "none.eval"}, "none.eval: cannot be read"),
        ({"until": "verdict", "baseline": "none.eval", "margin": 2}, "makes all values"),
    ],
)
def test_what_does_not_go_together_is_refused(given, message):
    with pytest.raises(TaskError, match=message):
        conformity(8, **given)


def test_a_baseline_of_many_files_names_a_few(tmp_path):
    for number in range(40):
        (tmp_path / f"{number:02}.eval").touch()
    with pytest.raises(TaskError) as refused:
        conformity(8, until="verdict", baseline=str(tmp_path))
    said = str(refused.value)
    assert "baseline: " in said
    assert all(f"0{number}.eval: " in said for number in range(3))
    assert "03.eval" not in said
    assert said.endswith(" and 37 more")


@pytest.mark.parametrize("name", ["x" * 100_000, "a\0b", "a\nb"], ids=["long", "nul", "lines"])
def test_a_baseline_that_can_be_no_file_is_one_short_line(name):
    with pytest.raises(TaskError, match=r"^baseline: (x{300}|a.*cannot be read)") as refused:
        conformity(8, until="verdict", baseline=name)
    assert len(str(refused.value)) <= 1_100
    assert "\n" not in str(refused.value)


def test_headlines_without_a_valid_sequence_are_refused():
    with pytest.raises(TaskError, match=r"known for mbs of binaryqa; leave it out.*, probe"):
        bias_tasks.binaryqa(data="synthetic", n=8, until=0.1)
    with pytest.raises(TaskError, match="an interval of rs holds from 200 clusters of items on"):
        bias_tasks.vanilla(data="synthetic", n=8, until=0.1)


def outcome(cluster, variant, right):
    """An outcome of an item asked as vanilla or under conformity."""
    return Outcome(cluster, cluster, variant, "True", "True" if right else "False", right, "")


class _Card:
    """A difference of two ways of asking, item by item, as a family's scorecard has it."""

    @staticmethod
    def of(outcomes):
        names = list(dict.fromkeys(each.cluster for each in outcomes))
        change = np.zeros(len(names))
        for each in outcomes:
            sign = 1 if each.variant == "setting" else -1
            change[names.index(each.cluster)] += sign * each.score
        codes = np.arange(len(names))
        ones = np.ones(len(names))
        return {"change": difference(WeightedSample(change, codes, np.zeros_like(codes), ones))}


UNTIL = Until(0.9, "change", "mean", -1.0, 1.0, 50, 50, 1.0, 0)


def answers(change, count):
    """Outcomes of so many items: 0 as vanilla (1 where it falls), and moved by the change."""
    before = 1.0 if change < 0 else 0.0
    return [
        outcome(f"c{number}", variant, score)
        for number in range(count)
        for variant, score in (("vanilla", before), ("setting", before + change))
    ]


def test_the_verdict_is_of_paired_items():
    rises, stays = answers(1, 20), answers(0, 20)
    found = difference_of(_Card.of, rises, stays, UNTIL)
    assert found.value == 1
    assert (found.p, found.ci_low > 0) == (0.0, True)
    assert difference_of(_Card.of, stays, rises, UNTIL).ci_high == pytest.approx(-found.ci_low)
    same = difference_of(_Card.of, stays, answers(0, 10), UNTIL)  # ten items in both
    assert (same.value, same.n, same.p) == (0, 10, 1.0)
    assert same.ci_low == pytest.approx(-same.ci_high)
    assert difference_of(_Card.of, stays, [], UNTIL).n == 0


class _Driven:
    """A run as a host drives it: what is asked, what is skipped."""

    def __init__(self, count, until=UNTIL, others=(), better="higher"):
        self.samples = [
            SimpleNamespace(id=f"c{n}/{v}") for n in range(count) for v in ("vanilla", "setting")
        ]
        questions = [
            SimpleNamespace(id=each.id, cluster=each.id.partition("/")[0]) for each in self.samples
        ]
        plan = SimpleNamespace(questions=questions)
        self.manager = _until.StopWhenKnown(until, plan, _Card.of, better, others)

    async def start(self, samples=None, epochs=1):
        spec = SimpleNamespace(eval_id="e")
        await self.manager.start_task(spec, self.samples if samples is None else samples, epochs)

    async def asks(self, name, epoch=1):
        return await self.manager.schedule_sample(name, epoch) is None

    async def answer(self, name, right=1.0, epoch=1):
        cluster, _, variant = name.partition("/")
        found = replace(outcome(cluster, variant, right), epoch=epoch)
        score = SimpleNamespace(metadata=Scored("instruction_boundary", found).metadata())
        await self.manager.complete_sample(name, epoch, {"s": SimpleNamespace(score=score)})

    async def both(self, number, epoch=1):
        for variant in ("vanilla", "setting"):
            await self.answer(f"c{number}/{variant}", epoch=epoch)


def test_it_looks_at_the_first_clusters_and_finishes_those_begun():
    async def run():
        driven = _Driven(20)
        await driven.start()
        for number in range(5):  # begun, one after the other
            assert await driven.asks(f"c{number}/vanilla")
        for number in (1, 2, 3):  # later ones are fast, and decide nothing
            await driven.both(number)
        assert await driven.asks("c6/vanilla")
        await driven.both(0)  # four clusters are finished: with them the half-width is below 0.9
        assert not await driven.asks("c7/vanilla")
        assert await driven.asks("c4/setting")  # begun before
        assert await driven.asks("c5/vanilla")  # in front of one that was begun
        assert await driven.asks("c4/vanilla", epoch=2)
        assert not await driven.asks("c7/vanilla", epoch=2)
        await driven.manager.complete_sample("c7/vanilla", 1, {})  # as the host does with skipped
        found = await driven.manager.complete_task()
        assert (found["stopped"], found["clusters"], found["clusters_planned"]) == (True, 4, 20)
        assert "change is 0.000 (" in found["reason"]

    anyio.run(run)


def test_a_failed_sample_does_not_hold_a_run_up():
    async def run():
        driven = _Driven(20)
        await driven.start()
        _until.sample_failed("another", "c0/setting", 1)
        for number in range(1, 6):
            await driven.both(number)
        await driven.answer("c0/vanilla")
        assert await driven.asks("c9/vanilla")  # the first cluster is not finished
        driven.manager.ended("c0/setting", 1)
        assert not await driven.asks("c10/vanilla")

    anyio.run(run)


def test_clusters_that_the_host_cuts_are_left_out():
    async def run():
        driven = _Driven(20)
        await driven.start(driven.samples[:5])
        assert await driven.asks("c1/setting")
        assert not await driven.asks("c2/vanilla")
        assert "not whole" in (await driven.manager.schedule_sample("c2/vanilla", 1)).reason

    anyio.run(run)


def test_the_first_epoch_decides():
    async def run():
        driven = _Driven(20)
        await driven.start(epochs=2)
        for number in range(4):
            await driven.both(number, epoch=2)
        assert await driven.asks("c9/vanilla")

    anyio.run(run)


@pytest.mark.parametrize(
    ("change", "margin", "word"), [(-1, None, "WORSE"), (1, None, "BETTER"), (0, 0.9, "EQUIVALENT")]
)
def test_it_stops_at_the_words_of_compare(change, margin, word):
    until = Until("verdict", "change", "mean", -1.0, 1.0, 50, 50, 1.0, 0, "b.eval", margin)
    here = {(each.cluster, each.variant): each.score for each in answers(change, 20)}

    async def run():
        driven = _Driven(20, until, answers(0, 20))
        await driven.start()
        for (cluster, variant), score in here.items():
            await driven.answer(f"{cluster}/{variant}", score)
        assert not await driven.asks("c99/vanilla")
        found = await driven.manager.complete_task()
        assert found["reason"].startswith(f"{word}, a difference of")

    anyio.run(run)


def test_a_run_that_stops_says_so(tmp_path):
    def asked(model, **given):
        [log] = evaluate(
            conformity(16, **given),
            model=model,
            display="none",
            log_dir=str(tmp_path),
            max_samples=2,
            log_realtime=False,
        )
        assert log.status == "success", log.error
        return log

    log = asked("simulated/steadfast", until=0.7)
    items = {}
    for sample in log.samples:
        items.setdefault(sample.metadata["item"], set()).add(sample.metadata["variant"])
    assert 2 < len(items) < 16
    assert all(len(variants) == 2 for variants in items.values())
    assert len(log.results.early_stopping.early_stops) == 32 - len(log.samples)
    [run] = read_runs([tmp_path])
    assert (run.n, run.samples.failed) == (len(items), 0)
    # The interval is the sequence's: that of so many differences of 0.
    low, high = mean_limits(np.full(run.n, 0.5), np.ones(run.n))
    assert run.headline.ci_low == pytest.approx(2 * float(low) - 1)
    assert run.headline.ci_high == pytest.approx(2 * float(high) - 1)
    assert run.headline.ci_high <= 0.7
    assert f"stopped early (until=0.7) after {run.n} of 16 items: delta_acc is 0.000 (" in run.note
    assert "a 95 % confidence sequence (betting)" in run.note
    every = CliRunner().invoke(main, ["results", str(tmp_path), "--all", "--format", "json"])
    assert every.exit_code == 0, every.output
    [told] = json.loads(every.output)
    bounds = {each["name"]: each["ci_low"] for each in told["metrics"]}
    assert {name for name, low in bounds.items() if low is not None} == {"delta_acc"}
    assert told["stopped"]["stopped"] is True
    merged = CliRunner().invoke(main, ["merge", str(tmp_path), "--out", str(tmp_path / "m")])
    assert merged.exit_code == 1
    assert "stops when its headline is known (until)" in merged.output
    # It is no baseline for a run of all the items, and compare's reasons hold for one.
    with pytest.raises(TaskError, match=r"lacks \d+ of the 32 questions of this run"):
        conformity(16, until="verdict", baseline=log.location)
    with pytest.raises(TaskError, match="holds 0 runs of few_shot"):
        bias_tasks.few_shot(n=16, **DATA, until="verdict", baseline=log.location)
    with pytest.raises(TaskError, match="their protocol differs"):
        conformity(16, protocol="published", until="verdict", baseline=log.location)
