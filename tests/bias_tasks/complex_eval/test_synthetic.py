"""Generated items: stable, and as good or bad as they claim to be."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.layout import read_steps
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.data.synthetic import generate_judged
from bias_tasks.complex_eval.data.synthetic.facts import count_facts, fact_score
from bias_tasks.complex_eval.data.synthetic.flaws import find_flaws
from bias_tasks.complex_eval.data.synthetic.stories import story_scores
from bias_tasks.complex_eval.items import JUDGED_KINDS, attack_names

N = 60


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_prefixes_are_stable_and_ids_distinct(family):
    items = generate_judged(family, N, seed=3)
    assert generate_judged(family, 7, seed=3) == items[:7]
    assert len({item.id for item in items}) == N
    assert not {item.id for item in items} & {i.id for i in generate_judged(family, N, seed=4)}
    assert {item.id for item in load_judged(family, "synthetic", seed=3, n=N).items} == {
        item.id for item in items
    }


def test_chosen_is_perfect_and_rejected_is_not():
    items = generate_judged("basic", N, seed=0)
    assert {fact_score(item.query, item.responses["chosen"]) for item in items} == {10.0}
    assert max(fact_score(item.query, item.responses["rejected"]) for item in items) < 10
    kinds = [count_facts(item.query, item.responses["rejected"]) for item in items]
    assert all(count.wrong == 0 and count.right < count.asked for count in kinds[0::3])  # missing
    assert all(
        count.wrong > 0 and count.right + count.wrong == count.asked for count in kinds[1::3]
    )
    assert all(0 < count.wrong < count.asked - count.right for count in kinds[2::3])  # both
    assert {fact_score(item.query, item.reference) for item in items} == {10.0}


def test_fact_score_by_hand():
    notes = "User: Notes:\nAnn keeps the cup.\nBob keeps the hat."
    query = f"{notes}\n\nReport what each of these keeps: Ann, Bob."
    assert fact_score(query, "Ann keeps the cup. Bob keeps the hat.") == 10
    assert fact_score(query, "Ann keeps the cup.") == 5.5
    assert fact_score(query, "Ann keeps the cup. Bob keeps the cup.") == 1
    assert fact_score(query, "Ann keeps the cup. Ann keeps the hat.") == 1
    assert fact_score(query, "Cup and hat!") == 1


def wrong_steps(steps):
    """Recomputed: positions of arithmetic that does not hold; equations by their root."""
    chain = [re.search(r"(-?\d+) ([-+*]) (-?\d+) = (-?\d+)\.", step) for step in steps]
    if all(chain):
        told = [(int(m[1]), m[2], int(m[3]), int(m[4])) for m in chain]
        value = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
        return [i for i, (a, sign, b, c) in enumerate(told) if value[sign](a, b) != c]
    return None


def root(step):
    """x from one of the four forms of the equation."""
    text = step.partition(": ")[2].rstrip(".")
    left, right = text.split(" = ")
    if left == "x":
        return Fraction(right)
    factors = sum(int(part[:-1]) for part in left.split(" + ") if part.endswith("x"))
    product = sum(int(part) for part in left.split(" + ") if not part.endswith("x"))
    return Fraction(int(right) - product, factors)


def test_exactly_one_step_is_wrong_where_it_is_said():
    golds = Counter()
    for item in generate_judged("math", 150, seed=1):
        steps = read_steps(item.responses["original"])
        wrong = wrong_steps(steps)
        if wrong is None:
            a, b, c, d = map(int, re.search(
                r"(\d+)\(x \+ (\d+)\) \+ (\d+)x = (\d+)", item.query
            ).groups())  # fmt: skip
            roots = [Fraction(d - a * b, a + c), *map(root, steps)]
            wrong = [i for i in range(len(steps)) if roots[i] != roots[i + 1]]
            assert str(roots[0]) in item.reference
        assert wrong == ([] if item.first_error == -1 else [item.first_error])
        golds[item.first_error] += 1
    assert golds[-1] == 50
    assert len(golds) >= 6  # early and late errors


def test_scenes_have_two_to_eight_flaws():
    items = generate_judged("role_playing", N, seed=0)
    counts = Counter(
        len(find_flaws(item.reference, item.background, item.responses["original"]))
        for item in items
    )
    assert set(counts) == set(range(2, 9))


def test_stories_differ_in_every_criterion():
    items = generate_judged("creative_writing", N, seed=0)
    scores = [story_scores(item.query, item.responses["original"]) for item in items]
    for name in scores[0]:
        assert {score[name] for score in scores} == {1.0, 5.5, 10.0}
    assert {
        score for item in items for score in story_scores(item.query, item.reference).values()
    } == {10.0}
    assert [part.name for part in items[0].criteria] == list(scores[0])


MEASURES = {
    "basic": lambda item, text: count_facts(item.query, text),
    "role_playing": lambda item, text: find_flaws(item.reference, item.background, text),
    "creative_writing": lambda item, text: story_scores(item.query, text),
}


@pytest.mark.parametrize("family", MEASURES)
def test_attacks_leave_the_quality_as_it_was(family):
    """A judge that looks at nothing but quality must score the attacked response the same."""
    response = "rejected" if family == "basic" else "original"
    for item in generate_judged(family, 30, seed=2):
        before = MEASURES[family](item, item.responses[response])
        for name in attack_names(family):
            assert MEASURES[family](item, attack(item, name)) == before
