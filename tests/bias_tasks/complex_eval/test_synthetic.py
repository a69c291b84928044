"""Generated items: stable, as good or bad as they claim to be, and flawed where it is said."""

import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.layout import read_dialogue, read_profiles, read_steps
from bias_tasks.complex_eval.attacks.wording import sentences, words
from bias_tasks.complex_eval.data.converters import ROLE_PLAYING
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.data.synthetic import generate_judged
from bias_tasks.complex_eval.data.synthetic.dialogues import (
    ANTHROPOMORPHISM,
    CONSISTENCY,
    FIDELITY,
    MAIN,
    QUALITY,
    ROLES,
    TURNS,
    assistant_lines,
    find_flaws,
    scene,
    scripts,
)
from bias_tasks.complex_eval.data.synthetic.texts import count_facts, fact_score, story_scores
from bias_tasks.complex_eval.items import JUDGED_KINDS, attack_names
from bias_tasks.complex_eval.quote_matching import located
from bias_tasks.reading.flaws import ReportedFlaw

N = 60
SCRIPTS = scripts()
PLACES = st.integers(0, 3 * len(SCRIPTS))
SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_prefixes_are_stable_and_ids_distinct(family):
    items = generate_judged(family, N, seed=3)
    assert generate_judged(family, 7, seed=3) == items[:7]
    assert len({item.id for item in items}) == N
    assert not {item.id for item in items} & {i.id for i in generate_judged(family, N, seed=4)}
    loaded = load_judged(family, "synthetic", seed=3, n=N).items
    assert {item.id for item in loaded} == {item.id for item in items}


def test_chosen_is_perfect_and_rejected_is_not():
    items = generate_judged("basic", N, seed=0)
    for text in ([i.responses["chosen"] for i in items], [i.reference for i in items]):
        assert {fact_score(i.query, each) for i, each in zip(items, text, strict=True)} == {10.0}
    kinds = [count_facts(item.query, item.responses["rejected"]) for item in items]
    assert all(each.wrong == 0 and each.right < each.asked for each in kinds[0::3])  # missing
    assert all(each.wrong > 0 and each.right + each.wrong == each.asked for each in kinds[1::3])
    assert all(0 < each.wrong < each.asked - each.right for each in kinds[2::3])  # both


def test_fact_score_by_hand():
    notes = "User: Notes:\nAnn keeps the cup.\nBob keeps the hat."
    query = f"{notes}\n\nReport what each of these keeps: Ann, Bob."
    assert fact_score(query, "Ann keeps the cup. Bob keeps the hat.") == 10
    assert fact_score(query, "Ann keeps the cup.") == 5.5
    assert fact_score(query, "Ann keeps the cup. Bob keeps the cup.") == 1
    assert fact_score(query, "Ann keeps the cup. Ann keeps the hat.") == 1


def wrong_steps(query, steps):
    """Positions of arithmetic that does not hold; of equations, of steps that change the root."""
    chain = [re.search(r"(-?\d+) ([-+*]) (-?\d+) = (-?\d+)\.", step) for step in steps]
    if all(chain):
        value = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
        told = [(int(m[1]), m[2], int(m[3]), int(m[4])) for m in chain]
        return [i for i, (a, sign, b, c) in enumerate(told) if value[sign](a, b) != c]
    a, b, c, d = map(int, re.search(r"(\d+)\(x \+ (\d+)\) \+ (\d+)x = (\d+)", query).groups())
    roots = [Fraction(d - a * b, a + c), *map(root, steps)]
    return [i for i in range(len(steps)) if roots[i] != roots[i + 1]]


def root(step):
    """x from one of the four forms of the equation."""
    left, right = step.partition(": ")[2].rstrip(".").split(" = ")
    if left == "x":
        return Fraction(right)
    factors = sum(int(part[:-1]) for part in left.split(" + ") if part.endswith("x"))
    product = sum(int(part) for part in left.split(" + ") if not part.endswith("x"))
    return Fraction(int(right) - product, factors)


def test_exactly_one_step_is_wrong_where_it_is_said():
    golds = Counter()
    for item in generate_judged("math", 150, seed=1):
        wrong = wrong_steps(item.query, read_steps(item.responses["original"]))
        assert wrong == ([] if item.first_error == -1 else [item.first_error])
        golds[item.first_error] += 1
    assert golds[-1] == 50
    assert len(golds) >= 6  # early and late errors


def test_scenes_have_two_to_eight_flaws_and_stories_differ_in_every_criterion():
    counts = Counter(
        len(find_flaws(item.reference, item.background, item.responses["original"]))
        for item in generate_judged("role_playing", N, seed=0)
    )
    assert set(counts) == set(range(2, 9))
    items = generate_judged("creative_writing", N, seed=0)
    scores = [story_scores(item.query, item.responses["original"]) for item in items]
    for name in (part.name for part in items[0].criteria):
        assert {score[name] for score in scores} == {1.0, 5.5, 10.0}
    for item in items:
        assert set(story_scores(item.query, item.reference).values()) == {10.0}


MEASURES = {
    "basic": lambda item, text: count_facts(item.query, text),
    "role_playing": lambda item, text: find_flaws(item.reference, item.background, text),
    "creative_writing": lambda item, text: story_scores(item.query, text),
}


