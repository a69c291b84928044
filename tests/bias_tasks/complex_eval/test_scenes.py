"""Scenes: good dialogues, and copies of them with flaws that are each one violation in one turn."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.attacks.layout import read_dialogue, read_profiles
from bias_tasks.complex_eval.attacks.phrases import words_of
from bias_tasks.complex_eval.attacks.wording import sentences, words
from bias_tasks.complex_eval.attention_limit import plan_attention
from bias_tasks.complex_eval.data.criteria import ROLE_PLAYING
from bias_tasks.complex_eval.data.synthetic.flaws import (
    ANTHROPOMORPHISM,
    CONSISTENCY,
    FIDELITY,
    QUALITY,
    assistant_lines,
    find_flaws,
)
from bias_tasks.complex_eval.data.synthetic.scenes import scene
from bias_tasks.complex_eval.data.synthetic.scripts import MAIN, ROLES, scripts
from bias_tasks.complex_eval.data.synthetic.violations import TURNS
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.complex_eval.quotes import FlawedDialogue
from tests.bias_tasks.examples import examples

SCRIPTS = scripts()
PLACES = st.integers(0, 3 * len(SCRIPTS))
SEEDS = st.integers(0, 10**6)
by_name = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)


def lines(response):
    return [f"{turn.role}: {turn.content}" for turn in read_dialogue(response)]


def facts(flawed):
    """The planted flaws as an outcome's facts have them."""
    return [
        {"dimension": flaw.dimension, "turn": flaw.turn, "words": told}
        for flaw, told in zip(flawed.flaws, flawed.words, strict=True)
    ]


def held(text, told):
    """Whether the words of `told` stand in a text, in their order."""
    return f" {' '.join(words(told))} " in f" {' '.join(words(text))} "


@examples(60)
@given(SEEDS, PLACES, st.integers(0, TURNS))
def test_flaws_are_where_they_were_planted(seed, place, k):
    flawed = scene(seed, place).flawed(k)
    found = find_flaws(flawed.item.reference, flawed.item.background, flawed.response)
    assert tuple(found) == flawed.flaws
    assert len(flawed.flaws) == k
    assert len({flaw.turn for flaw in flawed.flaws}) == k
    counts = Counter(flaw.dimension for flaw in flawed.flaws)
    assert max(counts.values(), default=0) - min(counts[name] for name in ROLE_PLAYING) <= 1


@pytest.mark.parametrize("place", range(len(SCRIPTS)))
def test_copies_differ_from_the_good_dialogue_in_their_flaws_alone(place):
    drawn = scene(5, place)
    clean = drawn.flawed(0)
    assert clean.response == clean.item.responses["original"]
    assert clean.flaws == ()
    before = read_dialogue(clean.response)
    for k in range(1, TURNS + 1):
        flawed, fewer = drawn.flawed(k), drawn.flawed(k - 1)
        assert flawed.item == clean.item
        assert set(zip(fewer.flaws, fewer.words, strict=True)) < set(
            zip(flawed.flaws, flawed.words, strict=True)
        )
        after = read_dialogue(flawed.response)
        assert [turn.role for turn in after] == [turn.role for turn in before]
        changed = {i for i in range(TURNS) if before[i] != after[i]}
        assert changed == {flaw.turn for flaw in flawed.flaws}
    with pytest.raises(ValueError, match="0 to 20"):
        drawn.flawed(TURNS + 1)
    with pytest.raises(ValueError, match="0 to 20"):
        drawn.flawed(-1)


def test_a_run_compares_copies_of_the_same_dialogues():
    alone = plan_attention(k=7, n=3, seed=9)
    together = plan_attention(k="0,7,20", n=10, seed=9)
    by_id = {question.id: question for question in together.questions}
    assert all(by_id[question.id] == question for question in alone.questions)
    for question in together.questions:
        (item,) = question.known
        told = read_blocks(question.prompt)["response"]
        assert (told == item.responses["original"]) == (question.facts["count"]["planted"] == 0)
        assert question.id.startswith(item.id)


def test_every_script_comes_in_turn_and_is_one_cluster():
    drawn = [scene(4, place) for place in range(2 * len(SCRIPTS))]
    names = [each.script.name for each in drawn]
    assert sorted(names[: len(SCRIPTS)]) == [script.name for script in SCRIPTS]
    assert names[len(SCRIPTS) :] == names[: len(SCRIPTS)]
    items = [each.item(0) for each in drawn]
    assert len({item.id for item in items}) == len(items)
    assert [item.cluster for item in items] == [f"synthetic-{name}" for name in names]
    assert [scene(5, place).script.name for place in range(len(SCRIPTS))] != names[: len(SCRIPTS)]


