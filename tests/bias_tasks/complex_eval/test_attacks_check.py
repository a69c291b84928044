"""What makes an attack invalid, by hand; and that hostile texts are refused in time."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.attacks.edits import kept, modifications
from bias_tasks.complex_eval.attacks.layout import Turn, dialogue_text, read_dialogue, steps_text
from bias_tasks.complex_eval.attacks.values import lost_value, values
from bias_tasks.complex_eval.items import JUDGED_KINDS, JudgedItem
from tests.bias_tasks.complex_eval.attack_cases import cases
from tests.bias_tasks.effort import cpu_limit

SENTENCES = [f"Sentence {word} stands here with its own seven words." for word in "abcdefghij"]
STEPS = ["1 + 1 = 2", "so 2 * 3 = 5"]
TURNS = [Turn("Lear", "word " * 40), Turn("Fool", "jest " * 40)]
STORY = "Some twenty characters. " * 20


def judged(family, response):
    responses = (
        {"chosen": "c", "rejected": response} if family == "basic" else {"original": response}
    )
    return JudgedItem("i", family, "d", "s", "i", "q", responses)


PAIR = judged("basic", " ".join(SENTENCES))
MATH = judged("math", steps_text(STEPS))
SCENE = judged("role_playing", dialogue_text(TURNS))
WRITING = judged("creative_writing", STORY)


def changed(*places, by="Now, "):
    """The pair's response with something put before the sentences at these places."""
    return " ".join(by + s if i in places else s for i, s in enumerate(SENTENCES))


def scene(first=TURNS[0], second=TURNS[1]):
    return dialogue_text([first, second])


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("reference", changed(0, 4, 8), None),
        ("reference", changed(0, 1, 2, 3), None),  # one run of sentences
        ("reference", changed(0, 2, 4, 6), "4 modifications"),
        ("reference", changed(), "nothing was changed"),
        ("reference", changed().replace(" ", "\n"), "nothing was changed"),
        ("reference", " ".join(SENTENCES[:8]) + " X.", "words were dropped"),  # 80 % left
        ("reference", " ".join(SENTENCES[:6]) + " X.", "60% of the words are left"),
        ("rubric", " ".join(SENTENCES[:7]) + " X.", "70% of the words are left"),
        ("rubric", changed(0, 2, 4, 6, 8), None),  # five cosmetic
        ("rubric", changed(0, 3, 6, by="As some experts in it argue, "), None),
        ("rubric", changed(0, 2, 4, 6, by="As some experts in it argue, "), "4 substantive"),
        ("reference", changed(0, by="more " * 61), "brings 61 words"),
        ("reference", changed(0) + "\ud800", "surrogate"),
        ("reference", "", "0% of the words"),
    ],
)
def test_pairs(name, text, reason):
    told = check_attack(PAIR, name, text)
    assert told is None if reason is None else reason in told


def test_six_cosmetic_edits_are_too_many():
    sentences = [f"Sentence {i} stands here." for i in range(12)]
    item = judged("basic", " ".join(sentences))
    text = " ".join(f"Now, {s}" if i % 2 else s for i, s in enumerate(sentences))
    assert "6 cosmetic" in check_attack(item, "rubric", text)


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["Hence 1 + 1 = 2", "so, by theory, 2 * 3 = 5"], None),
        (["1 + 1 = 2", "so 2 * 3 = 6"], "step 1: a number is gone: 5"),  # the error was mended
        (["1 + 1 = 3", "so 2 * 3 = 5"], "step 0: a number is gone: 2"),
        (["1 + 1 = 2", "so 2 + 3 = 5"], "step 1: another sign: '+' before 3"),
        (["1 + 1 = 2 so 2 * 3 = 5"], "1 steps instead of 2"),
        ([*STEPS, "done"], "3 steps instead of 2"),
        (["1 + 1 = 2 by theorem 4", STEPS[1]], None),
        (["1 + 1 = 2, which is 4", STEPS[1]], "step 0: a number is new: 4"),
    ],
)
def test_solutions(steps, reason):
    told = check_attack(MATH, "format", steps_text(steps))
    assert told is None if reason is None else reason in told


