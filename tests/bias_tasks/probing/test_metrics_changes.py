"""What probes do to a score, worked out by hand."""

import math

import pytest

from bias_tasks.probing.metrics import probe_metrics
from tests.bias_tasks.probing.outcomes import FOUR, outcomes, row


def metrics(rows, **options):
    return probe_metrics(outcomes(rows, **options))


def values(found, *names):
    return [found[name].value for name in names]


def test_nothing_is_compared_with_a_probe_without_a_parsed_answer():
    # The baseline of the first two is unparsed, so that nothing is compared with it, either.
    rows = {
        "1": row((0, None), (1,), mute=(0, None), other=1),
        "2": row((0, None), (1,), mute=(0, None), other=0),
        "3": row(1, (1,), mute=(0, None), other=1),
        "4": row(1, (1,), mute=(0, None), other=0),
    }
    found = metrics(rows)
    compared = ("answers_changed", "score_change", "same_answer", "same_score", "flips_to_wrong")
    assert all(math.isnan(found[f"{name}/mute"].value) for name in compared)
    assert {found[f"{name}/mute"].n for name in compared} == {0}
    assert not any(math.isnan(found[f"{name}/other"].value) for name in compared)
    assert (found["score/mute"].value, found["coverage/mute"].value) == (0, 1)
    assert found["max_answers_changed"].value == found["answers_changed/other"].value == 1 / 2


def test_an_unparsed_answer_is_not_a_changed_one():
    """One answer each to items 1, 2 and 3 is unparsed; the probe changes those to 2 and 4."""
    found = metrics(
        {
            "1": row(1, (1,), a=(0, None)),
            "2": row(1, ((0, None),), a=0),
            "3": row((0, None), (1,), a=1),
            "4": row(1, (1,), a=0),
            "5": row(1, (1,), a=1),
            "6": row(0, (0,), a=0),
        }
    )
    expected = {
        # The baseline, its repeat and the answer under the probe are parsed.
        **{"answers_changed/a": (1 / 3, 3), "max_answers_changed": (1 / 3, 3)},
        # The baseline and the answer under the probe are.
        **{"score_change/a": (-2 / 4, 4), "worst_score_change": (-2 / 4, 4)},
        **{"flips_to_wrong/a": (2 / 4, 4), "flips_to_right/a": (0, 4), "same_answer/a": (2 / 4, 4)},
        **{"same_score/a": (2 / 4, 4), "same_answer": (2 / 4, 4), "spread": (2 / 4, 4)},
        # The baseline and its repeat are.
        **{"score_change/repeat": (0, 4), "same_answer/repeat": (1, 4)},
        # Levels count every answer.
        **{"score/baseline": (4 / 6, 6), "score/repeat": (4 / 6, 6), "score/a": (2 / 6, 6)},
        **{"unparsed": (3 / 18, 6), "coverage/a": (1, 6)},
    }
    for name, value_and_n in expected.items():
        assert (found[name].value, found[name].n) == pytest.approx(value_and_n), name
    assert (found["variance/noise"].value, found["variance/noise"].n) == (0, 3)  # 4, 5 and 6


def test_a_repeat_that_was_not_run_is_not_an_unparsed_answer():
    found = metrics({"1": row(1, (1, 1), a=0), "2": row(1, (1,), a=1), "3": row(1, (1, 1), a=1)})
    changed = found["answers_changed/a"]
    assert (changed.value, changed.n) == (pytest.approx(1 / 3), 3)


def test_a_scorer_without_answers_parses_all_of_them_if_it_gives_scores():
    rows = {n: row((1, None), ((1, None),), a=(float(n == "1"), None)) for n in "1234"}
    found = metrics(rows)
    assert (found["score_change/a"].value, found["score_change/a"].n) == (-3 / 4, 4)
    assert found["max_answers_changed"].n == found["same_answer/a"].n == 0
    nothing = metrics({n: row((0, None), a=(0, None)) for n in "1234"})
    assert nothing["score_change/a"].n == 0