@pytest.mark.parametrize("family", MEASURES)
def test_attacks_leave_the_quality_as_it_was(family):
    """A judge that looks at nothing but quality must score the attacked response the same."""
    response = "rejected" if family == "basic" else "original"
    for item in generate_judged(family, 20, seed=2):
        before = MEASURES[family](item, item.responses[response])
        for name in attack_names(family):
            assert MEASURES[family](item, attack(item, name)) == before


@given(SEEDS, PLACES, st.integers(0, TURNS))
def test_flaws_are_where_they_were_planted_one_a_turn(seed, place, k):
    flawed = scene(seed, place).flawed(k)
    found = find_flaws(flawed.item.reference, flawed.item.background, flawed.response)
    assert tuple(found) == flawed.flaws
    assert len(flawed.flaws) == len({flaw.turn for flaw in flawed.flaws}) == k
    counts = Counter(flaw.dimension for flaw in flawed.flaws)
    assert max(counts.values(), default=0) - min(counts[name] for name in ROLE_PLAYING) <= 1


@pytest.mark.parametrize("place", range(len(SCRIPTS)))
def test_copies_differ_from_the_good_dialogue_in_their_flaws_alone(place):
    drawn = scene(5, place)
    clean = drawn.flawed(0)
    assert (clean.response, clean.flaws) == (clean.item.responses["original"], ())
    before = read_dialogue(clean.response)
    for k in range(1, TURNS + 1):
        flawed, fewer = drawn.flawed(k), drawn.flawed(k - 1)
        assert flawed.item == clean.item
        assert set(zip(fewer.flaws, fewer.words, strict=True)) < set(
            zip(flawed.flaws, flawed.words, strict=True)
        )
        after = read_dialogue(flawed.response)
        assert [turn.role for turn in after] == [turn.role for turn in before]
        assert {i for i in range(TURNS) if before[i] != after[i]} == {f.turn for f in flawed.flaws}


def test_every_script_comes_in_turn_and_is_one_cluster():
    drawn = [scene(4, place) for place in range(2 * len(SCRIPTS))]
    names = [each.script.name for each in drawn]
    assert sorted(names[: len(SCRIPTS)]) == [script.name for script in SCRIPTS]
    assert names[len(SCRIPTS) :] == names[: len(SCRIPTS)]
    items = [each.item(0) for each in drawn]
    assert len({item.id for item in items}) == len(items)
    assert [item.cluster for item in items] == [f"synthetic-{name}" for name in names]


def held(text, told):
    """Whether the words of `told` stand in a text, in their order."""
    return f" {' '.join(words(told))} " in f" {' '.join(words(text))} "


@given(SEEDS, PLACES)
def test_each_flaw_is_a_violation_of_its_own_dimension_that_nothing_else_commits(seed, place):
    """No reaction of a main character's is changed, as the rubric would count that twice."""
    drawn = scene(seed, place)
    main = {drawn.named[role] for role in MAIN}
    flawed = drawn.flawed(TURNS)
    item = flawed.item
    said = [f"{turn.role}: {turn.content}" for turn in read_dialogue(flawed.response)]
    facts = [
        {"dimension": flaw.dimension, "turn": flaw.turn, "words": told}
        for flaw, told in zip(flawed.flaws, flawed.words, strict=True)
    ]
    beside = [item.query, item.background, item.reference]
    beside += [f"{part.name}\n{part.description}" for part in item.criteria]
    good = read_dialogue(item.responses["original"])
    profiles = read_profiles(item.background)
    for flaw, told in zip(flawed.flaws, flawed.words, strict=True):
        for dimension in ROLE_PLAYING:  # quoted alone, or with the rest of its turn
            for quote in (told, said[flaw.turn]):
                shown = located([ReportedFlaw(dimension, 1, quote)], facts, said)
                assert shown == (dimension == flaw.dimension)
        assert not any(held(text, told) for text in beside)
        speaker = good[flaw.turn].role
        if flaw.dimension == CONSISTENCY:
            assert speaker not in main
        if flaw.dimension == FIDELITY:
            role = next(role for role in MAIN if drawn.named[role] == speaker)
            (habit,) = [h for h in drawn.script.habits[role] if h.broken == told]
            assert habit.kept.format(**drawn.named) in profiles[speaker]
        if flaw.dimension == ANTHROPOMORPHISM:
            assert told in assistant_lines()
        if flaw.dimension == QUALITY:
            earlier = [turn for turn in good[: flaw.turn] if turn.role == speaker]
            assert told in earlier[-1].content
            assert len(words(told)) >= 6
    assert find_flaws(item.reference, item.background, item.reference) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_can_hold_every_flaw_and_says_nothing_twice(script):
    assert len(script.turns) == TURNS
    assert Counter(turn.who for turn in script.turns) == {"a": 7, "b": 7, "c": 6}
    assert all(bool(turn.opposite) == (turn.who == "c") for turn in script.turns)
    assert all(len(habits) == 3 for habits in script.habits.values())
    spoken = [sentences(wording) for turn in script.turns for wording in turn.wordings]
    told = Counter(tuple(words(each)) for said in spoken for each in said)
    assert max(told.values()) == 1
    assert all(max(len(words(each)) for each in said) >= 6 for said in spoken)
    texts = [script.title, script.plot, script.topic, *script.wants.values()]
    texts += [text for habits in script.habits.values() for habit in habits for text in habit]
    texts += [text for turn in script.turns for text in (turn.gesture, *turn.wordings)]
    for text in texts:
        assert not re.search(r"[{}()\n]", text.format(**dict.fromkeys(ROLES, "Xyz")))