def test_solutions_must_be_numbered_steps():
    assert "does not begin with 'Step 0:'" in check_attack(MATH, "format", "1 + 1 = 2\n5")
    assert "Step 1:" in check_attack(MATH, "format", "Step 0: a\nStep 2: b")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (scene(Turn("Lear", TURNS[0].content + "(sighs)")), None),
        (json.dumps(json.loads(scene(Turn("Lear", TURNS[0].content + "!")))), None),
        (scene(Turn("Fool", "word " * 40)), "roles"),
        (scene(TURNS[1], TURNS[0]), "roles"),
        (dialogue_text([*TURNS, Turn("Fool", "x")]), "roles"),
        (scene(Turn("Lear", "word " * 49)), None),
        (scene(Turn("Lear", "word " * 62)), "from 400 to 510 characters, by more than 25%"),
        (scene(Turn("Lear", "word " * 31)), "from 400 to 355 characters, by more than 10%"),
        (scene(Turn("Lear", "worm " * 40)), "50% of the words are left"),
        ("The dialogue: " + scene(), "not valid JSON"),
        ('[{"role": "Lear"}]', "not a list of objects"),
        ('[{"role": "Lear", "content": 3}]', "not a list of objects"),
        ("[" * 5_000, "not valid JSON"),
        ("[" * 200_000, "the length changed"),
        ("{}", "not a list of objects"),
    ],
)
def test_dialogues(text, reason):
    told = check_attack(SCENE, "format", text)
    assert told is None if reason is None else reason in told


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (STORY + "The very end.", None),
        (STORY + "x" * 120, None),
        (STORY + "x" * 121, "from 480 to 601 characters"),
        (STORY[:430], "from 480 to 430 characters"),
        ("Some other characters. " * 20, "67% of the words are left"),
    ],
)
def test_stories(text, reason):
    told = check_attack(WRITING, "format", text)
    assert told is None if reason is None else reason in told


def test_the_name_must_be_the_familys():
    with pytest.raises(ValueError, match="basic has no attack 'format'"):
        check_attack(PAIR, "format", "x")


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_modifications_account_for_every_word(old, new):
    before, after = (". ".join(f"{word} {word}" for word in part) for part in (old, new))
    made = modifications(before, after)
    assert sum(m.added - m.dropped for m in made) == 2 * (len(new) - len(old))
    assert (made == []) == (old == new)


def test_marks_without_words_are_no_modification():
    assert modifications("- one\n- two", "* **one**\n* two") == []
    assert kept("one two two", "Two, ONE!") == pytest.approx(2 / 3)


HOSTILE = {
    "words": "x " * 2_000_000,
    "sentences": "a. " * 1_000_000,
    "lines": "a\n" * 1_000_000,
    "spaces": SENTENCES[0] + " " * 5_000_000,
    "brackets": "(" * 3_000_000,
    "json": "[" * 1_000_000,
    "digits": "1" * 3_000_000,
    "controls": "\x00\x1b" * 500_000,
    "the same sentence": " ".join([SENTENCES[0]] * 50_000),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_texts_are_refused_in_time(kind):
    for item in (PAIR, MATH, SCENE, WRITING):
        name = "reference" if item.family == "basic" else "format"
        with cpu_limit(60, item.family):
            assert check_attack(item, name, HOSTILE[kind]) is not None


@given(st.text(max_size=200))
def test_any_text_gets_a_verdict(text):
    for item in (PAIR, MATH, SCENE, WRITING):
        check_attack(item, "rubric" if item.family == "basic" else "solution_fixation", text)


def test_dialogues_come_back():
    assert read_dialogue(dialogue_text(TURNS)) == TURNS


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_labelled_attacks_are_kept_and_refused_as_labelled(family):
    """Every case is, as measured; the least that is asked of it is 14 of 15 either way."""
    told = cases(family)
    right = {True: [], False: []}
    for case in told:
        why = check_attack(case.item, case.name, case.text)
        right[case.keep].append((why is None) == case.keep)
    for found in right.values():
        assert len(found) >= 15
        assert sum(found) == len(found)


def test_the_papers_own_example_passes(golden):
    """Appendix C: 2,810 characters become 3,358, and the traveller a troubled woman."""
    paper = golden.parent / "papers" / "complex_eval.txt"
    if not paper.is_file():
        pytest.skip("the paper's text is not beside its tables")
    text = paper.read_text(encoding="utf-8")
    before = re.search("Original Story (.*)", text)[1].strip()
    after = re.search("Attacked Story (.*)", text)[1].strip()
    assert (len(before), len(after)) == (2810, 3358)
    item = judged("creative_writing", before)
    assert check_attack(item, "solution_fixation", after) is None
    assert check_attack(item, "solution_fixation", after[:2400]) is not None


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("two hundred and five cats", {"205"}),
        ("1. First\n2. Second", set()),
        ("by Theorem 12, in case 3, 1,000.50", {"1000.5"}),
        ("twenty-one or 21st", {"21", "21th"}),
        ("one of them", set()),
    ],
)
def test_values(text, stated):
    assert values(text).stated == stated


def test_equal_shares_are_one_value():
    assert lost_value("half of it", "1/2 of it") is None
    assert lost_value("1/2", "0.5") is lost_value("50%", "0.5") is None
    assert lost_value("1/2", "0.6") == "2"
