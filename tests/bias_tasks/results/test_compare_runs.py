"""Comparing runs of every family: pairs, verdicts, regressions, and runs that are not compared."""

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.contract.outcomes import Answer
from bias_tasks.families import FAMILY_NAMES
from bias_tasks.results.answers import compute_run_metrics
from bias_tasks.results.comparison import compare_runs, decide_verdict, find_regressions
from bias_tasks.results.run import UnscoredSample, UnusableRunError
from bias_tasks.results.run_pairing import pair_runs
from bias_tasks.results.verdicts import explain_unparsed
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm
from tests.bias_tasks.contract.runs import SPECS, TRAITS
from tests.bias_tasks.results.runs import replace_answers, replace_record, replace_run, simulate_run

WEAK, STRONG = {"accuracy": 0.5, "adopt": 0.8}, {"accuracy": 0.9, "adopt": 0.05}
TASKS = {
    **{"instruction_boundary": "conformity", "binary_qa": "binaryqa_qa"},
    **{"output_format": "format_wrapping", "complex_eval": "complexeval_math"},
    "judge_bias": "judge_pairwise",
}
"""One task of each family."""
RISES = "the share of unparsed answers under conformity rises"


@pytest.fixture(scope="module")
def weak():
    return simulate_run("instruction_boundary", "conformity", "weak", traits=WEAK)


@pytest.fixture(scope="module")
def strong():
    return simulate_run("instruction_boundary", "conformity", "strong", traits=STRONG)


def unparse_where(run, is_unparsed):
    """Return the run whose outcomes with this property are those of empty answers."""

    def score(answer):
        empty = Answer(epoch=answer.outcome.epoch)
        return run.run.family.score_answer(answer.scoring_data, empty)

    return replace_answers(
        run,
        [replace(a, outcome=score(a)) if is_unparsed(a.outcome) else a for a in run.answers],
    )


def unparse(run, counts, variant="conformity"):
    """Return the run with this number of unparsed epochs of each of its first items."""
    items = dict.fromkeys(answer.outcome.item for answer in run.answers)
    by_item = dict(zip(items, counts, strict=False))
    return unparse_where(run, lambda o: o.variant == variant and o.epoch <= by_item.get(o.item, 0))


def repeat(run, epochs):
    """Return the run with the same answers in each of its epochs."""
    answers = [
        replace(a, outcome=replace(a.outcome, epoch=epoch))
        for epoch in range(1, epochs + 1)
        for a in run.answers
    ]
    return replace_answers(run, answers)


def drop(run, count, variant="conformity"):
    """Return the run without a score of its first samples under a variant."""
    dropped = [a for a in run.answers if a.outcome.variant == variant][:count]
    unscored = [UnscoredSample(a.outcome.item, a.outcome.cluster, variant, "x") for a in dropped]
    kept = replace_answers(run, [a for a in run.answers if a not in dropped])
    return replace(kept, unscored=(*run.unscored, *unscored))


def regressions(first, second):
    return list(find_regressions(pair_runs(first, second)))


def test_a_significant_rise_of_unparsed_answers_under_one_variant_is_a_regression(strong):
    """By hand, over 40 items: 5 that rise have p = 2 / 2**5, adjusted for two variants."""
    quarter, tenth = unparse(strong, [1] * 10), unparse(strong, [1] * 4, "vanilla")
    assert regressions(strong, quarter) == [f"{RISES}: 25%, and 0% in the first run"]
    assert regressions(quarter, strong) == []
    assert regressions(strong, tenth) == [], "10 points are not more than 10 points"
    assert regressions(strong, strong) == regressions(tenth, tenth) == []
    assert regressions(strong, unparse(strong, [1] * 5)) == []
    mostly = "60 of 80 answers are unparsed"
    half = unparse(strong, [1] * 40, "vanilla")
    assert regressions(half, unparse(half, [1] * 20)) == [mostly]


