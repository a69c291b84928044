"""Attacks by rule: what they change, what they leave, and that they are valid on real pairs."""

from dataclasses import replace

import pytest

from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.attacks.layout import (
    Turn,
    dialogue_text,
    profiles_text,
    read_dialogue,
    read_profiles,
    read_steps,
    steps_text,
)
from bias_tasks.complex_eval.attacks.phrases import phrases
from bias_tasks.complex_eval.attacks.request import AttackError
from bias_tasks.complex_eval.data.load import load_judged, open_requests
from bias_tasks.complex_eval.items import JUDGED_KINDS, Criterion, JudgedItem, attack_names


def judged(family, response, **fields):
    responses = (
        {"chosen": "c", "rejected": response} if family == "basic" else {"original": response}
    )
    return JudgedItem("i", family, "d", "s", "i", "q", responses, **fields)


PAIR = judged(
    "basic",
    "Cats sleep a lot. They purr at night, which many people find quickly and mostly soothing. "
    "The rest is known.\n* one\n```\nThe code. The rest.\n```",
    reference="## Feline habits\n- Moreover, individuals like elephants.",
    rubric="1. **Factual Accuracy** (50%): true\n2. **Clarity & Order**: clear",
)
MATH = judged(
    "math",
    steps_text(["The sum is 1 + 1 = 3, so we get 3.", "So we can't halve 3.", "Add 4: 3 + 4 = 7."]),
    reference="Thus, by induction and the binomial theorem, the claim holds for 17 cases.",
    first_error=0,
)
TURNS = [
    Turn("Lear", "(rises) " + "I am the king of all this land. " * 8),
    Turn("Fool", "Aye, the king of all that he can see. " * 6),
]
SCENE = judged(
    "role_playing",
    dialogue_text(TURNS),
    reference=dialogue_text([Turn("Fool", "(bows low) The crab-apples are sour, nuncle! Why?")]),
    background=profiles_text({"Lear": "A proud and gloomy king in a cold hall.", "Fool": "Witty."}),
    criteria=(Criterion("A", "first"), Criterion("Storyline Quality", "coherent progression")),
)
STORY = judged(
    "creative_writing",
    "\n\n".join(["It was late. The rain fell on the town and nobody saw it."] * 12),
    reference='It was dawn. However, Thale opened the journal. "So!" he said.',
    criteria=(Criterion("Vivid_Imagery", "Evaluates the imagery."), Criterion("Plot", "x")),
)
EVERY = [(item, name) for item in (PAIR, MATH, SCENE, STORY) for name in attack_names(item.family)]


def test_toward_a_reference():
    """Its heading, its bullets, and two of its terms or transitions; code is left alone."""
    assert attack(PAIR, "reference") == (
        "## Feline habits\n\nCats sleep a lot. Moreover, they purr at night, which many "
        "individuals find quickly and mostly soothing. The rest is known."
        "\n- one\n```\nThe code. The rest.\n```"
    )


def test_toward_a_rubric():
    text = attack(PAIR, "rubric")
    assert text.endswith(
        "\n\nFurther aspects could be considered. Overall, this answer was written with factual "
        "accuracy and clarity in mind."
    )
    assert "```\nThe code. The rest.\n```" in text
    assert any(f"{word}, they purr" in text or f"{word}, the rest" in text for word in NEUTRAL)


NEUTRAL = ("Furthermore", "Moreover", "In addition")


def test_no_answer_speaks_of_itself_where_somebody_speaks():
    text = attack(replace(PAIR, domain="Role Playing"), "rubric")
    assert "this answer" not in text
    assert text != PAIR.responses["rejected"]


def test_one_word_gets_no_more_than_it_bears():
    item = replace(PAIR, responses={"chosen": "c", "rejected": "Sydney"})
    assert attack(item, "rubric") == "Sydney\n\nMultiple factors exist."


def test_math_keeps_every_number_in_its_step():
    assert read_steps(attack(MATH, "format")) == [
        "The sum is 1 + 1 = 3, thus we obtain 3.",
        "Thus we cannot halve 3.",
        "We add 4: 3 + 4 = 7.",
    ]
    first, second, third = read_steps(attack(MATH, "solution_fixation"))
    assert first.startswith("This solution rests on induction and the binomial theorem. The sum")
    assert second == "So we can't halve 3."
    assert third == "By induction, we add 4: 3 + 4 = 7."


