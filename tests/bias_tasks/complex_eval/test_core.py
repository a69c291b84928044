"""The core's rows become items with their attacks, and as many as a simulation asks for."""

from collections import Counter

from bias_tasks.complex_eval.attack_checks import check_attack
from bias_tasks.complex_eval.data.converters import ROLE_PLAYING
from bias_tasks.complex_eval.data.core import brought, core_items, flawed_dialogues, simulated_items
from bias_tasks.complex_eval.items import JUDGED_KINDS, attack_names
from bias_tasks.complex_eval.layout import Turn, read_dialogue, read_steps
from bias_tasks.complex_eval.quote_matching import located
from bias_tasks.reading.types import ReportedFlaw
from tests.bias_tasks.complex_eval.runs import DIALOGUE


def test_rows_become_items(rows):
    [pair] = core_items("basic")
    assert [pair.id, pair.cluster, pair.source] == ["core-p", "core-p", "core"]
    assert pair.domain == "Open QA"
    assert pair.responses == {"chosen": "So.", "rejected": "No."}
    assert (pair.reference, pair.rubric, pair.background) == ("Since.", "Be right.", "Known.")
    assert pair.attacked == {"reference": "No, since.", "rubric": "No. Rightly so."}
    assert pair.attackers == {"reference": "bias-core 1", "rubric": "bias-core 1"}
    [solution] = core_items("math")
    assert (solution.query, solution.reference, solution.first_error) == ("1 + 1 + 1?", "3", 1)
    assert read_steps(solution.responses["original"]) == ["1 + 1 = 2", "2 + 1 = 4"]
    assert read_steps(solution.attacked["solution_fixation"]) == ["By addition 2", "By addition 4"]
    [scene] = core_items("role_playing")
    told = "Profile of Mira:\nA weaver.\n\nProfile of Jon:\nA shepherd."
    assert scene.background == f"Book: The Well\n\n{told}"
    assert [part.name for part in scene.criteria] == [*ROLE_PLAYING]
    assert "main characters: Mira, Jon" in scene.criteria[2].description
    assert read_dialogue(scene.reference) == [Turn("Jon", "(kind) Let us look.")]
    before, after = (
        read_dialogue(each) for each in (scene.responses["original"], scene.attacked["format"])
    )
    assert before == [Turn(*turn) for turn in DIALOGUE]
    assert after == [before[0], Turn("Jon", "(bows) I saw no key."), before[2]]
    [piece] = core_items("creative_writing")
    assert (piece.responses, piece.attacked) == ({"original": "Once."}, {"format": "Once, twice."})
    assert [(part.name, part.description) for part in piece.criteria] == [("Plot", "Has it one?")]


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


def test_simulations_have_as_many_items_as_they_ask_for(rows):
    items = simulated_items("basic", 3)
    assert [item.id for item in items] == ["core-p", "core-p-2", "core-p-3"]
    assert [item.query for item in items] == ["Why?", "Why?\n\n(Copy 2.)", "Why?\n\n(Copy 3.)"]
    assert len({item.cluster for item in items}) == 3
    assert {item.source for item in items} == {"synthetic"}
    assert [each.item.id for each in flawed_dialogues("synthetic", 2).items] == [
        "core-s",
        "core-s-2",
    ]


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
