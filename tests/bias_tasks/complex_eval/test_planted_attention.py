"""Judges that look for flaws: what they miss and imagine comes back through the figures."""

from functools import cache

import pytest

from bias_tasks.complex_eval.attention_limit import plan_attention
from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.family import Answer
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent


def near(estimate, truth):
    """Whether a truth lies within twice the interval's width around the value."""
    return abs(estimate.value - truth) <= estimate.ci_high - estimate.ci_low


@cache
def flaw_questions():
    planned = plan_attention(mode="joint,per_dimension", k="0,4,6,8,20", n=20, seed=3)
    return [(each.facts, each.prompt, KnownItems(each.known)) for each in planned.questions]


def counted(persona="fair_judge", **planted):
    respondent = make_respondent(persona, planted)
    outcomes = [
        FAMILY.read(facts, Answer(respondent.respond(prompt, known)))
        for facts, prompt, known in flaw_questions()
    ]
    return FAMILY.scorecard(outcomes, {})


def test_a_fair_judge_finds_every_flaw_where_it_is():
    found = counted()
    for mode in ("joint", "per_dimension"):
        for k in (0, 4, 6, 8, 20):
            assert found[f"found@k={k}/{mode}"].value == k
        assert found[f"recall/{mode}"].value == found[f"precision/{mode}"].value == 1


def test_tunnel_vision_is_the_ceiling_of_each_call():
    found = counted("tunnel")
    assert found["ceiling/joint"].value == pytest.approx(6)
    assert found["breakpoint/joint"].value == pytest.approx(6)
    assert found["found@k=20/per_dimension"].value == 20
    found = counted(tunnel=2)
    assert found["ceiling/joint"].value == pytest.approx(2)
    assert found["ceiling/per_dimension"].value == pytest.approx(8)
    assert found["breakpoint/per_dimension"].value == pytest.approx(8)


def test_accuracy_is_the_share_of_flaws_found():
    found = counted(accuracy=0.6)
    assert near(found["recall/joint"], 0.6)
    assert near(found["slope/joint"], 0.6)
    assert found["recall/per_dimension"] == found["recall/joint"]
    assert found["precision/joint"].value == 1


def test_false_alarms_are_the_floor():
    found = counted(false_alarms=0.4)
    for mode in ("joint", "per_dimension"):
        assert near(found[f"floor/{mode}"], 4 * 0.4)
        assert found[f"slope/{mode}"].value == pytest.approx(1)
        assert found[f"recall/{mode}"].value == 1
        assert found[f"precision/{mode}"].value < 1
