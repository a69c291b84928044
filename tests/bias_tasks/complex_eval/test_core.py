"""The rows of the core become items with their attacks."""

from collections import Counter

from bias_tasks.complex_eval.attack_checks import check_attack
from bias_tasks.complex_eval.data.converters import ROLE_PLAYING
from bias_tasks.complex_eval.data.core import (
    find_changed_words,
    load_core_items,
    load_flawed_dialogues,
)
from bias_tasks.complex_eval.items import ATTACKS, JUDGED_KINDS
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.quote_matching import count_located
from bias_tasks.complex_eval.scoring_data import PlantedFlaw
from bias_tasks.parsing.parsed_answer import ReportedFlaw
from tests.bias_tasks.complex_eval.runs import DIALOGUE


def test_the_first_k_flaws_are_planted(rows):
    loaded = load_flawed_dialogues("core", 10)
    [dialogue] = loaded.items
    assert loaded.provenance[0]["n"] == 1
    contents = [[turn.content for turn in read_dialogue(dialogue.response(k))] for k in range(3)]
    assert contents[0] == [content for _, content in DIALOGUE]
    assert contents[1] == [*contents[0][:2], "Who did? I am glad to help."]
    assert contents[2] == ["(calm) Where is my key?", *contents[1][1:]]
    assert [flaw.words for flaw in dialogue.flaws] == ["I am glad to help.", "(calm)"]


def test_the_words_of_a_flaw_are_those_that_changed():
    assert find_changed_words("a b c", "a x b y c") == "x b y"
    assert find_changed_words("a b c", "a c") == "a c"  # words are only removed
    assert find_changed_words("a a", "a a a") == "a"


def test_every_item_of_the_core_has_every_attack_and_all_are_valid():
    for kind in JUDGED_KINDS:
        items = load_core_items(kind)
        assert len({item.id for item in items}) == len(items)
        for item in items:
            assert set(item.attacked) == set(ATTACKS[kind]), item.id
            for name, text in item.attacked.items():
                assert check_attack(item, name, text) is None, (item.id, name)


def test_every_flaw_of_the_core_is_located_by_its_words():
    for dialogue in load_flawed_dialogues("core", 999).items:
        assert len({flaw.turn for flaw in dialogue.flaws}) == len(dialogue.flaws) == 20
        assert set(Counter(flaw.dimension for flaw in dialogue.flaws)) <= set(ROLE_PLAYING)
        turns = [f"{t.role}: {t.content}" for t in read_dialogue(dialogue.response(20))]
        planted = [
            PlantedFlaw(dimension=f.dimension, turn=f.turn, words=f.words) for f in dialogue.flaws
        ]
        reports = [ReportedFlaw(f.dimension, 1, f.words) for f in dialogue.flaws]
        assert count_located(reports, planted, turns) == 20, dialogue.item.id
