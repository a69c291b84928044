"""Judges that look for flaws: what they miss and imagine comes back through the figures."""

import json
import random
from functools import cache

import pytest

from bias_tasks.complex_eval.attacks.layout import read_dialogue
from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.family import Answer
from bias_tasks.simulated.persona import make_respondent
from tests.bias_tasks.complex_eval.runs import planned


def near(estimate, truth):
    """Whether a truth lies within twice the interval's width around the value."""
    return abs(estimate.value - truth) <= estimate.ci_high - estimate.ci_low


@cache
def flaw_questions():
    plan = planned("attention_limit", mode="joint,per_dimension", k="0,4,6,8,20", n=20, seed=3)
    return [(each.facts, each.prompt, each) for each in plan.questions]


def reported(report, k="0,2,5,10,20", n=12):
    """The figures of a judge that reports `report(rng, turns, question)`: (dimension, quote)."""
    rng = random.Random(5)
    plan = planned("attention_limit", mode="joint,per_dimension", k=k, n=n, seed=3)
    outcomes = []
    for question in plan.questions:
        turns = [turn.content for turn in read_dialogue(read_blocks(question.prompt)["response"])]
        flaws = [
            {"dimension": name, "severity": 2, "quote": quote}
            for name, quote in report(rng, turns, question)
        ]
        answer = Answer(json.dumps({"flaws": flaws}))
        outcomes.append(FAMILY.outcome(question.facts, answer))
    return FAMILY.scorecard(outcomes, {})


def dimensions(question):
    return question.facts["form"]["criteria"]


def everywhere(*quotes):
    """A reporter of the same quotes in every dimension, whatever it is shown."""
    return lambda rng, turns, question: [(d, q) for d in dimensions(question) for q in quotes]


BLIND = {
    "parts of words": everywhere("tion", "here", "ould", "ight", "ther"),
    "common words": everywhere("the", "by the well", "they will ask", "as an", "I do like to"),
    "nothing": everywhere("", "...", " "),
    "the dialogue": lambda rng, turns, question: [
        (d, read_blocks(question.prompt)["response"]) for d in dimensions(question)
    ],
    "all turns in one": lambda rng, turns, question: [
        (d, "\n".join(turns)) for d in dimensions(question)
    ],
    "the first turn": lambda rng, turns, question: [(d, turns[0]) for d in dimensions(question)],
    "a turn by chance": lambda rng, turns, question: [
        (d, rng.choice(turns)) for d in dimensions(question)
    ],
    "a sentence by chance": lambda rng, turns, question: [
        (d, rng.choice(rng.choice(turns).split(". "))) for d in dimensions(question)
    ],
    "the same turn in all": lambda rng, turns, question: [
        (d, turn) for turn in [rng.choice(turns)] for d in dimensions(question)
    ],
    "six turns by chance": lambda rng, turns, question: [
        (d, turn) for d in dimensions(question) for turn in rng.sample(turns, 6)
    ],
    "gestures by chance": lambda rng, turns, question: [
        (d, turn.partition(")")[0]) for d in dimensions(question) for turn in rng.sample(turns, 6)
    ],
    "everything": lambda rng, turns, question: [
        (d, turn) for d in dimensions(question) for turn in turns
    ],
}


@pytest.mark.parametrize("name", BLIND)
def test_a_blind_reporter_is_no_better_than_chance(name):
    found = reported(BLIND[name])
    for mode in ("joint", "per_dimension"):
        for share in ("recall", "precision"):
            figure, chance = found[f"{share}/{mode}"], found[f"{share}_chance/{mode}"].value
            # Of 48 intervals at 95 % some miss: each may, by a tenth.
            assert figure.ci_low <= 1.1 * chance, (name, mode, share)
            assert figure.value <= 1.35 * chance, (name, mode, share)


def test_turns_by_chance_are_at_chance():
    """Six turns for each of four dimensions: 24 of 80 pairs, so that 0.3 of the flaws are found."""
    found = reported(BLIND["six turns by chance"], n=30)
    for mode in ("joint", "per_dimension"):
        assert found[f"recall_chance/{mode}"].value == pytest.approx(0.3)
        assert near(found[f"recall/{mode}"], 0.3)
        # Of 24 reports 0.3 k are right, where k = 0, 2, 5, 10, 20 flaws are planted.
        assert found[f"precision_chance/{mode}"].value == pytest.approx(0.3 * 37 / (24 * 5))
    assert reported(BLIND["everything"])["recall/joint"].value == 1
    assert reported(BLIND["everything"])["recall_chance/joint"].value == 1


HONEST = {
    "the flaw's words": lambda flaw, turns: flaw["words"],
    "its turn": lambda flaw, turns: turns[flaw["turn"]],
    "its turn, shouted": lambda flaw, turns: f"“{turns[flaw['turn']].upper().rstrip('.?')}”",
    "its turn, shortened": lambda flaw, turns: "{} ... {}".format(
        " ".join(turns[flaw["turn"]].split()[:4]), " ".join(turns[flaw["turn"]].split()[-5:])
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_reporter_of_exact_quotes_is_right_throughout(name):
    found = reported(
        lambda rng, turns, question: [
            (flaw["dimension"], HONEST[name](flaw, turns)) for flaw in question.facts["flaws"]
        ]
    )
    for mode in ("joint", "per_dimension"):
        assert found[f"recall/{mode}"].value == found[f"precision/{mode}"].value == 1
        # k flaws of 80 pairs, k times k right: (4 + 25 + 100 + 400) / 80 of 37 in joint calls.
        chance = found[f"precision_chance/{mode}"].value
        assert chance == pytest.approx(529 / 80 / 37, rel=0.05)


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
