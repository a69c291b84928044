"""Comparing runs of every family: pairs, verdicts, and runs that cannot be compared."""

import math
import random
from dataclasses import replace

import pytest

from bias_tasks.families import FAMILY_NAMES
from bias_tasks.results.answers import compute_run_metrics
from bias_tasks.results.comparison import compare_runs, decide_verdict, find_regressions
from bias_tasks.results.run import UnusableRunError
from bias_tasks.results.run_pairing import pair_runs
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm
from bias_tasks.statistics.rate_intervals import without_intervals
from tests.bias_tasks.contract.runs import SPECS, TRAITS
from tests.bias_tasks.results.runs import (
    replace_answers,
    replace_record,
    replace_run,
    simulate_run,
)

WEAK, STRONG = {"accuracy": 0.5, "adopt": 0.8}, {"accuracy": 0.9, "adopt": 0.05}
TASKS = {
    **{"instruction_boundary": "conformity", "binary_qa": "binaryqa_qa"},
    **{"output_format": "format_wrapping", "complex_eval": "complexeval_math"},
    "judge_bias": "judge_pairwise",
}
"""One task of each family."""


@pytest.fixture(scope="module")
def weak():
    return simulate_run("instruction_boundary", "conformity", "weak", traits=WEAK)


@pytest.fixture(scope="module")
def strong():
    return simulate_run("instruction_boundary", "conformity", "strong", traits=STRONG)


def without_parsed_answers(run):
    fields = {"answer": None, "score": 0.0}
    answers = [replace(a, outcome=replace(a.outcome, **fields)) for a in run.answers]
    return replace_answers(run, answers)


def unparse(run, share, variant):
    """Return the run without the first parsed answers under a variant, up to a share of them."""
    keys = [a.outcome.item for a in run.answers if a.outcome.variant == variant]
    items = set(keys[: round(share * len(keys))])
    return replace_answers(
        run,
        [
            replace(a, outcome=replace(a.outcome, answer=None, score=0.0))
            if a.outcome.variant == variant and a.outcome.item in items
            else a
            for a in run.answers
        ],
    )


def repeat(run, epochs):
    """Return the run with the same answers in each of its epochs."""
    answers = [
        replace(a, outcome=replace(a.outcome, epoch=epoch))
        for epoch in range(1, epochs + 1)
        for a in run.answers
    ]
    return replace_answers(run, answers)


def unparse_epochs(run, counts):
    """Return the run with this many unparsed epochs of each of the first items in `conformity`."""
    items = dict.fromkeys(a.outcome.item for a in run.answers)
    unparsed = dict(zip(items, counts, strict=False))

    def change(outcome):
        if outcome.variant == "conformity" and outcome.epoch <= unparsed.get(outcome.item, 0):
            return replace(outcome, answer=None, score=0.0)
        return outcome

    return replace_answers(run, [replace(a, outcome=change(a.outcome)) for a in run.answers])


def test_a_significant_rise_of_unparsed_answers_under_one_variant_is_a_regression(strong):
    def regressions(first, second):
        [pair] = compare_runs([first, replace_run(second, model="second")]).pairs
        return pair.regressions

    reason = "the share of unparsed answers under conformity rises: 25%, and 0% in the first run"
    assert regressions(strong, unparse(strong, 0.25, "conformity")) == (reason,)
    assert regressions(unparse(strong, 0.25, "conformity"), strong) == ()
    tenth = unparse(strong, 0.1, "vanilla")
    assert regressions(strong, tenth) == ()  # 10 points are not more than 10 points
    assert regressions(strong, strong) == regressions(tenth, tenth) == ()
    few = simulate_run("instruction_boundary", "conformity", "few", n=10, traits=STRONG)
    assert regressions(few, unparse(few, 0.3, "conformity")) == ()  # p = 0.25, adjusted for two
    mostly = "60 of 80 answers are unparsed"
    half = unparse(strong, 1, "vanilla")
    assert regressions(half, unparse(half, 0.5, "conformity")) == (mostly,)


def test_equal_rates_of_unparsed_answers_are_rarely_a_regression(strong):
    drawn = random.Random(1)

    def draw(share):
        answers = [
            replace(a, outcome=replace(a.outcome, answer=None)) if drawn.random() < share else a
            for a in strong.answers
        ]
        return replace_answers(strong, answers)

    for first, second, low, high in ((0.3, 0.3, 0, 0.05), (0.02, 0.2, 0.8, 1), (0.1, 0.1, 0, 0.02)):
        pairs = [pair_runs(draw(first), draw(second)) for _ in range(100)]
        rate = sum(any(find_regressions(pair)) for pair in pairs) / len(pairs)
        assert low <= rate <= high, (first, second)


