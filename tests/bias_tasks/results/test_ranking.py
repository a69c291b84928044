"""`bias-tasks rank` on logs of any task."""

import csv
import io
import json
import math
from dataclasses import replace

import pytest

from bias_tasks.probing_tasks import probe
from bias_tasks.results.answers import RunAnswers, complete_run, load_answers
from bias_tasks.results.find import read_runs
from bias_tasks.results.other_tasks import (
    SampleScores,
    build_record,
    describe_metrics,
    split_scores,
)
from bias_tasks.results.ranking import estimate_reversal, rank_runs
from bias_tasks.results.run import Run, ScoredAnswer, UnusableRunError
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import run_inspect

N = 60


def make_run(model, score, *, n=N, epochs=1, lower=(), cluster=str):
    """Return the run of a task of another package; `score(item, epoch)` is a sample's score."""
    samples = [
        SampleScores((epoch, i), str(i), cluster(i), "", {"score": score(i, epoch)})
        for epoch in range(1, epochs + 1)
        for i in range(n)
    ]
    run = Run("task", "inspect", model, build_record("task", 0, {}))
    answers = tuple(a for _, a in split_scores(samples) if isinstance(a, ScoredAnswer))
    specs = describe_metrics(run, [answer.outcome for answer in answers], lower)
    loaded = RunAnswers(replace(run, metric_specs=specs), answers)
    return replace(loaded, run=complete_run(loaded))


def good(i, epoch):
    return i % 10 != 0


def equal(i, epoch):
    return i % 10 != 1


def bad(i, epoch):
    return i % 2


def rank(*runs):
    [ranking], not_ranked = rank_runs(runs)
    assert not not_ranked
    return ranking


def test_models_are_ranked_with_ties_and_probabilities():
    ranking = rank(make_run("bad", bad), make_run("good", good), make_run("equal", equal))
    assert [(r.label, r.group) for r in ranking.ranked] == [("good", 1), ("equal", 1), ("bad", 2)]
    assert [r.estimate.value for r in ranking.ranked] == pytest.approx([0.9, 0.9, 0.5])
    first, second, last = (r.p_best for r in ranking.ranked)
    assert (first, second, last) == pytest.approx((0.5, 0.5, 0), abs=0.03)
    assert first + second + last == pytest.approx(1)
    pair = ranking.pairs[0, 2].comparison
    assert pair.result.difference.value == pytest.approx(-0.4)
    assert pair.p_adjusted < 0.001
    assert ranking.pairs[0, 1].comparison.p_adjusted == 1
    assert math.isnan(ranking.pairs[0, 1].reversal_by_repeat)


def test_the_same_answers_share_the_first_place():
    ranking = rank(make_run("a", good), make_run("b", good))
    assert [r.p_best for r in ranking.ranked] == pytest.approx([0.5, 0.5], abs=0.03)
    assert {r.group for r in ranking.ranked} == {1}


def test_a_score_that_a_run_lacks_for_an_item_is_left_out_of_all():
    def unscored(i, epoch):
        return math.nan if i < 6 else good(i, epoch)

    ranking = rank(make_run("unscored", unscored), make_run("equal", equal))
    assert (ranking.items, ranking.left_out) == (54, 6)
    # 54 items remain: 5 and 5 of the wrong answers.
    assert [r.estimate.value for r in ranking.ranked] == pytest.approx([49 / 54, 49 / 54])


def test_lower_can_be_better():
    ranking = rank(*(make_run(m.__name__, m, lower=["score"]) for m in (good, bad)))
    assert [r.label for r in ranking.ranked] == ["bad", "good"]
    assert ranking.ranked[0].p_best > 0.99
    assert ranking.pairs[0, 1].comparison.result.difference.value > 0


def test_the_best_is_more_certain_if_the_others_err_on_the_same_items():
    def nested(i, epoch):
        return i % 10 != 0 and i % 15 != 1

    def other(i, epoch):
        return i % 6 != 1

    same, different = (rank(make_run("a", good), make_run("b", m)) for m in (nested, other))
    values = [[r.estimate.value for r in ranking.ranked] for ranking in (same, different)]
    assert values == [pytest.approx([54 / 60, 50 / 60])] * 2
    assert same.ranked[0].p_best > 0.95
    assert different.ranked[0].p_best < 0.9


def test_only_shared_items_count():
    ranking = rank(make_run("few", good, n=20), make_run("many", bad))
    assert (ranking.items, ranking.left_out) == (20, 40)
    assert ranking.ranked[1].estimate.n == 20


