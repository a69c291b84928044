"""The core's rows become items with their attacks, and as many as a simulation asks for."""

from collections import Counter

from bias_tasks.complex_eval.attack_checks import check_attack
from bias_tasks.complex_eval.data.converters import ROLE_PLAYING
from bias_tasks.complex_eval.data.core import brought, core_items, flawed_dialogues
from bias_tasks.complex_eval.items import JUDGED_KINDS, attack_names
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.quote_matching import located
from bias_tasks.parsing.parsed_answer import ReportedFlaw
from tests.bias_tasks.complex_eval.runs import DIALOGUE


def test_the_first_k_flaws_are_planted(rows):
    loaded = flawed_dialogues("core", 10)
    [dialogue] = loaded.items
    assert loaded.provenance[0]["n"] == 1
    contents = [[turn.content for turn in read_dialogue(dialogue.response(k))] for k in range(3)]
    assert contents[0] == [content for _, content in DIALOGUE]
    assert contents[1] == [*contents[0][:2], "Who did? I am glad to help."]
    assert contents[2] == ["(calm) Where is my key?", *contents[1][1:]]
    assert [flaw.words for flaw in dialogue.flaws] == ["I am glad to help.", "(calm)"]


def test_the_words_that_are_a_flaw():
    assert brought("a b c", "a x b y c") == "x b y"
    assert brought("a b c", "a c") == "a c"  # nothing but left out
    assert brought("a a", "a a a") == "a"


def test_every_item_of_the_core_has_every_attack_and_all_are_valid():
    for kind in JUDGED_KINDS:
        items = core_items(kind)
        assert len({item.id for item in items}) == len(items)
        for item in items:
            assert set(item.attacked) == set(attack_names(kind)), item.id
            for name, text in item.attacked.items():
                assert check_attack(item, name, text) is None, (item.id, name)


def test_every_flaw_of_the_core_is_found_by_its_own_words():
    for dialogue in flawed_dialogues("core", 999).items:
        assert len({flaw.turn for flaw in dialogue.flaws}) == len(dialogue.flaws) == 20
        assert set(Counter(flaw.dimension for flaw in dialogue.flaws)) <= set(ROLE_PLAYING)
        turns = [f"{t.role}: {t.content}" for t in read_dialogue(dialogue.response(20))]
        planted = [
            {"dimension": f.dimension, "turn": f.turn, "words": f.words} for f in dialogue.flaws
        ]
        reports = [ReportedFlaw(f.dimension, 1, f.words) for f in dialogue.flaws]
        assert located(reports, planted, turns) == 20, dialogue.item.id