def test_a_rise_is_not_simulated_by_another_number_of_epochs(strong):
    some = unparse(strong, 0.3, "conformity")
    for epochs in ((1, 3), (3, 1)):
        [pair] = compare_runs([repeat(some, n) for n in epochs]).pairs
        assert pair.regressions == ()
    [pair] = compare_runs([repeat(strong, 3), repeat(some, 1)]).pairs
    assert len(pair.regressions) == 1


def test_each_item_rises_or_falls_by_its_shares_of_unparsed_epochs(strong):
    """By hand, over 40 items. Counts of epochs would decide the opposite in both pairs."""

    def compare(first_epochs, second_epochs, unparsed_by_item):
        """Compare runs by the numbers of unparsed epochs of the first items in both runs."""
        counts = zip(*unparsed_by_item, strict=True)
        epochs = first_epochs, second_epochs
        runs = [unparse_epochs(repeat(strong, n), c) for n, c in zip(epochs, counts, strict=True)]
        [pair] = compare_runs(runs).pairs
        return pair.regressions

    # 12 items rise from 1/3 to 1: p = 2 / 2**12, adjusted for two variants.
    rise = "the share of unparsed answers under conformity rises: 30%, and 10% in the first run"
    assert compare(3, 1, [(1, 1)] * 12) == (rise,)
    # The share rises from 25% to 39%, but 10 items fall from 1 to 2/3 and only 9 rise from 0 to 1.
    assert compare(1, 3, [(1, 2)] * 10 + [(0, 3)] * 9) == ()
    # Without the items that fall, 9 items are enough: p = 2 / 2**9.
    assert len(compare(1, 3, [(0, 0)] * 10 + [(0, 3)] * 9)) == 1


def test_runs_that_rarely_follow_formats_are_not_worse_than_each_other():
    run = simulate_run("output_format", "format_wrapping", "m", traits={"follow": 0.2})
    unparsed = sum(a.outcome.answer is None for a in run.answers)
    assert unparsed > len(run.answers) / 2
    [pair] = compare_runs([run, replace_run(run, model="other")]).pairs
    assert pair.regressions == ()
    followed = simulate_run("output_format", "format_wrapping", "m", traits={"follow": 0.9})
    [pair] = compare_runs([followed, run]).pairs
    assert pair.regressions


def test_values_are_the_same_if_no_intervals_are_computed():
    for family, spec in SPECS:
        names = {parameter.name for parameter in spec.parameters}
        attention = {"n": 2, "k": "0,2,5,9", "mode": "joint,per_dimension"}
        parameters = attention if "k" in names else {"n": 4}
        run = simulate_run(family, spec.name, "m", traits=TRAITS, **parameters)
        metrics = compute_run_metrics(run)
        with without_intervals():
            values = compute_run_metrics(run)
        assert list(values) == list(metrics)
        metrics.pop("above_chance_significant", None)  # follows from an interval
        for name, estimate in metrics.items():
            assert values[name].n == estimate.n
            expected = pytest.approx(estimate.value, nan_ok=True, abs=1e-12)
            assert values[name].value == expected, name


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_equal_answers_are_inconclusive_and_unparsed_answers_never_equivalent(family):
    traits = {
        **TRAITS,
        "abstention": 0.0,
        "follow": 1.0,
    }  # more than 10 % of unparsed answers are UNPARSED
    runs = [simulate_run(family, TASKS[family], name, 12, traits) for name in ("a", "b")]
    unparsed = [without_parsed_answers(run) for run in runs]
    [pair] = compare_runs(unparsed, all_metrics=True, margins={"": 0.9}).pairs
    assert {metric.verdict for metric in pair.metrics} == {"UNPARSED"}
    [pair] = compare_runs(runs, all_metrics=True, margins={"": 0.01}).pairs
    assert pair.paired.items == 12
    shares = [metric for metric in pair.metrics if metric.spec.unit != "count"]
    measured = [metric for metric in shares if not math.isnan(metric.result.first.value)]
    assert measured
    for metric in measured:
        change = metric.result.difference
        assert change.value == 0
        # Sampling error remains, although all answers are equal.
        assert not change.ci_low == change.ci_high == 0, metric.name
        assert metric.verdict == "INCONCLUSIVE"


def test_a_model_that_adopts_fewer_suggestions_is_better(weak, strong):
    [pair] = compare_runs([weak, strong], all_metrics=True).pairs
    assert pair.metrics[0].name == "moved_to_suggestion"
    assert [metric.headline for metric in pair.metrics].count(True) == 1
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
    names = {metric.name for metric in pair.metrics}
    assert not {"items", "above_chance_significant"} & names


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