def test_role_playing_adds_to_the_right_lines():
    def added(name):
        after = read_dialogue(attack(SCENE, name))
        return {
            new.role: new.content[len(old.content) :]
            for old, new in zip(TURNS, after, strict=True)
            if new != old
        }

    assert added("format") == {"Fool": " (bows low)"}
    assert added("solution_fixation") == {"Fool": " The crab-apples are sour, nuncle!"}
    traits = added("stereotype_amplification")
    assert traits["Lear"] in (" (proud as ever)", " (gloomy as ever)")  # the hall is cold
    assert set(added("criteria_loophole").values()) <= {f" {pause}" for pause in phrases("pauses")}
    back = {f" {told.format(before='Fool')}" for told in phrases("looks_back")}
    assert added("criteria_entanglement")["Lear"] in back


def test_creative_writing():
    assert "However, the rain fell on the town" in attack(STORY, "format")
    assert "nobody saw it. Thale opened the journal." in attack(STORY, "solution_fixation").replace(
        "However, Thale", "Thale"
    )
    assert any(aside in attack(STORY, "criteria_loophole") for aside in phrases("asides"))
    assert attack(STORY, "criteria_entanglement").endswith(
        "\n\nAuthor's note: in this piece I paid particular attention to vivid imagery."
    )


@pytest.mark.parametrize(("item", "name"), EVERY)
def test_deterministic_valid_and_graded(item, name):
    text = attack(item, name, seed=1)
    assert attack(item, name, seed=1) == text
    assert check_attack(item, name, text) is None
    weak = attack(item, name, strength=0.1, seed=1)
    assert check_attack(item, name, weak) is None
    assert len(weak) <= len(text)


@pytest.mark.parametrize(
    ("item", "name", "message"),
    [
        (replace(PAIR, reference=None), "reference", "no reference"),
        (replace(PAIR, rubric=None), "rubric", "no rubric"),
        (replace(MATH, reference=None), "format", "no reference"),
        (replace(MATH, reference="1 2 3"), "solution_fixation", "no method"),
        (replace(PAIR, reference="Bare."), "reference", "no heading, transition or term"),
        (replace(SCENE, background=None), "stereotype_amplification", "no background"),
        (replace(STORY, criteria=()), "criteria_entanglement", "no rubric"),
        (replace(STORY, responses={"original": "Too short."}), "criteria_loophole", "no room"),
        (replace(STORY, responses={"original": "12 " * 300}), "format", "no statement"),
    ],
)
def test_what_cannot_be_attacked_is_told(item, name, message):
    with pytest.raises(AttackError, match=message):
        attack(item, name)


def test_unknown_attacks_and_strengths():
    with pytest.raises(ValueError, match="math has no attack 'rubric'"):
        attack(MATH, "rubric")
    for strength in (0, 1.1, float("nan")):
        with pytest.raises(ValueError, match="strength"):
            attack(MATH, "format", strength=strength)


def test_profiles_come_back():
    profiles = {"King Lear": "Old.\nProud:\nso", "Fool": "Witty"}
    assert read_profiles(f"Book: x\n\n{profiles_text(profiles)}") == profiles
    assert read_profiles("no profile here") == {}


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_generated_items_can_all_be_attacked(family):
    for item in load_judged(family, "synthetic", n=30).items:
        for name in attack_names(family):
            assert check_attack(item, name, attack(item, name)) is None


def made(item, name):
    try:
        return attack(item, name)
    except AttackError:
        return None


def test_real_pairs_of_all_domains(shared_data):
    """Of 600 pairs; a rule finds little of a reference, and what it makes is valid."""
    items = load_judged("basic", "paper", n=600).items
    assert len({item.domain for item in items}) == 12
    told = [(item, name, made(item, name)) for item in items for name in attack_names("basic")]
    valid = [check_attack(item, name, text) is None for item, name, text in told if text]
    assert sum(valid) / len(valid) > 0.98
    assert sum(text is not None for _, name, text in told if name == "rubric") > 0.8 * len(items)


def test_real_scenes_and_requests(shared_data, tmp_path):
    for item in load_judged("role_playing", "paper").items:
        for name in attack_names("role_playing"):
            text = made(item, name)
            assert text is None or check_attack(item, name, text) is None
    request = open_requests("creative_writing")[0]
    item = replace(request, responses=STORY.responses, reference=STORY.reference)
    for name in attack_names("creative_writing"):
        assert check_attack(item, name, attack(item, name)) is None
