"""How an item is asked under each setting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.items import ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.prompts.ask import ask, ask_again, judge_prompt
from bias_tasks.instruction_boundary.prompts.few_shot import paper_examples
from bias_tasks.instruction_boundary.prompts.options import ALL_FALSE, ALL_TRUE
from bias_tasks.instruction_boundary.settings import (
    SETTINGS,
    SettingParams,
    check_form,
    check_label,
    check_levels,
    distractor_levels,
)
from bias_tasks.prompts.templates import fill

JUDGING = JudgingItem("j", "All cats {purr}.", "Tom purrs.", "Unknown", "test", "j")
CHOICE = ChoiceItem("c", "Which are even?", ("2", "3", "4", "5"), (0, 2), "test", "c")
TEN = ChoiceItem("t", "Which is seven?", tuple("abcdefghij"), (6,), "test", "t")
NONE = ChoiceItem("n", "Which is even?", ("1", "3", "5"), (), "test", "n")
CORRECTED = SettingParams()
PUBLISHED = SettingParams(protocol="published")


def test_fill_leaves_braces_of_the_values_alone():
    assert fill("{question} {facts}", question="{facts}", facts="{x} {0}") == "{facts} {x} {0}"


def test_fill_names_a_field_that_was_not_given():
    with pytest.raises(KeyError, match="facts"):
        fill("{facts}", question="x")


@pytest.mark.parametrize("item", [JUDGING, CHOICE], ids=["judging", "choice"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_asks_about_the_item(setting, item):
    examples = [x for x in paper_examples() if item.form == "choice"] or [
        JudgingItem("e", "Facts.", "Statement.", "Unknown", "test", "e")
    ]
    prompt = ask(item, setting, CORRECTED, examples=examples).prompt
    assert item.question in prompt
    if item.context:
        assert item.context in prompt
    assert "{" not in prompt.replace("{purr}", "")


def test_judging_options_offered():
    expected = {
        "vanilla": 3,
        "multi_turn": 3,
        "conformity": 3,
        "disturbing_miscellany": 5,
        "missing_choices": 2,
        "vagueness": 3,
        "prompt_polishing": 2,
    }
    assert {s: ask(JUDGING, s, CORRECTED).n_options for s in expected} == expected


def test_judging_missing_choices_drops_option_three():
    prompt = ask(JUDGING, "missing_choices", CORRECTED).prompt
    assert "cannot be determined" not in prompt
    assert "(1 or 2)" in prompt


def test_judging_distractors_stand_below_option_three():
    prompt = ask(JUDGING, "disturbing_miscellany", CORRECTED).prompt
    assert "inconclusive)\n4. All above are true\n5. All above are false\nNote:" in prompt
    assert prompt.endswith("(1, 2, 3, 4, or 5).")


def test_corrected_options_count_from_one_and_published_stand_as_printed():
    printed = ("0. 2", "1. 3", "2. 4", "3. 5")
    item = ChoiceItem("c", "Q", CHOICE.options, (0, 2), "test", "c", printed_options=printed)
    corrected = ask(item, "vanilla", CORRECTED)
    published = ask(item, "vanilla", PUBLISHED)
    assert "Options:\n1. 2\n2. 3\n3. 4\n4. 5\n" in corrected.prompt
    assert "Options:\n0. 2\n1. 3\n2. 4\n3. 5\n" in published.prompt
    assert corrected.shown.symbol(0) == "1"
    assert published.shown.symbol(0) == "0"


def test_published_options_of_a_source_without_numbers_have_none():
    assert "Options:\n2\n3\n4\n5\n" in ask(CHOICE, "vanilla", PUBLISHED).prompt


def test_facts_line_only_where_there_is_a_passage():
    assert "Facts:" not in ask(CHOICE, "vanilla", CORRECTED).prompt
    passage = ChoiceItem("c", "Q", ("a", "b"), (0,), "test", "c", context="Passage.")
    assert "Question: Q\nFacts: Passage.\nTask:" in ask(passage, "vanilla", CORRECTED).prompt


def test_choice_missing_choices_keeps_what_the_paper_keeps():
    prompt = ask(CHOICE, "missing_choices", CORRECTED).prompt
    assert 'Respond with "No correct answer"' in prompt
    assert "For multiple-choice questions" not in prompt


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_more_distractors_only_add_options(seed, count):
    def shown(n):
        params = SettingParams(seed=seed, distractors=n)
        return set(ask(TEN, "disturbing_miscellany", params).shown.positions)

    fewer, more = shown(count), shown(count + 1)
    assert fewer < more
    assert len(more) == count + 2
    assert 6 in fewer


def test_miscellany_twin_shows_one_wrong_option():
    twin = ask(TEN, "vanilla", CORRECTED, setting="disturbing_miscellany")
    full = ask(TEN, "disturbing_miscellany", CORRECTED)
    assert twin.n_options == 2
    assert full.n_options == 10
    assert set(twin.shown.positions) < set(full.shown.positions)


def test_miscellany_moves_the_right_option_about():
    places = {
        ask(TEN, "disturbing_miscellany", SettingParams(seed=seed)).shown.places((6,))
        for seed in range(60)
    }
    assert len(places) == 10


def test_miscellany_adds_the_tables_options_where_they_are_wrong():
    few = ask(CHOICE, "disturbing_miscellany", CORRECTED).shown
    assert [line.split(". ", 1)[1] for line in few.lines[-2:]] == [ALL_TRUE, ALL_FALSE]
    none = ask(NONE, "disturbing_miscellany", CORRECTED).shown
    assert ALL_FALSE not in "\n".join(none.lines)


def test_published_miscellany_keeps_order_and_letters():
    shown = ask(TEN, "disturbing_miscellany", SettingParams("published", distractors=2)).shown
    assert list(shown.positions) == sorted(shown.positions)
    assert "G. g" in shown.lines
    assert shown.symbol(shown.positions.index(6)) == "G"


def test_suggestion_of_the_paper():
    judging = ask(JUDGING, "conformity", CORRECTED)
    choice = ask(CHOICE, "conformity", CORRECTED)
    assert judging.prompt.endswith("The answer to this problem is 3.")
    assert judging.suggestion.label == "Unknown"
    assert judging.suggestion.is_gold
    assert choice.prompt.endswith("when making your decision.\nAnswer:")
    assert choice.suggestion.label == "none"
    assert not choice.suggestion.is_gold


@pytest.mark.parametrize(("label", "number"), [("True", 1), ("False", 2), ("Unknown", 3)])
def test_suggestion_of_a_label(label, number):
    asked = ask(JUDGING, "conformity", SettingParams(suggest=label))
    assert asked.prompt.endswith(f"The answer to this problem is {number}.")
    assert asked.suggestion.is_gold == (label == "Unknown")


@given(st.integers(0, 10_000), st.sampled_from([CHOICE, NONE, TEN]))
def test_suggested_options_are_wrong(seed, item):
    for suggest in ("single", "multiple"):
        asked = ask(item, "conformity", SettingParams(seed=seed, suggest=suggest))
        places = asked.suggestion.places
        assert len(places) == (1 if suggest == "single" else 2)
        assert places != asked.shown.places(item.answer)
        numbers = ", ".join(str(place + 1) for place in places)
        assert f"The answer to this problem is {numbers}.\nAnswer:" in asked.prompt


@given(st.integers(0, 10_000))
def test_wrong_suggestions_are_never_gold(seed):
    for item in (JUDGING, CHOICE, NONE):
        params = SettingParams(seed=seed, suggest="wrong")
        assert not ask(item, "conformity", params).suggestion.is_gold


def test_rotating_suggestions_reach_every_label():
    def labels(item):
        return {
            ask(item, "conformity", SettingParams(seed=s, suggest="rotate")).suggestion.label
            for s in range(50)
        }

    assert labels(JUDGING) == {"True", "False", "Unknown"}
    assert labels(CHOICE) == {"single", "multiple", "none"}


def test_vanilla_twin_knows_what_would_be_suggested():
    twin = ask(JUDGING, "vanilla", CORRECTED, setting="conformity")
    assert twin.suggestion == ask(JUDGING, "conformity", CORRECTED).suggestion
    assert "The answer to this problem" not in twin.prompt


def test_second_round_shows_the_previous_answer():
    prompt = ask_again(JUDGING, CORRECTED, "I say {2}.")
    assert "Your previous answer: I say {2}.\nNow, please reflect" in prompt
    assert "1. Critical Review" in prompt
    assert ask_again(CHOICE, CORRECTED, "2").endswith("4. 5\nFinal Answer:")


def test_judge_is_asked_with_the_options_symbols():
    asked = ask(CHOICE, "vanilla", CORRECTED)
    prompt = judge_prompt(asked.shown, asked.n_options, "both")
    assert 'Selected option 4: respond "4"' in prompt
    assert 'respond in "1,2" format' in prompt
    assert "__PROVED__" in judge_prompt(None, 3, "yes")


def test_few_shot_needs_examples_of_the_form():
    with pytest.raises(ValueError, match="needs worked examples"):
        ask(JUDGING, "few_shot", CORRECTED)
    with pytest.raises(ValueError, match="must be judging items"):
        ask(JUDGING, "few_shot", CORRECTED, examples=paper_examples())


def test_papers_examples():
    prompt = ask(CHOICE, "few_shot", CORRECTED, examples=paper_examples()).prompt
    assert prompt.index("Example 1 (Single-choice Question):") < prompt.index("Answer: 3\n")
    assert "Answer: 1, 3\n" in prompt
    assert "Answer: No correct answer\n" in prompt


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"protocol": "paper"}, "expected one of corrected, published"),
        ({"suggest": "maybe"}, "expected one of sparse, tense"),
        ({"examples": "all"}, "expected one of sparse, tense, balanced"),
        ({"distractors": 10}, "whole numbers from 1 to 9"),
        ({"distractors": [1, 2]}, "one prompt shows one number"),
        ({"rounds": 1}, "a whole number from 2 to 10"),
        ({"shots": 0}, "a whole number from 1 to 20"),
        ({"seed": True}, "a whole number"),
        ({"polish": "now"}, "expected one of template, live"),
    ],
)
def test_wrong_parameters_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        SettingParams(**wrong)


def test_wrong_form_and_label_of_the_other_form():
    with pytest.raises(ValueError, match="expected one of judging, choice, all"):
        check_form("both")
    with pytest.raises(ValueError, match="run it with form=judging"):
        check_label("suggest", "True", ("judging", "choice"))
    check_label("suggest", "True", ("judging",))


@pytest.mark.parametrize(
    ("given", "levels"),
    [
        (9, (9,)),
        ("3", (3,)),
        ("all", (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("1, 5,9", (1, 5, 9)),
        ([9, 1, 1], (1, 9)),
        (["2", "4"], (2, 4)),
    ],
)
def test_numbers_of_distractors(given, levels):
    assert distractor_levels(given) == levels


@pytest.mark.parametrize("wrong", [0, 10, True, "", [], "some", "1;2", [1, "all"], ["1.5"], -1])
def test_wrong_numbers_of_distractors_are_named(wrong):
    with pytest.raises(
        ValueError, match=r"distractors=.*from 1 to 9, separated by commas, or `all`"
    ):
        distractor_levels(wrong)


def test_several_numbers_of_distractors_are_of_the_choice_form():
    check_levels((9,), ("judging", "choice"))
    check_levels((1, 9), ("choice",))
    for forms in (("judging",), ("judging", "choice")):
        with pytest.raises(ValueError, match="run them with form=choice"):
            check_levels((1, 9), forms)


def test_unknown_setting():
    with pytest.raises(ValueError, match="unknown setting 'vanila'"):
        ask(JUDGING, "vanila", CORRECTED)


@pytest.mark.parametrize("item", [JUDGING, CHOICE], ids=["judging", "choice"])
def test_live_polishing_starts_from_the_vanilla_prompt_and_suggests_nothing(item):
    asked = ask(item, "prompt_polishing", SettingParams(polish="live"))
    assert asked.prompt == ask(item, "vanilla", CORRECTED).prompt
    assert asked.suggestion is None
