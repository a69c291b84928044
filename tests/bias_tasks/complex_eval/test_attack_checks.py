"""Why attacks are invalid, by hand, and that hostile texts are rejected in time."""

import re

import pytest

from bias_tasks.complex_eval.attack_checks import check_attack
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import Turn, format_dialogue, format_steps
from tests.bias_tasks.effort import cpu_limit

SENTENCES = [f"Sentence {word} stands here with its own seven words." for word in "abcdefghij"]
STEPS = ["1 + 1 = 2", "so 2 * 3 = 5"]
TURNS = [Turn("Lear", "word " * 40), Turn("Fool", "jest " * 40)]
STORY = "Some twenty characters. " * 20


def build_item(family, response):
    basic = family == "basic"
    responses = {"chosen": "c", "rejected": response} if basic else {"original": response}
    return JudgedItem("i", family, "d", "s", "i", "q", responses)


PAIR = build_item("basic", " ".join(SENTENCES))
MATH = build_item("math", format_steps(STEPS))
SCENE = build_item("role_playing", format_dialogue(TURNS))
WRITING = build_item("creative_writing", STORY)


def build_scene(first=TURNS[0], second=TURNS[1]):
    return format_dialogue([first, second])


CASES = [
    (PAIR, "reference", " ".join(SENTENCES).replace(" ", "\n"), "nothing was changed"),
    (PAIR, "reference", " ".join(SENTENCES[:7]) + " X.", None),
    (
        PAIR,
        "reference",
        " ".join(SENTENCES[:6]) + " X.",
        "left: 60%, at least 70%",
    ),
    (PAIR, "rubric", " ".join(SENTENCES[:8]) + " X.", None),
    (
        PAIR,
        "rubric",
        " ".join(SENTENCES[:7]) + " X.",
        "left: 70%, at least 80%",
    ),
    (PAIR, "rubric", " ".join([*SENTENCES, *SENTENCES[:2]]), None),
    (PAIR, "rubric", " ".join([*SENTENCES, *SENTENCES[:3]]), "more than 25% was added"),
    (MATH, "format", format_steps(["1 + 1 gives 2", "hence 2*3 is 5"]), None),
    (MATH, "format", format_steps([*STEPS, "done"]), "another number of steps: 3 instead of 2"),
    (MATH, "format", "1 + 1 = 2", "not numbered steps: line 1"),
    (
        MATH,
        "format",
        format_steps(["1 + 1 = 2", f"so {'1 * ' * 9}2 * 3 = 5"]),
        "characters",
    ),
    (SCENE, "format", build_scene(Turn("Lear", "word " * 40 + "(rises) " * 5)), None),
    (
        SCENE,
        "format",
        build_scene(Turn("Fool", "word " * 40)),
        "their order, changed",
    ),
    (SCENE, "format", format_dialogue(TURNS[:1]), "their order, changed"),
    (SCENE, "format", build_scene(Turn("Lear", "word " * 61)), "505 characters instead of 400"),
    (
        SCENE,
        "format",
        build_scene(Turn("Lear", "worm " * 40)),
        "left: 50%",
    ),
    (SCENE, "format", "The dialogue: " + build_scene(), "not valid JSON"),
    (SCENE, "format", '[{"role": "Lear", "content": 3}]', "not a list of objects"),
    (WRITING, "format", STORY + "x" * 120, None),
    (WRITING, "format", STORY + "x" * 121, "601 characters instead of 480"),
    (WRITING, "format", "Some other characters. " * 20, "left: 67%"),
]


def test_each_case_is_rejected_for_its_reason():
    wrong = []
    for item, name, text, reason in CASES:
        found = check_attack(item, name, text)
        if (found is None) != (reason is None) or (reason or "") not in (found or ""):
            wrong.append((text[:60], found, reason))
    assert wrong == []


HOSTILE = ("x " * 2_000_000, "(" * 3_000_000, "[" * 1_000_000, "1" * 3_000_000, "\x00" * 500_000)


def test_hostile_texts_are_rejected_in_time():
    for item in (PAIR, MATH, SCENE, WRITING):
        name = "reference" if item.family == "basic" else "format"
        with cpu_limit(60, item.family):
            for text in HOSTILE:
                assert check_attack(item, name, text) is not None


def test_the_papers_own_example_passes(golden):
    """In appendix C, 2,810 characters become 3,358."""
    paper = golden.parent / "papers" / "complex_eval.txt"
    if not paper.is_file():
        pytest.skip("the paper's text is not next to its tables")
    text = paper.read_text(encoding="utf-8")
    before = re.search("Original Story (.*)", text)[1].strip()
    after = re.search("Attacked Story (.*)", text)[1].strip()
    assert (len(before), len(after)) == (2810, 3358)
    item = build_item("creative_writing", before)
    assert check_attack(item, "solution_fixation", after) is None
    assert check_attack(item, "solution_fixation", after + after[:200]) is not None
