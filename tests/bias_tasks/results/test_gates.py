"""A gate fails if nothing was measured: the rules of `compare --fail-on`, by hand."""

import math
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.results.comparison import compare_runs, find_regressions
from bias_tasks.results.run import UnscoredSample
from bias_tasks.results.run_pairing import pair_runs
from bias_tasks.results.verdicts import explain_unparsed
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import replace_answers, run_inspect, simulate_run


@pytest.fixture(scope="module")
def run():
    return simulate_run("instruction_boundary", "conformity", "m", 40, {"accuracy": 0.7})


def drop(run, count, variant="conformity", reason="failed"):
    """The run without a score of its first samples under a variant."""
    answers, unscored = [], []
    for answer in run.answers:
        outcome = answer.outcome
        if outcome.variant == variant and len(unscored) < count:
            unscored.append(UnscoredSample(outcome.item, outcome.cluster, variant, reason))
        else:
            answers.append(answer)
    return replace(replace_answers(run, answers), unscored=(*run.unscored, *unscored))


def unparse(run, count, variant="conformity"):
    """The run whose first answers under a variant are unparsed."""
    left = [count]

    def change(answer):
        if answer.outcome.variant != variant or not left[0]:
            return answer
        left[0] -= 1
        outcome = replace(answer.outcome, answer=None, score=0.0, unparsed_reason="no_value")
        extra = replace(outcome.extra, label="unparsed", at_suggestion=False)
        return replace(answer, outcome=replace(outcome, extra=extra))

    return replace_answers(run, map(change, run.answers))


def regressions(first, second):
    return list(find_regressions(pair_runs(first, second)))


@pytest.mark.parametrize("reason", ["failed", "stopped by the token limit"])
def test_more_than_half_without_a_score_is_worse_than_anything(run, reason):
    half = drop(drop(run, 20, reason=reason), 20, "vanilla", reason)
    assert "rises" in regressions(run, half)[0]
    [sentence] = regressions(run, drop(half, 1, reason=reason))
    assert sentence == "41 of 80 answers are unparsed or unscored"
    assert regressions(drop(half, 1), drop(half, 1)) == [sentence]


def test_unscored_and_unparsed_answers_add_up(run):
    both = unparse(drop(drop(run, 21), 10, "vanilla"), 10)
    assert regressions(run, both) == ["41 of 80 answers are unparsed or unscored"]
    assert "answers are" not in "".join(regressions(run, unparse(drop(run, 21), 10)))


@pytest.mark.parametrize(("count", "is_worse"), [(4, False), (5, False), (7, True)])
def test_a_rise_of_unscored_samples_counts_above_ten_points(run, count, is_worse):
    """4 of 40 is 10 %; 5 of 40 has p = 2 / 2**5, adjusted for two variants; 7 of 40 is enough."""
    found = regressions(run, drop(run, count))
    assert bool(found) == is_worse
    for sentence in found:
        assert sentence.startswith("the share of unparsed or unscored answers under conformity")


def test_a_format_task_counts_failed_samples_but_not_other_forms():
    formats = simulate_run("output_format", "format_wrapping", "m", 12, {"follow": 0.2})
    assert regressions(formats, formats) == []
    failed = drop(formats, 12, "bolding", "failed")
    for variant in ("brackets", "italicizing", "parentheses"):
        failed = drop(failed, 60, variant)
    assert "unparsed or unscored" in regressions(formats, failed)[0]


def headline(first, second):
    [pair] = compare_runs([first, replace(second, run=replace(second.run, model="n"))]).pairs
    return pair.metrics[0], pair.not_measured


@pytest.mark.parametrize(("count", "verdict"), [(4, "INCONCLUSIVE"), (5, "UNPARSED")])
def test_above_ten_percent_unparsed_in_either_run_there_is_no_verdict(run, count, verdict):
    for first, second in ((run, unparse(run, count)), (unparse(run, count), run)):
        metric, not_measured = headline(first, second)
        assert metric.verdict == verdict
        assert bool(not_measured) == (verdict == "UNPARSED") == bool(metric.reason)
    assert "12% under conformity" in headline(run, unparse(run, 5))[0].reason


def test_two_runs_that_are_mute_under_one_variant_measure_nothing(run):
    mute = unparse(run, 40)
    metric, not_measured = headline(mute, mute)
    assert (metric.verdict, len(not_measured)) == ("UNPARSED", 1)


def test_a_headline_that_a_run_lacks_is_no_value_with_its_reason():
    always = simulate_run("binary_qa", "binaryqa", "m", 20, persona="always_no")
    other = simulate_run("binary_qa", "binaryqa", "m", 20)
    for first, second in ((always, other), (other, always), (always, always)):
        metric, not_measured = headline(first, second)
        assert (metric.name, metric.verdict) == ("mbs", "NO VALUE")
        assert "a domain lacks answers Yes or No" in metric.reason
        assert not_measured == [metric]
        assert math.isnan(metric.result.difference.value)


def test_a_gate_that_measured_nothing_has_its_own_status(tmp_path):
    """Neither model has an `mbs`, and neither is worse than the other."""
    logs = [
        run_inspect(tmp_path / name, "binary_qa/binaryqa", f"simulated/{name}", n=5)
        for name in ("always_no", "always_yes")
    ]
    assert typed("compare", *logs).exit_code == 0
    for fail_on, status in (("worse", 3), ("different", 3), ("inconclusive", 1)):
        done = typed("compare", *logs, "--fail-on", fail_on, columns=200)
        assert done.exit_code == status
        assert "a domain lacks answers Yes or No" in done.stdout
        assert ("mbs is not measured" in done.stderr) == (status == 3)
    assert typed("compare", *logs, "--fail-on", "worse", "--metric", "mbs*").exit_code == 3
    assert typed("compare", *logs, "--fail-on", "worse", "--metric", "acc/original").exit_code == 0


def test_only_variants_that_a_metric_names_are_compared(run):
    family, counts = run.run.family, {}
    spec = run.run.metric_spec("delta_acc")
    counts = {
        "vanilla": Counter(parsed=9, other=1),
        "vagueness": Counter(parsed=8, other=2),
        "conformity": Counter(parsed=10),
    }
    reason = "too many answers are unparsed: 20% under vagueness"
    assert explain_unparsed(family, spec, "delta_acc", counts) == reason
    assert explain_unparsed(family, spec, "vagueness/delta_acc", counts) == reason
    assert explain_unparsed(family, spec, "conformity/delta_acc", counts) == ""
    counts["vanilla"] = Counter(parsed=8, other=1)
    assert "11% under vanilla" in explain_unparsed(family, spec, "conformity/delta_acc", counts)
    level = run.run.metric_spec("acc")
    assert explain_unparsed(family, level, "vagueness/acc", counts) == ""
