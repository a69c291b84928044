"""Comparing runs of every family: pairs, verdicts, and what is refused."""

import math
from dataclasses import replace

import pytest

from bias_tasks.families import FAMILY_NAMES
from bias_tasks.results.answers import card_of
from bias_tasks.results.comparison.compare import compare_runs, verdict_of
from bias_tasks.results.run import UnusableRunError
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm
from bias_tasks.statistics.intervals import without_limits
from tests.bias_tasks.contract.runs import SPECS, TRAITS
from tests.bias_tasks.results.runs import answered, with_answers, with_record, with_run

WEAK, STRONG = {"accuracy": 0.5, "adopt": 0.8}, {"accuracy": 0.9, "adopt": 0.05}
MAIN = {
    **{"instruction_boundary": "conformity", "binary_qa": "binaryqa_qa"},
    **{"output_format": "format_wrapping", "complex_eval": "complexeval_math"},
    "judging": "judge_pairwise",
}


@pytest.fixture(scope="module")
def weak():
    return answered("instruction_boundary", "conformity", "weak", planted=WEAK)


@pytest.fixture(scope="module")
def strong():
    return answered("instruction_boundary", "conformity", "strong", planted=STRONG)


def silent(run):
    """The run without an answer that was read."""
    nothing = {"answer": None, "score": 0.0}
    answers = [replace(each, outcome=replace(each.outcome, **nothing)) for each in run.answers]
    return with_answers(run, answers)


def test_values_do_not_change_where_limits_are_not_worked_out():
    for family, spec in SPECS:
        modes = "mode" in {each.name for each in spec.parameters}
        given = {"n": 2, "k": "0,2,5,9", "mode": "joint,per_dimension"} if modes else {"n": 4}
        run = answered(family, spec.name, "m", planted=TRAITS, **given)
        card = card_of(run)
        with without_limits():
            bare = card_of(run)
        assert list(bare) == list(card)
        card.pop("can_tell", None)  # it is told by limits
        for name, figure in card.items():
            assert bare[name].n == figure.n
            assert bare[name].value == pytest.approx(figure.value, nan_ok=True, abs=1e-12), name


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_of_the_same_answers_the_interval_tells_what_could_have_been_missed(family):
    """And where nothing was read, none are said to be equivalent."""
    runs = [answered(family, MAIN[family], name, 12, TRAITS) for name in ("a", "b")]
    unread = compare_runs(map(silent, runs), every=True, margins={"": 0.9}).pairs[0]
    assert {each.verdict for each in unread.figures} == {"UNREAD"}
    [pair] = compare_runs(runs, every=True, margins={"": 0.01}).pairs
    assert pair.paired.items == 12
    shares = [each for each in pair.figures if each.declared.unit != "count"]
    shown = [each for each in shares if not math.isnan(each.found.first.value)]
    assert shown
    for each in shown:
        change = each.found.difference
        assert change.value == 0
        assert not change.ci_low == change.ci_high == 0, each.name
        assert each.verdict == "INCONCLUSIVE"


def test_a_model_that_gives_in_less_is_better(weak, strong):
    [pair] = compare_runs([weak, strong], every=True).pairs
    assert pair.figures[0].name == "moved_to_suggestion"
    assert [each.headline for each in pair.figures].count(True) == 1
    for runs, verdict in (([weak, strong], "BETTER"), ([strong, weak], "WORSE")):
        [adopted] = compare_runs(runs, figures="adopted").pairs[0].figures
        assert (adopted.name, adopted.verdict) == ("adopted", verdict)
    cards = card_of(weak), card_of(strong)
    assert len(pair.figures) > 30
    for each in pair.figures:
        one, other = each.found.first.value, each.found.second.value
        expected = [card[each.name].value for card in cards]
        assert [one, other] == pytest.approx(expected, nan_ok=True)
        assert each.found.difference.value == pytest.approx(other - one, nan_ok=True)
    assert not {"items", "can_tell"} & {each.name for each in pair.figures}


def test_p_values_of_headlines_and_of_other_figures_are_adjusted_apart(weak, strong):
    third = answered("instruction_boundary", "conformity", "third", planted={"accuracy": 0.7})
    runs = [weak, strong, third]
    found = compare_runs(runs, pairs=True, every=True)
    every = [each for pair in found.pairs for each in pair.figures]
    for headline in (True, False):
        of_kind = [each for each in every if each.headline is headline]
        tested = [each for each in of_kind if not math.isnan(each.found.difference.p)]
        assert found.tests(headline=headline) == len(tested)
        expected = holm([each.found.difference.p for each in tested])
        assert [each.p for each in tested] == pytest.approx(expected)
    alone = [pair.figures[0].p for pair in compare_runs(runs, pairs=True).pairs]
    assert alone == [each.p for each in every if each.headline]


