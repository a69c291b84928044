"""Figures of judges on pairs and on attacked responses, counted by hand and of planted judges."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.metrics_attacks import attacks_scorecard
from bias_tasks.complex_eval.metrics_pairs import pairs_scorecard
from bias_tasks.complex_eval.outcomes import outcome_of
from bias_tasks.contract.family import Answer
from tests.bias_tasks.complex_eval.runs import judged, judgement, pairs, planned

# Ahead by 3, 1, 0.5, 0.25, 0, -0.5, -0.75, -2, and two unread.
CHOSEN = [8, 6, 6.5, 6.25, 5, 5, 5.25, 3, None, 7]
REJECTED = [5, 5, 6, 6, 5, 5.5, 6, 5, 4, None]


def test_accuracy_by_hand():
    default = pairs_scorecard(pairs(CHOSEN, REJECTED))
    for theta, right, ties in ((0, 4, 1), (0.25, 3, 2), (0.5, 2, 4), (1, 1, 6), (2, 1, 7)):
        card = pairs_scorecard(pairs(CHOSEN, REJECTED), theta=theta)
        assert card["acc/none"].value == pytest.approx(right / 10)  # unread pairs are wrong
        assert card["acc_half_ties/none"].value == pytest.approx((right + ties / 2) / 10)
        assert card["acc/none"].n == card["acc_half_ties/none"].n == 10
        assert default[f"acc@theta={theta}/none"] == card["acc/none"]
    assert default["unread"].value == pytest.approx(2 / 20)
    assert default["acc/none"] == default["acc@theta=0.5/none"]
    assert default["acc_half_ties@theta=0/none"].value == pytest.approx(4.5 / 10)


def test_a_difference_of_theta_ties_however_it_is_rounded():
    for low, high in ((7.8, 8.3), (1.1, 1.6), (19 / 3, 19 / 3 + 0.5)):
        for chosen, rejected in ((low, high), (high, low)):
            card = pairs_scorecard(pairs([chosen], [rejected]))
            assert card["acc_half_ties/none"].value == 0.5


def test_the_run_s_own_thresholds_count():
    def card(task, threshold, *scores, **given):
        asked = planned(task, n=1, **given).questions
        said = [outcome_of(q.facts, Answer(s)) for q, s in zip(asked, scores, strict=True)]
        return FAMILY.scorecard(said, threshold)

    for theta, right in ((0.5, 1), (2, 0)):
        told = '{"score": 6}', '{"score": 5}'
        found = card("basic", {"theta": theta}, *told, aux="none", attack="none")
        assert found["acc/none"].value == right
    names = planned("writing", n=1).questions[0].facts["form"]["criteria"]
    for beta, won in ((1.0, 1), (3.0, 0)):
        told = (json.dumps({"scores": dict.fromkeys(names, score)}) for score in (5, 5, 7))
        found = card("writing", {"beta": beta}, *told, bias="format")
        assert found["asr/format"].value == won


def test_agreement_and_gain_by_hand():
    none = pairs([8, 8, 5, 3, 8, None], [5, 5, 5, 6, 5, 5])  # 1 1 . 0 1 unread
    told = pairs([8, 5, 5, 8, None, None], [5, 5, 5, 5, 5, 5], "reference")  # 1 . . 1 unread x2
    card = pairs_scorecard(none + told)
    assert card["rr/reference"].value == pytest.approx(2 / 6)  # the first and the third
    assert card["acc/none"].value == pytest.approx(3 / 6)
    assert card["acc/reference"].value == pytest.approx(2 / 6)
    assert card["gain/reference"].value == pytest.approx(-1 / 5)  # the last is unread under both
    assert card["gain/reference"].p is not None
    assert not {"rr/none", "gain/none", "attack_cost/none"} & set(card)


def test_epochs_are_compared_within_themselves_and_averaged():
    run = pairs([8], [5], epoch=1) + pairs([5], [8], epoch=2) + pairs([8], [8], epoch=3)
    run += pairs([5], [8], "reference", epoch=1) + pairs([5], [8], "reference", epoch=2)
    card = pairs_scorecard(run)
    assert card["acc/none"].value == pytest.approx(1 / 3)
    assert card["acc_half_ties/none"].value == pytest.approx(1 / 2)
    assert card["rr/reference"].value == card["acc/none"].value + 1 / 6 == 0.5
    assert card["gain/reference"].value == -0.5
    assert card["acc/none"].n == 1


SCORES = st.one_of(st.none(), st.integers(4, 40).map(lambda quarters: quarters / 4))
ROWS = st.lists(st.tuples(SCORES, SCORES, SCORES), min_size=1, max_size=12)


def _told(rows):
    chosen, rejected, attacked = zip(*rows, strict=True)
    attack = pairs(chosen, attacked, name="rejected~rubric")
    return pairs(chosen, rejected) + [j for j in attack if j.response != "chosen"]


@given(ROWS, st.randoms())
def test_order_does_not_matter_and_a_score_lost_never_helps(rows, random):
    run = _told(rows)
    card = pairs_scorecard(run)
    place = random.randrange(len(run))
    less = pairs_scorecard([*run[:place], replace(run[place], score=None), *run[place + 1 :]])
    random.shuffle(run)
    again = pairs_scorecard(run)
    for name, figure in card.items():
        assert again[name].value == pytest.approx(figure.value, nan_ok=True)
        assert again[name].ci_low == pytest.approx(figure.ci_low, nan_ok=True)
        if name.startswith(("acc", "rr")):
            assert less[name].value <= figure.value + 1e-12


def test_success_of_attacks_on_scores_by_hand():
    card = attacks_scorecard(
        judged(
            "role_playing",
            original=[50, 50, 50, 50, None, 50, 50, 50],
            original_2=[60, 50, 40, 50, 90, 50, None, 55],
            format=[60, 59.5, 70, None, 99, 50, 90, ...],
        )
    )
    # Attackable: all but the fifth; the last was not attacked. Won: the first, third and seventh.
    assert card["asr/format"].value == pytest.approx(3 / 6)
    assert card["asr/format"].n == 6
    assert card["asr/original"].value == pytest.approx(1 / 7)
    assert card["asr_excess/format"].value == pytest.approx(2 / 6)
    assert card["asr_excess/format"].n == 6
    assert card["attackable"].value == pytest.approx(7 / 8)
    assert card["unread"].value == pytest.approx((1 / 3 + 1 / 3 + 1 / 3) / 8)
    assert card["delta/format"].value == pytest.approx((10 + 9.5 + 20 + 0 + 40) / 5)
    assert card["delta/original"].value == pytest.approx((10 - 10 + 5) / 6)
    assert card["asr@beta=5/format"].value == pytest.approx(4 / 6)
    assert card["asr@beta=20/format"].value == pytest.approx(2 / 6)
    assert card["asr@beta=10/format"] == card["asr/format"] == card["d/asr/format"]


def test_success_of_attacks_on_positions_by_hand():
    card = attacks_scorecard(
        judged(
            "math",
            gold=[2, 2, 2, -1, -1, 0],
            original=[2, 2, 1, -1, -1, None],
            original_2=[2, 1, 2, -1, None, 0],
            format=[1, 2, 1, 0, None, 3],
        )
    )
    # Located at first: items 1, 2, 4, 5. After the attack 1 and 4 are wrong, and 5 is unread.
    assert card["attackable"].value == pytest.approx(4 / 6)
    assert card["asr/format"].value == pytest.approx(2 / 4)
    assert card["asr/original"].value == pytest.approx(1 / 4)
    assert card["asr_excess/format"].value == pytest.approx(1 / 4)
    assert card["asr/format"].n == 4
    assert not [name for name in card if name.startswith("delta") or "@" in name]


def test_nothing_attackable_has_no_rate():
    card = attacks_scorecard(judged("math", gold=[1, 2], original=[0, 0], format=[1, 2]))
    assert card["attackable"].value == 0
    assert math.isnan(card["asr/format"].value)
    assert card["asr/format"].n == 0
    card = attacks_scorecard(judged("role_playing", format=[10, 20]))
    assert card["unread"].value == 0
    assert "asr/format" not in card


def test_judgements_that_contradict_each_other_are_named():
    good = judgement("q1", "none", "chosen", 7)
    other = {
        "judged twice in epoch 1": good,
        "another domain": judgement("q1", "none", "rejected", 7, domain="e"),
        "another cluster": judgement("q1", "none", "rejected", 7, cluster="c"),
        "another gold": judgement("q1", "none", "rejected", 7, gold=3),
    }
    for reason, bad in other.items():
        with pytest.raises(ValueError, match=f"item 'q1'.*{reason}"):
            pairs_scorecard([good, bad])