@examples(40)
@given(SEEDS, PLACES, st.integers(1, TURNS))
def test_a_flaws_words_show_that_flaw_and_no_other(seed, place, k):
    """Quoted alone, or with the rest of its turn, it is located in its own dimension only."""
    flawed = scene(seed, place).flawed(k)
    said = lines(flawed.response)
    dialogue = FlawedDialogue.of(said, facts(flawed))
    for position, (flaw, told) in enumerate(zip(flawed.flaws, flawed.words, strict=True)):
        for dimension in ROLE_PLAYING:
            expected = [position] if dimension == flaw.dimension else []
            assert dialogue.shown(dimension, told) == expected
            assert dialogue.shown(dimension, said[flaw.turn]) == expected


@examples(40)
@given(SEEDS, PLACES)
def test_no_flaw_stands_twice_and_only_a_repetition_stands_in_the_good_dialogue(seed, place):
    flawed = scene(seed, place).flawed(TURNS)
    assert len({tuple(words(told)) for told in flawed.words}) == TURNS
    good, bad = (lines(text) for text in (flawed.item.responses["original"], flawed.response))
    for flaw, told in zip(flawed.flaws, flawed.words, strict=True):
        repeats = flaw.dimension == QUALITY
        assert sum(held(line, told) for line in good) == (1 if repeats else 0)
        assert [i for i, line in enumerate(bad) if held(line, told)][-1] == flaw.turn
        assert sum(held(line, told) for line in bad) == (2 if repeats else 1)


@examples(40)
@given(SEEDS, PLACES)
def test_what_is_beside_the_dialogue_commits_none_of_its_flaws(seed, place):
    """The request, the background, the reference and the rubric are the same for every k."""
    flawed = scene(seed, place).flawed(TURNS)
    item = flawed.item
    beside = [item.query, item.background, item.reference]
    beside += [f"{part.name}\n{part.description}" for part in item.criteria]
    for told in flawed.words:
        assert not any(held(text, told) for text in beside)
    assert find_flaws(item.reference, item.background, item.reference) == []


def test_prompts_of_one_dialogue_differ_in_the_response_alone():
    asked = [read_blocks(q.prompt) for q in plan_attention(k="0,1,12,20", n=1).questions]
    rest = [{name: text for name, text in a.items() if name != "response"} for a in asked]
    assert len(asked) == len({a["response"] for a in asked}) == 4
    assert all(each == rest[0] for each in rest)
    assert set(rest[0]) == {"request", "background", "reference", "rubric"}


@examples(40)
@given(SEEDS, PLACES)
def test_each_flaw_is_a_violation_of_its_own_dimension(seed, place):
    """No reaction of a main character's is changed, as the rubric would count that twice."""
    drawn = scene(seed, place)
    main = {drawn.named[role] for role in MAIN}
    flawed = drawn.flawed(TURNS)
    good = read_dialogue(flawed.item.responses["original"])
    profiles = read_profiles(flawed.item.background)
    assert set(profiles) == main
    for flaw, told in zip(flawed.flaws, flawed.words, strict=True):
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


@by_name
def test_a_script_is_a_dialogue_of_three_that_can_hold_every_flaw(script):
    assert len(script.turns) == TURNS
    speakers = [turn.who for turn in script.turns]
    assert all(one != next_one for one, next_one in pairwise(speakers))
    assert Counter(speakers) == {"a": 7, "b": 7, "c": 6}
    assert all((turn.opposite is not None) == (turn.who == "c") for turn in script.turns)
    assert set(script.wants) == set(ROLES)
    assert set(script.habits) == set(script.profiles) == set(MAIN)
    assert all(len(habits) == 3 for habits in script.habits.values())
    traits = words_of("traits")
    assert all(traits & set(words(profile)) for profile in script.profiles.values())


@by_name
def test_a_good_dialogue_says_nothing_twice_in_any_of_its_wordings(script):
    told = [
        tuple(words(sentence))
        for turn in script.turns
        for wording in turn.wordings
        for sentence in sentences(wording)
    ]
    assert [sentence for sentence, count in Counter(told).items() if count > 1] == []
    gestures = [turn.gesture for turn in script.turns]
    opposites = [turn.opposite for turn in script.turns if turn.opposite]
    assert len({*gestures, *opposites}) == len(gestures) + len(opposites)


@by_name
def test_what_a_character_may_repeat_is_too_long_to_be_said_twice_by_chance(script):
    for turn in script.turns:
        for wording in turn.wordings:
            assert max(len(words(sentence)) for sentence in sentences(wording)) >= 6


@by_name
def test_names_and_nothing_else_are_filled_in(script):
    texts = [script.title, script.plot, script.topic, *script.wants.values()]
    texts += [*script.profiles.values()]
    texts += [text for habits in script.habits.values() for habit in habits for text in habit]
    texts += [text for turn in script.turns for text in (turn.gesture, *turn.wordings)]
    named = dict.fromkeys(ROLES, "Xyz")
    for text in texts:
        assert not re.search(r"[{}]", text.format(**named))
        assert not re.search(r"[()\n]", text)
    for role, habits in script.habits.items():
        assert all(habit.kept.startswith(f"{{{role}}} ") for habit in habits)
        assert not any("{" in habit.broken for habit in habits)