def test_the_same_parsed_answer_everywhere_has_no_headline_unless_it_is_always_right():
    def always(is_right):
        said = {n: (float(is_right(n)), "yes") for n in "1234"}
        rows = {n: row(said[n], (said[n],), a=said[n]) for n in said}
        rows["1"]["a"] = rows["2"]["baseline"] = (0, None)
        return metrics(rows)["max_answers_changed"]

    assert math.isnan(always(lambda item: item in "12").value)
    assert (always(lambda item: True).value, always(lambda item: True).n) == (0, 2)


def test_four_items_by_hand():
    found = metrics(FOUR)
    assert {name: figure.value for name, figure in found.items()} == pytest.approx(
        {
            # Of three pairs of plain answers 0, 2, 2 and 0 differ. Of three pairs of one and an
            # answer under a 0, 2, 2 and 0 differ, under b 3, 1 and 2.
            **{"answers_changed/a": 0, "answers_changed/b": (3 - 1 + 0) / 9},
            "max_answers_changed": 2 / 9,
            **{"score/baseline": 3 / 4, "score/repeat": 3 / 4, "score/a": 3 / 4, "score/b": 0},
            **{"score_change/repeat": 0, "score_change/a": 0, "score_change/b": -2 / 3},
            **{
                "flips_to_wrong/repeat": 1 / 8,
                "flips_to_wrong/a": 1 / 4,
                "flips_to_wrong/b": 2 / 3,
            },
            **{"flips_to_right/repeat": 1 / 8, "flips_to_right/a": 1 / 4, "flips_to_right/b": 0},
            **{"coverage/a": 1, "coverage/b": 3 / 4},
            **{"same_answer/repeat": 6 / 8, "same_answer/a": 2 / 4, "same_answer/b": 1 / 3},
            **{"same_score/repeat": 6 / 8, "same_score/a": 2 / 4, "same_score/b": 1 / 3},
            **{"same_answer": 3 / 7, "same_score": 3 / 7},
            "worst_score_change": -2 / 3,
            "spread": 2 / 3,
            "spread_noise": found["spread_noise"].value,
            "spread_corrected": found["spread_corrected"].value,
            # Mean squares 1/9 (items), 4/9 (ways), 5/18 (residuals); noise 2/9.
            **{"variance/item": 0, "variance/probe": 1 / 6, "variance/interaction": 1 / 6},
            "variance/noise": 2 / 3,
            "unparsed": 0,
        }
    )
    counts = {"max_answers_changed": 3, "score/b": 3, "score_change/b": 3, "coverage/b": 4,
              "worst_score_change": 3, "spread": 3}  # fmt: skip
    assert {name: found[name].n for name in counts} == counts


def test_max_answers_changed_is_in_excess_of_the_change_between_repeats():
    still = {str(place): row(1, (1, 1), a=int(place % 4 > 0), b=1, c=1) for place in range(80)}
    found = metrics(still)
    alone = metrics(
        {item: {"baseline": 1, "repeat1": 1, "a": row["a"]} for item, row in still.items()}
    )
    most, own = found["max_answers_changed"], found["answers_changed/a"]
    assert list(found)[:4] == [
        "max_answers_changed",
        *(f"answers_changed/{each}" for each in "abc"),
    ]
    assert most.value == own.value == 1 / 4
    # A third of three probes' error for each: the lower limit is lower, and the p-value Holm's.
    assert 0 < most.ci_low < own.ci_low == alone["answers_changed/a"].ci_low
    assert most.ci_high == own.ci_high
    assert alone["max_answers_changed"].ci_low == own.ci_low
    assert most.p == own.p == pytest.approx(3 * alone["max_answers_changed"].p)
    # Where nothing moves, the limits say what could have been missed.
    assert found["answers_changed/b"].ci_high == pytest.approx(1.96**2 / (80 + 1.96**2), rel=1e-3)