def test_samples_without_a_score_count_like_unparsed_answers(strong):
    half = drop(drop(strong, 20), 20, "vanilla")
    sentence = "41 of 80 answers are unparsed or unscored"
    assert "rises" in regressions(strong, half)[0]
    worse = drop(half, 1)
    assert regressions(strong, worse) == regressions(worse, worse) == [sentence]
    both = unparse(drop(drop(strong, 21), 10, "vanilla"), [0] * 11 + [1] * 10)
    assert regressions(strong, both) == [sentence]
    for count, is_worse in ((4, False), (5, False), (7, True)):
        [*found] = regressions(strong, drop(strong, count))
        assert [f.startswith("the share of unparsed or unscored") for f in found] == [
            True
        ] * is_worse


def test_a_format_task_counts_unscored_samples_but_not_other_forms():
    run = simulate_run("output_format", "format_wrapping", "m", 12, {"follow": 0.2})
    assert sum(a.outcome.answer is None for a in run.answers) > len(run.answers) / 2
    assert regressions(run, run) == []
    assert regressions(simulate_run("output_format", "format_wrapping", "m", 12), run)
    failed = run
    for variant in ("bolding", "brackets", "italicizing", "parentheses"):
        failed = drop(failed, 12, variant)
    assert "unparsed or unscored" in regressions(run, failed)[0]


def test_equal_rates_of_unparsed_answers_are_rarely_a_regression(strong):
    """The true rates are 2, 87 and 2 %: the bounds are four standard errors away."""
    drawn, n_draws = random.Random(3), 120
    for first, second, low, high in (
        (0.3, 0.3, 0, 0.07),
        (0.02, 0.2, 0.75, 1),
        (0.1, 0.1, 0, 0.07),
    ):
        draws = (
            [unparse_where(strong, lambda o, p=p: drawn.random() < p) for p in (first, second)]
            for _ in range(n_draws)
        )
        rate = sum(bool(regressions(*runs)) for runs in draws) / n_draws
        assert low <= rate <= high, (first, second)


def test_each_item_rises_or_falls_by_its_shares_of_unparsed_epochs(strong):
    """By hand, over 40 items. Counts of epochs would decide the opposite in two of the pairs."""

    def compare(epochs, unparsed_by_item):
        counts = zip(*unparsed_by_item, strict=True)
        runs = [unparse(repeat(strong, n), c) for n, c in zip(epochs, counts, strict=True)]
        return regressions(*runs)

    # 12 items rise from 1/3 to 1: p = 2 / 2**12, adjusted for two variants.
    assert compare((3, 1), [(1, 1)] * 12) == [f"{RISES}: 30%, and 10% in the first run"]
    # The share rises from 25% to 39%, but 10 items fall from 1 to 2/3 and only 9 rise from 0 to 1.
    assert compare((1, 3), [(1, 2)] * 10 + [(0, 3)] * 9) == []
    # Without the items that fall, 9 items are enough: p = 2 / 2**9.
    assert len(compare((1, 3), [(0, 0)] * 10 + [(0, 3)] * 9)) == 1
    assert compare((1, 3), [(1, 3)] * 12) == compare((3, 1), [(3, 1)] * 12) == []


def headline(first, second):
    [pair] = compare_runs([first, replace_run(second, model="other")]).pairs
    return pair.metrics[0], pair.not_measured


@pytest.mark.parametrize(("count", "verdict"), [(4, "INCONCLUSIVE"), (5, "UNPARSED")])
def test_above_ten_percent_unparsed_in_either_run_there_is_no_verdict(strong, count, verdict):
    some = unparse(strong, [1] * count)
    for first, second in ((strong, some), (some, strong)):
        metric, not_measured = headline(first, second)
        assert metric.verdict == verdict
        assert (
            bool(not_measured) == (verdict == "UNPARSED") == ("under conformity" in metric.reason)
        )


