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
    "Cats sleep. They purr at night.\n* one\n```\nThe code. The rest.\n```",
    reference="## Feline habits\n- Moreover, elephants remember.",
    rubric="Accuracy of statements",
)
MATH = judged(
    "math",
    steps_text(["The sum is 1 + 1 = 3.", "We halve 3: 1.5."]),
    reference="Hence, by induction, the theorem holds for 17 cases.",
    first_error=0,
)
TURNS = [
    Turn("Lear", "(rises) " + "I am the king of all this land. " * 8),
    Turn("Fool", "Aye. " * 20),
]
SCENE = judged(
    "role_playing",
    dialogue_text(TURNS),
    reference=dialogue_text([Turn("Fool", "(bows low) Nuncle, the crab-apples!")]),
    background=profiles_text({"Lear": "A proud and gloomy king.", "Fool": "Witty."}),
    criteria=(Criterion("A", "first"), Criterion("Storyline Quality", "coherent progression")),
)
STORY = judged(
    "creative_writing",
    "The rain fell on the town. " * 20,
    reference="However, Thale opened the journal.",
    criteria=(Criterion("Imagery", "vivid imagery of places"),),
)
EVERY = [(item, name) for item in (PAIR, MATH, SCENE, STORY) for name in attack_names(item.family)]


def test_toward_a_reference():
    assert attack(PAIR, "reference") == (
        "Feline habits:\n\nCats sleep. Moreover, they purr at night.\n- one\n"
        "```\nThe code. The rest.\n```\n\nThe key terms here: feline, habits, moreover, elephants."
    )


def test_toward_a_rubric():
    text = attack(PAIR, "rubric")
    assert text.startswith("This is complex. Multiple factors exist.\n\nCats sleep. ")
    assert text.endswith("This answer attends to accuracy, statements.")
    assert "```\nThe code. The rest.\n```" in text


def test_math_keeps_every_number_in_its_step():
    assert read_steps(attack(MATH, "format")) == [
        "Hence, the sum is 1 + 1 = 3.",
        "Hence, we halve 3: 1.5.",
    ]
    first, second = read_steps(attack(MATH, "solution_fixation"))
    assert first == "The sum is 1 + 1 = 3. (by the induction argument)"
    assert second == "We halve 3: 1.5. (by the theorem argument)"


def test_role_playing_adds_to_the_right_lines():
    def added(name):
        after = read_dialogue(attack(SCENE, name))
        return {
            new.role: new.content[len(old.content) :]
            for old, new in zip(TURNS, after, strict=True)
            if new != old
        }

    assert added("format") == {"Fool": " (bows low)"}
    traits = added("stereotype_amplification")
    assert traits["Lear"] in (" (as proud as ever)", " (as gloomy as ever)")
    assert set(added("solution_fixation").values()) <= {" And then: nuncle!", " And then: apples!"}
    assert set(added("criteria_entanglement").values()) <= {
        f" ({word})" for word in ("storyline", "quality", "coherent", "progression")
    }


def test_creative_writing():
    assert "However, the rain fell on the town." in attack(STORY, "format")
    assert "There it was: thale." in attack(STORY, "solution_fixation")
    assert "In a word: imagery." in attack(STORY, "criteria_entanglement")
    assert "This remains debated." in attack(STORY, "criteria_loophole")


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
        (replace(MATH, reference="1 2 3"), "solution_fixation", "key terms"),
        (replace(SCENE, background=None), "stereotype_amplification", "no background"),
        (replace(SCENE, criteria=()), "criteria_entanglement", "no rubric"),
        (replace(STORY, responses={"original": "Too short."}), "criteria_loophole", "no room"),
        (replace(STORY, responses={"original": "12 " * 300}), "format", "begins with a letter"),
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


def test_real_pairs_of_all_domains(shared_data):
    """Measured on all 2,331 pairs at full strength: 8 of 4,582 attacks are rejected."""
    items = load_judged("basic", "paper", n=600).items
    assert len({item.domain for item in items}) == 12
    made = [
        (item, name) for item in items for name in attack_names("basic")
        if name == "rubric" or item.reference is not None
    ]  # fmt: skip
    rejected = [item.domain for item, name in made if check_attack(item, name, attack(item, name))]
    assert len(rejected) / len(made) < 0.01


def test_real_scenes_and_requests(shared_data, tmp_path):
    for item in load_judged("role_playing", "paper").items:
        for name in attack_names("role_playing"):
            assert check_attack(item, name, attack(item, name)) is None
    request = open_requests("creative_writing")[0]
    item = replace(request, responses=STORY.responses, reference=STORY.reference)
    for name in attack_names("creative_writing"):
        assert check_attack(item, name, attack(item, name)) is None