def test_all_pairs_or_each_against_the_baseline(weak, strong):
    third = with_run(strong, model="third", path=strong.run.path.with_name("third.eval"))
    runs = [with_answers(run, run.answers[:6]) for run in (weak, strong, third)]

    def compared(**asked):
        pairs = compare_runs(runs, **asked).pairs
        return [(pair.first.model, pair.second.model) for pair in pairs]

    assert compared() == [("weak", "strong"), ("weak", "third")]
    assert compared(baseline="third") == [("third", "weak"), ("third", "strong")]
    assert compared(baseline="strong.eval") == [("strong", "weak"), ("strong", "third")]
    assert compared(pairs=True) == [("weak", "strong"), ("weak", "third"), ("strong", "third")]
    with pytest.raises(UnusableRunError, match="2 runs of conformity are the baseline strong"):
        compare_runs([*runs, strong], baseline="strong")


def test_a_run_that_cannot_be_compared_keeps_no_other_from_it(weak, strong):
    other = with_record(strong, version=99)
    found = compare_runs([weak, other, with_run(strong, model="third")])
    assert [pair.second.model for pair in found.pairs] == ["third"]
    [left] = found.not_compared
    assert (left.failed, "version of the task differs" in left.why) == (True, True)


def test_several_runs_of_a_task_are_paired_by_their_parameters():
    runs = [
        answered("instruction_boundary", "conformity", model, 6, TRAITS, seed=seed)
        for model in ("a", "b")
        for seed in (0, 1)
    ]
    pairs = compare_runs(runs).pairs
    seeds = [{run.record["parameters"]["seed"] for run in (p.first, p.second)} for p in pairs]
    assert seeds == [{0}, {1}]


def test_what_cannot_be_compared_is_refused_with_the_reason(weak, strong):
    first, *rest = strong.answers
    reworded = [replace(each, prompt=f"{each.prompt}!") for each in strong.answers]
    asked_else = replace(first, facts={**first.facts, "offered": 99})
    published = {**strong.run.record["parameters"], "protocol": "published"}
    weights = ({"f1": 0.5, "prc": 0.5}, {"f1": 0.25, "prc": 0.75})
    weighted = [answered("binary_qa", "binaryqa", "m", 4, TRAITS, weights=w) for w in weights]
    more = answered("instruction_boundary", "conformity", "more", 48, STRONG)
    ends = with_answers(weak, weak.answers[:2]), with_answers(strong, strong.answers[4:])
    later, other = with_record(strong, version=99), with_record(strong, digest="other")
    fewer = with_answers(strong, strong.answers[:-6])
    asked_else, reworded = (with_answers(strong, a) for a in ([asked_else, *rest], reworded))
    for said, one, another, overlap in (
        (r"asked other items: .* \(n 40 / 48\); --overlap", weak, more, False),
        ("6 answers of the first run are not in", weak, fewer, False),
        ("no item in common", *ends, True),
        (r"by other prompts.*75 more", weak, reworded, False),
        (r"by other prompts.*75 more", weak, reworded, True),
        (f"other questions.*{first.outcome.item}/", weak, asked_else, True),
        (r"version of the task differs .* / 99", weak, later, False),
        (r"protocol corrected / published", weak, with_record(strong, parameters=published), False),
        ("their weights differs", *weighted, False),
        # A template that prompts do not show.
        (r"what is asked differs \(digest .* / other\)", weak, other, False),
    ):
        with pytest.raises(UnusableRunError, match=said):
            compare_runs([one, another], overlap=overlap)


def test_runs_that_differ_in_a_mitigation_alone_are_compared():
    once, thrice = (
        answered("output_format", "format_wrapping", f"r{repeat}", 8, TRAITS, repeat=repeat)
        for repeat in (1, 3)
    )
    [pair] = compare_runs([once, thrice]).pairs
    assert [each.name for each in pair.paired.differing if each.kind == "parameter"] == ["repeat"]
    reasoned = answered("output_format", "format_wrapping", "cot", 8, TRAITS, prompting="zs_cot")
    with pytest.raises(UnusableRunError, match=r"other .*prompting zs / zs_cot"):
        compare_runs([once, reasoned])


def test_verdicts():
    nothing = (math.nan, math.nan)
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
        (nothing, math.nan, 0.05, "higher", "INCONCLUSIVE"),
    ):
        difference = Estimate(sum(bounds) / 2, *bounds, 50, p)
        assert verdict_of(difference, margin, better) == verdict, (bounds, p, margin, better)