def test_a_headline_that_a_run_lacks_is_no_value_with_its_reason(strong):
    always = simulate_run("binary_qa", "binaryqa", "m", 20, persona="always_no")
    other = simulate_run("binary_qa", "binaryqa", "m", 20)
    for first, second in ((always, other), (other, always), (always, always)):
        metric, not_measured = headline(first, second)
        assert (metric.name, metric.verdict) == ("mbs", "NO VALUE")
        assert "a domain lacks answers Yes or No" in metric.reason
        assert not_measured == [metric]
        assert math.isnan(metric.result.difference.value)
    mute = unparse(strong, [1] * 40)
    metric, not_measured = headline(mute, mute)
    assert (metric.verdict, len(not_measured)) == ("UNPARSED", 1)


def test_only_variants_that_a_metric_names_are_compared(weak):
    run = weak.run
    counts = {
        "vanilla": Counter(parsed=9, other=1),
        "vagueness": Counter(parsed=8, other=2),
        "conformity": Counter(parsed=10),
    }

    def explain(metric, counts):
        return explain_unparsed(run.family, run.metric_spec(metric), metric, counts)

    reason = "too many answers are unparsed: 20% under vagueness"
    assert explain("delta_acc", counts) == explain("vagueness/delta_acc", counts) == reason
    assert explain("conformity/delta_acc", counts) == explain("vagueness/acc", counts) == ""
    counts["vanilla"] = Counter(parsed=8, other=1)
    assert "11% under vanilla" in explain("conformity/delta_acc", counts)


def test_values_are_the_same_if_no_intervals_are_computed():
    for family, spec in SPECS:
        names = {parameter.name for parameter in spec.parameters}
        attention = {"n": 2, "k": "0,2,5,9", "mode": "joint,per_dimension"}
        parameters = attention if "k" in names else {"n": 4}
        run = simulate_run(family, spec.name, "m", traits=TRAITS, **parameters)
        metrics = compute_run_metrics(run)
        values = compute_run_metrics(run, intervals=False)
        assert list(values) == list(metrics)
        metrics.pop("above_chance_significant", None)  # follows from an interval
        for name, estimate in metrics.items():
            assert values[name].n == estimate.n
            expected = pytest.approx(estimate.value, nan_ok=True, abs=1e-12)
            assert values[name].value == expected, name


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_equal_answers_are_inconclusive_and_unparsed_answers_never_equivalent(family):
    traits = {**TRAITS, "abstention": 0.0, "follow": 1.0}  # above 10 % unparsed is UNPARSED
    runs = [simulate_run(family, TASKS[family], name, 12, traits) for name in ("a", "b")]
    unparsed = [unparse_where(run, lambda outcome: True) for run in runs]
    [pair] = compare_runs(unparsed, all_metrics=True, margins={"": 0.9}).pairs
    assert {metric.verdict for metric in pair.metrics} == {"UNPARSED"}
    [pair] = compare_runs(runs, all_metrics=True, margins={"": 0.01}).pairs
    assert pair.paired.items == 12
    shares = [metric for metric in pair.metrics if metric.spec.unit != "count"]
    measured = [metric for metric in shares if not math.isnan(metric.result.first.value)]
    assert measured
    for metric in measured:
        change = metric.result.difference
        assert (change.value, metric.verdict) == (0, "INCONCLUSIVE")
        # Sampling error remains, although all answers are equal.
        assert not change.ci_low == change.ci_high == 0, metric.name


def test_a_model_that_adopts_fewer_suggestions_is_better(weak, strong):
    [pair] = compare_runs([weak, strong], all_metrics=True).pairs
    assert [metric.name for metric in pair.metrics if metric.headline] == ["moved_to_suggestion"]
    assert pair.metrics[0].headline
    for runs, verdict in (([weak, strong], "BETTER"), ([strong, weak], "WORSE")):
        [adopted] = compare_runs(runs, metric="adopted_suggestion").pairs[0].metrics
        assert (adopted.name, adopted.verdict) == ("adopted_suggestion", verdict)
    by_run = compute_run_metrics(weak), compute_run_metrics(strong)
    assert len(pair.metrics) > 30
    for metric in pair.metrics:
        first, second = metric.result.first.value, metric.result.second.value
        expected = [metrics[metric.name].value for metrics in by_run]
        assert [first, second] == pytest.approx(expected, nan_ok=True)
        assert metric.result.difference.value == pytest.approx(second - first, nan_ok=True)
    assert not {"items", "above_chance_significant"} & {metric.name for metric in pair.metrics}