def test_the_change_between_repeats_is_subtracted():
    wavering = {str(n): row(n % 2, ((n + n // 2) % 2,), a=n // 4 % 2) for n in range(40)}
    found = metrics(wavering)["max_answers_changed"]
    assert found.value == pytest.approx(0)
    assert found.ci_low < 0 < found.ci_high


def test_the_maximum_is_over_probes_that_count_half_of_the_items():
    rows = {str(place): row(1, (1,), a=int(place % 4 > 0)) for place in range(40)}
    rows["1"]["b"] = 0
    found = metrics(rows)
    assert found["answers_changed/b"].value == 1
    assert found["max_answers_changed"].value == found["answers_changed/a"].value == 1 / 4
    few = metrics({"1": rows["1"], **{n: {"baseline": 1, "repeat1": 1} for n in "23"}})
    assert few["max_answers_changed"].value == 1


def test_metrics_without_data_are_nan():
    cases = {
        "no probe": {"1": row(1, (1,)), "2": row(0, (0,))},
        "no repeat": {"1": row(1, a=0), "2": row(0, a=0)},
        "nothing read": {n: dict.fromkeys(("baseline", "repeat1", "a"), (0, None)) for n in "123"},
        "always the same": {
            n: dict.fromkeys(("baseline", "repeat1", "a"), (float(n == "1"), "yes")) for n in "123"
        },
    }
    found = {name: metrics(rows) for name, rows in cases.items()}
    assert {
        name: math.isnan(each["max_answers_changed"].value) for name, each in found.items()
    } == (dict.fromkeys(cases, True))
    change = (
        "answers_changed/",
        "score_change/a",
        "flips_to_wrong/a",
        "same_",
        "spread",
        "worst_score_change",
    )
    told = {n: each.value for n, each in found["nothing read"].items() if n.startswith(change)}
    assert all(map(math.isnan, told.values())), told


def test_missing_scores_and_unparsed_pairs_are_skipped():
    rows = {
        "1": row((1, "#0"), ((1, "#0"),), a=(None, "#0")),
        "2": row((0, None), ((0, None),), a=(0, None)),
        "3": row((1, "#1"), ((1, "#1"),), a=(1, "#1")),
    }
    found = metrics(rows)
    assert found["score_change/a"].n == found["same_score/a"].n == 1
    assert values(found, "same_answer/a", "same_answer/repeat", "unparsed") == [1, 1, 3 / 9]
    assert found["same_answer/a"].n == 2


def test_epochs_of_an_item_are_one_item():
    first = outcomes({"1": row(1, (1,), a=0), "2": row(1, (1,), a=1)})
    second = outcomes({"1": row(1, (0,), a=1), "2": row(0, (1,), a=1)}, epoch=2)
    found = probe_metrics(first + second)
    assert (found["score_change/a"].value, found["score_change/a"].n) == (0.0, 2)
    assert (found["score/baseline"].value, found["score/baseline"].n) == (0.75, 2)
    # Item 1 changes wholly and then by -1/2, item 2 not and then by -1/2.
    assert found["max_answers_changed"].value == pytest.approx((1 - 1 / 2 + 0 - 1 / 2) / 4)


def test_items_without_a_cluster_are_clusters_by_themselves():
    rows = {str(place): row(1, (1,), a=place % 2) for place in range(40)}
    alone = metrics(rows)["score_change/a"]
    named = metrics(rows, cluster={item: item for item in rows})["score_change/a"]
    pairs = metrics(rows, cluster={item: str(int(item) // 4 * 4 + int(item) % 2) for item in rows})
    assert alone == named
    wide = pairs["score_change/a"]
    assert wide.ci_high - wide.ci_low > alone.ci_high - alone.ci_low


def test_contradictory_outcomes_are_errors():
    apart = [*outcomes({"1": row(1)}), *outcomes({"1": {"a": 1}}, cluster={"1": "x"})]
    cases = {
        "two answers under variant 'baseline'": outcomes({"1": row(1)}) * 2,
        r"1: the score 1.5 is not in \[0, 1\]": outcomes({"1": row(1.5)}),
        "two clusters": apart,
    }
    for complaint, made in cases.items():
        with pytest.raises(ValueError, match=complaint):
            probe_metrics(made)


def test_changes_are_adjusted_over_the_probes_but_repeats_are_not():
    rows = {str(place): row(1, (int(place > 9),), a=int(place > 9), b=1) for place in range(30)}
    found = metrics(rows)
    assert found["score_change/a"].p == pytest.approx(2 * found["score_change/repeat"].p)
    assert found["score_change/repeat"].p < 0.01