def test_clusters_make_the_best_less_certain():
    def by_cluster(i):
        return str(i // 20)

    independent, clustered = (
        rank(*(make_run(m.__name__, m, cluster=c) for m in (good, lambda i, e: i >= 12)))
        for c in (str, by_cluster)
    )
    assert independent.ranked[0].p_best > clustered.ranked[0].p_best + 0.02


def test_runs_of_one_model_are_told_apart_by_their_logs():
    ranking = rank(make_run("same", good), make_run("same", bad))
    assert [r.label for r in ranking.ranked] == ["same (.)", "same (.)"]


def test_repeats_can_reverse_a_close_order_but_not_a_clear_one():
    def noisy(share):
        return lambda i, epoch: (i * 7 + epoch * 5) % 10 < share

    runs = [make_run(str(share), noisy(share), epochs=4) for share in (5, 6, 9)]
    ranking = rank(*runs)
    assert [r.label for r in ranking.ranked] == ["9", "6", "5"]
    # One epoch has a variance of about 0.24 / 60 per model: 0.1 is 1.0 predicted errors away.
    assert ranking.pairs[1, 2].reversal_by_repeat == pytest.approx(0.16, abs=0.06)
    assert ranking.pairs[0, 2].reversal_by_repeat < 0.01


def test_a_reversal_is_a_prediction():
    assert estimate_reversal(0.1, 0.1, 10**9) == pytest.approx(0.1586553, abs=1e-6)
    assert estimate_reversal(-0.1, 0.1, 1) == pytest.approx(0.25)
    assert (estimate_reversal(0.1, 0, 3), estimate_reversal(0, 0, 3)) == (0, 0.5)
    assert math.isnan(estimate_reversal(0.1, math.nan, 3))


def test_what_cannot_be_ranked_is_named():
    with pytest.raises(UnusableRunError, match="no other run"):
        rank_runs([make_run("a", good)])
    without_direction = [
        replace(run, run=replace(run.run, metric_specs={"score": replace(spec, better=None)}))
        for run in (make_run("a", good), make_run("b", bad))
        for spec in run.run.metric_specs.values()
    ]
    with pytest.raises(UnusableRunError, match="neither direction is better"):
        rank_runs(without_direction)
    with pytest.raises(UnusableRunError, match="no metric matches 'scor'"):
        rank_runs([make_run("a", good), make_run("b", bad)], "scor")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    for model in ("steadfast", "conformist"):
        parameters = {"data": "synthetic", "n": 24, "form": "judging"}
        task = "instruction_boundary/conformity"
        run_inspect(folder, task, f"simulated/{model}", **parameters)
    return folder


def test_the_command_ranks_our_tasks_by_their_headline(logs, tmp_path):
    done = typed("rank", logs, "--format", "json")
    assert done.exit_code == 0, done.output
    best, worst = json.loads(done.stdout)
    assert (best["model"], worst["model"]) == ("simulated/steadfast", "simulated/conformist")
    assert (best["better"], best["position"], worst["group"]) == ("lower", 1, 2)
    assert worst["differences"][0]["from"] == "simulated/steadfast"
    [compared] = json.loads(typed("compare", logs, "--format", "json").stdout)
    difference = abs(worst["differences"][0]["difference"])
    assert difference == pytest.approx(abs(compared["difference"]))
    text = typed("rank", logs).stdout
    assert "24 items that all have" in text
    assert max(map(len, text.splitlines())) <= 80
    rows = list(csv.DictReader(io.StringIO(typed("rank", logs, "--format", "csv").stdout)))
    assert json.loads(rows[1]["differences"]) == worst["differences"]


def test_other_prompts_can_reverse_the_order_in_probed_tasks(tmp_path):
    model = "simulated/examples/sums.py@Calculator"
    for first in (0.0, 0.5):
        options = {"model_args": {"first": first, "accuracy": 0.8}}
        task = probe(task="examples/sums.py@sums", n=12, probes="order,labels,casing")
        run_inspect(tmp_path / str(first), task, model, options=options)
    runs = [load_answers(run) for run in read_runs([tmp_path])]
    [ranking], _ = rank_runs(runs, "score/baseline")
    assert 0 <= ranking.pairs[0, 1].reversal_by_prompt <= 0.5
    [ranking], _ = rank_runs(runs)
    assert math.isnan(ranking.pairs[0, 1].reversal_by_prompt)