def test_p_values_of_headlines_and_of_other_metrics_are_adjusted_separately(weak, strong):
    third = simulate_run("instruction_boundary", "conformity", "third", traits={"accuracy": 0.7})
    runs = [weak, strong, third]
    comparison = compare_runs(runs, all_pairs=True, all_metrics=True)
    for headline in (True, False):
        metrics = [metric for metric in comparison.metrics if metric.headline is headline]
        tested = [metric for metric in metrics if not math.isnan(metric.result.difference.p)]
        assert comparison.tests(headline=headline) == len(tested)
        expected = holm([metric.result.difference.p for metric in tested])
        assert [metric.p_adjusted for metric in tested] == pytest.approx(expected)
    pairs = compare_runs(runs, all_pairs=True).pairs
    headlines = [metric.p_adjusted for metric in comparison.metrics if metric.headline]
    assert [pair.metrics[0].p_adjusted for pair in pairs] == headlines


def test_all_pairs_or_each_run_with_the_baseline_run_are_compared(weak, strong):
    third = replace_run(strong, model="third", path=strong.run.path.with_name("third.eval"))
    runs = [replace_answers(run, run.answers[:6]) for run in (weak, strong, third)]

    def compared(**options):
        pairs = compare_runs(runs, **options).pairs
        return [(pair.first.model, pair.second.model) for pair in pairs]

    assert compared() == [("weak", "strong"), ("weak", "third")]
    assert compared(baseline="third") == [("third", "weak"), ("third", "strong")]
    assert compared(baseline="strong.eval") == [("strong", "weak"), ("strong", "third")]
    all_pairs = [("weak", "strong"), ("weak", "third"), ("strong", "third")]
    assert compared(all_pairs=True) == all_pairs
    with pytest.raises(UnusableRunError, match="2 runs of conformity match --baseline strong"):
        compare_runs([*runs, strong], baseline="strong")


def test_an_incompatible_run_does_not_prevent_other_comparisons(weak, strong):
    other = replace_record(strong, version=99)
    comparison = compare_runs([weak, other, replace_run(strong, model="third")])
    assert [pair.second.model for pair in comparison.pairs] == ["third"]
    [left] = comparison.not_compared
    assert (left.failed, "version of the task is not the same" in left.reason) == (True, True)


def test_several_runs_of_a_task_are_paired_by_their_parameters():
    runs = [
        simulate_run("instruction_boundary", "conformity", model, 6, TRAITS, seed=seed)
        for model in ("a", "b")
        for seed in (0, 1)
    ]
    pairs = compare_runs(runs).pairs
    seeds = [{run.record.parameters["seed"] for run in (p.first, p.second)} for p in pairs]
    assert seeds == [{0}, {1}]


def test_incompatible_runs_are_refused_with_the_reason(weak, strong):
    first, *rest = strong.answers
    reworded = [replace(answer, prompt=f"{answer.prompt}!") for answer in strong.answers]
    edited = replace(first, scoring_data=replace(first.scoring_data, gold="other"))
    published = {**strong.run.record.parameters, "protocol": "published"}
    weights = ({"f1": 0.5, "prc": 0.5}, {"f1": 0.25, "prc": 0.75})
    weighted = [simulate_run("binary_qa", "binaryqa", "m", 4, TRAITS, weights=w) for w in weights]
    disjoint = replace_answers(weak, weak.answers[:2]), replace_answers(strong, strong.answers[4:])
    later, other = replace_record(strong, version=99), replace_record(strong, digest="other")
    edited, reworded = (replace_answers(strong, a) for a in ([edited, *rest], reworded))
    other_protocol = replace_record(strong, parameters=published)
    for message, baseline, run in (
        ("no item in common", *disjoint),
        (r"other questions or prompts.*75 more", weak, reworded),
        (f"other questions or prompts.*{first.outcome.item}/", weak, edited),
        (r"version of the task is not the same .* / 99", weak, later),
        (r"protocol corrected / published", weak, other_protocol),
        ("weights is not the same", *weighted),
        # A template changed that is not in the logged prompts.
        (r"their digests differ \(.* / other\)", weak, other),
    ):
        with pytest.raises(UnusableRunError, match=message):
            compare_runs([baseline, run])


def test_runs_with_other_items_are_compared_on_the_items_that_both_have(weak, strong):
    more = simulate_run("instruction_boundary", "conformity", "more", 48, STRONG)
    items = {answer.outcome.item for answer in weak.answers}
    common = replace_answers(more, [a for a in more.answers if a.outcome.item in items])
    for first, second, left_out in ((weak, more, (0, 8)), (more, weak, (8, 0))):
        [pair] = compare_runs([first, second], all_metrics=True).pairs
        assert pair.paired.items == 40
        assert (pair.paired.first_only, pair.paired.second_only) == left_out
        expected = [compute_run_metrics(common if run is more else run) for run in (first, second)]
        for metric in pair.metrics:
            values = [metric.result.first.value, metric.result.second.value]
            assert values == pytest.approx([m[metric.name].value for m in expected], nan_ok=True)
    fewer = replace_answers(strong, strong.answers[:-1])
    [pair] = compare_runs([weak, fewer]).pairs
    assert (pair.paired.items, pair.paired.first_only) == (40, 1), "an item has one answer of two"
    pairs = compare_runs([weak, strong, more]).pairs
    assert [pair.second.model for pair in pairs] == ["strong", "more"]


def test_runs_that_differ_only_in_a_mitigation_are_compared():
    once, thrice = (
        simulate_run("output_format", "format_wrapping", f"r{repeat}", 8, TRAITS, repeat=repeat)
        for repeat in (1, 3)
    )
    [pair] = compare_runs([once, thrice], all_metrics=True).pairs
    differences = [d.name for d in pair.paired.differences if d.kind == "parameter"]
    assert differences == ["repeat"]
    compared = {metric.name for metric in pair.metrics}
    assert {"bias_f", "fi/bolding", "fi/placeholder"} <= compared
    reasoned = simulate_run(
        "output_format", "format_wrapping", "cot", 8, TRAITS, prompting="zs_cot"
    )
    with pytest.raises(UnusableRunError, match=r"other .*prompting zs / zs_cot"):
        compare_runs([once, reasoned])


def test_verdicts():
    undefined = (math.nan, math.nan)
    for bounds, p, margin, better, verdict in (
        ((0.02, 0.08), 0.01, None, "higher", "BETTER"),
        ((0.02, 0.08), 0.01, None, "lower", "WORSE"),
        ((0.02, 0.08), 0.01, None, None, "HIGHER"),
        ((-0.08, -0.02), 0.01, None, None, "LOWER"),
        ((0.02, 0.08), 0.06, None, "higher", "INCONCLUSIVE"),
        ((0.02, 0.08), 0.01, 0.1, "higher", "EQUIVALENT"),
        ((0.02, 0.08), 0.01, 0.08, "higher", "BETTER"),
        ((-0.04, 0.04), 1.0, 0.05, "higher", "EQUIVALENT"),
        ((-0.06, 0.04), 1.0, 0.05, "higher", "INCONCLUSIVE"),
        ((0.0, 0.0), 1.0, None, "higher", "INCONCLUSIVE"),
        (undefined, math.nan, 0.05, "higher", "INCONCLUSIVE"),
    ):
        difference = Estimate(sum(bounds) / 2, *bounds, 50, p)
        assert decide_verdict(difference, margin, better) == verdict, (bounds, p, margin, better)
