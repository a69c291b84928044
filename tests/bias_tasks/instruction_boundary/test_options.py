"""Displayed options: missing choices in the two steps of appendix A.3, and distractors."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.data.option_texts import number_references, refers_to_options
from bias_tasks.instruction_boundary.data.core import core_items
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import ChoiceItem, choice_label
from bias_tasks.instruction_boundary.prompts.options import (
    ALL_TRUE,
    COVERING,
    find_omission,
)
from bias_tasks.instruction_boundary.prompts.render import render_question
from bias_tasks.instruction_boundary.settings import SettingParams
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.builders import plan, questions

MISCELLANY = "disturbing_miscellany"
SYNTHETIC = {"data": "synthetic", "form": "choice", "n": 12}


def choice_item(answer, options="abcd", name="c"):
    return ChoiceItem(name, "Which?", tuple(options), tuple(answer), "t", name)


TEN_OPTIONS = choice_item([6], "abcdefghij", "t")


def display(item, variant, params=None, **arguments):
    """The displayed options of an item under a variant."""
    return render_question(item, variant, params or SettingParams(), **arguments).displayed


def display_missing_choices(item, seed=0):
    """The options of the complete setting, and of the insufficient one."""
    params = SettingParams(seed=seed)
    return (
        display(item, variant, params, setting="missing_choices")
        for variant in ("vanilla", "missing_choices")
    )


def texts(displayed):
    """The texts of the options, without their numbers."""
    return [line.partition(". ")[2] for line in displayed.lines]


def first_seed(item, omission):
    """The first seed with which missing choices omits this option from an item."""
    return next(seed for seed in range(100) if find_omission(item, seed) == omission)


def test_the_modified_half_loses_the_statement_that_replaces_the_correct_option():
    item = choice_item([1])
    complete, insufficient = display_missing_choices(item, first_seed(item, "covering"))
    assert texts(complete) == ["a", "all other options are false", "c", "d"]
    assert complete.data.gold == (1,)
    assert insufficient.lines == ("1. a", "2. c", "3. d")
    assert insufficient.data.gold == ()
    several = choice_item([0, 2])
    complete, insufficient = display_missing_choices(several, first_seed(several, "covering"))
    assert (texts(complete), complete.data.gold) == ([COVERING, "b", "d"], (0,))
    assert (texts(insufficient), insufficient.data.gold) == (["b", "d"], ())


@given(
    st.integers(2, 8).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)), st.integers(0, 999))
    )
)
def test_missing_choices_omits_at_most_one_option_and_gold_follows(example):
    n, answer, seed = example
    item = choice_item(sorted(answer), "abcdefgh"[:n])
    complete, insufficient = display_missing_choices(item, seed)
    omission = find_omission(item, seed)
    n_omitted = len(complete.lines) - len(insufficient.lines)
    assert n_omitted == (0 if omission == "nothing" else 1)
    assert len(insufficient.lines) >= 2
    assert (COVERING in texts(complete)) == (omission == "covering")
    assert COVERING not in texts(insufficient)
    correct = {text for position, text in enumerate("abcdefgh"[:n]) if position in answer}
    for displayed in (complete, insufficient):
        displayed_texts = texts(displayed)
        assert displayed.texts == tuple(displayed_texts)
        gold_texts = {displayed_texts[index] for index in displayed.data.gold}
        if COVERING in displayed_texts:
            assert gold_texts == {COVERING}
        else:
            assert gold_texts == correct & set(displayed_texts)


def test_vanilla_with_modified_labels_asks_what_missing_choices_asks_before_it_omits():
    """Half of the items with a correct option have the statement in its place (A.3, step 1)."""
    modified = SettingParams(label_modification=True)
    for item in (choice_item([1], name=str(i)) for i in range(20)):
        displayed = display(item, "vanilla", modified, setting="vanilla")
        assert displayed == display(item, "vanilla", setting="missing_choices")
        assert (COVERING in texts(displayed)) == (find_omission(item, 0) == "covering")
    run = {"data": "core", "form": "choice"}
    found = Counter(q.scoring_data.gold_label for q in questions("vanilla", **run))
    assert found == {"single": 97, "multiple": 97, "none": 97}
    found = Counter(
        (q.scoring_data.gold_label, COVERING in q.scoring_data.options.texts)
        for q in questions("vanilla", label_modification=True, **run)
    )
    assert found["none", False] + found["single", True] >= 97
    assert found["none", False] <= found["single", True]
    for values, message in (
        ({"form": "judging"}, "changes choice items alone"),
        ({"protocol": "published"}, "not in the authors' public code"),
    ):
        with pytest.raises(ValueError, match=message):
            questions("vanilla", label_modification=True, data="synthetic", n=3, **values)


def test_gold_follows_the_options_on_the_papers_items(shared_data):
    """Of 373 items, the 150 without a correct option and about half of the others become `none`."""
    golds = Counter(
        (question.variant, choice_label(question.scoring_data.options.gold))
        for question in plan("missing_choices", form="choice").questions
    )
    none = golds["missing_choices", "none"]
    assert 150 + 223 / 2 - 30 < none < 150 + 223 / 2 + 30
    assert golds["vanilla", "none"] == 0
    assert golds["vanilla", "single"] == none + golds["missing_choices", "single"]
    assert golds["vanilla", "multiple"] == golds["missing_choices", "multiple"]


def test_miscellany_shuffles_the_correct_option_and_adds_the_options_of_table_2_if_wrong():
    by_seed = [display(TEN_OPTIONS, MISCELLANY, SettingParams(seed=seed)) for seed in range(100)]
    assert len({displayed.data.find_indices((6,)) for displayed in by_seed}) == 10
    assert all(displayed.data.gold == displayed.data.find_indices((6,)) for displayed in by_seed)
    assert len(display(TEN_OPTIONS, "vanilla", setting=MISCELLANY).lines) == 2
    few = display(choice_item([0, 2]), MISCELLANY)
    assert texts(few)[-1:] == [ALL_TRUE]
    assert sorted(texts(few)[:-1]) == [*"abcd"]
    assert ALL_TRUE not in texts(display(choice_item([*range(4)]), MISCELLANY))  # it would be right
    letters = display(TEN_OPTIONS, MISCELLANY, SettingParams("published", distractors=2))
    assert list(letters.data.positions) == sorted(letters.data.positions)
    assert "G. g" in letters.lines
    assert letters.data.symbol(letters.data.positions.index(6)) == "G"


@pytest.mark.parametrize("count", [1, 2, 3, 4, 9])
def test_the_number_of_options_does_not_tell_gold(count):
    """One core item has the same number of options as another, and the same ones added."""
    params, shown = SettingParams(distractors=count), {}
    for question in plan("instruction_boundary", data="core", form="choice").questions:
        item = question.source.item
        if question.variant != MISCELLANY or len(item.answer) > count + 1:
            continue
        displayed = display(item, MISCELLANY, params)
        added = [text for text in displayed.texts if text not in item.options]
        shown.setdefault(item.label, set()).add((len(displayed.lines), *added))
        gold = {displayed.texts[index] for index in displayed.data.gold}
        assert gold == {item.options[position] for position in item.answer}
        twin = display(item, "vanilla", setting=MISCELLANY)
        assert len(twin.lines) == max(2, len(item.answer))
    assert shown.keys() == {"single", "multiple", "none"}
    n_options = (count + 1,) if count < 4 else (5, ALL_TRUE)
    assert all(options == {n_options} for options in shown.values())


def test_several_numbers_of_distractors_share_one_baseline():
    planned = questions(MISCELLANY, **SYNTHETIC, distractors="1,5,9")
    assert len(planned) == len({question.id for question in planned}) == 4 * 12
    for start in range(0, len(planned), 4):
        one, five, nine, baseline = four = planned[start : start + 4]
        levels = [f"{MISCELLANY}@{level}" for level in (1, 5, 9)]
        assert [question.variant for question in four] == [*levels, "vanilla"]
        positions = [set(q.scoring_data.options.positions) for q in (one, five, nine)]
        assert positions[0] < positions[1] < positions[2]
        assert [len(level_positions) for level_positions in positions] == [2, 6, 10]
        assert one.prompt == baseline.prompt
        assert (one.repeats, five.repeats, baseline.repeats) == (True, False, False)
    single = plan(MISCELLANY, **SYNTHETIC, distractors=[4]).questions
    assert [question.variant for question in single[:2]] == [MISCELLANY, "vanilla"]
    whole = plan("instruction_boundary", **SYNTHETIC | {"n": 1}, distractors=[1, 2]).questions
    assert [q.variant[-1] for q in whole if q.variant.startswith(MISCELLANY)] == ["1", "2"]
    assert not any(question.repeats for question in whole)  # vanilla displays every option
    for form in ("all", "judging"):
        with pytest.raises(ValueError, match="run them with form=choice"):
            plan(MISCELLANY, data="synthetic", form=form, distractors="1,2")


def test_items_without_an_option_to_omit_are_counted_in_a_note(tmp_path):
    items = (("abcd", [0]), ("abcde", [1]), ("abcd", []), ("ab", [1]))
    rows = [
        {"question": f"Q{number}", "options": [*options], "answer": answer}
        for number, (options, answer) in enumerate(items)
    ]
    path = write_jsonl(tmp_path / "mine.jsonl", rows)
    mine = {"form": "choice", "data": str(path)}
    [note] = plan("missing_choices", **mine).notes
    assert note.startswith("missing_choices: 1 of 4 choice items have no option that can")
    assert plan("missing_choices", **mine, protocol="published").notes == ()
    # The page says once what is true of every item with few options.
    assert plan(MISCELLANY, **mine, distractors="1,4,5").notes == ()
    assert plan(MISCELLANY, data="synthetic", form="judging", n=3).notes == ()
    assert plan("instruction_boundary", data="core", n=12).notes == ()


REFERRING = ("A vitamin", "A mineral", "Both A and B", "None of the above")


def test_options_that_refer_to_others_stay_in_their_places(tmp_path):
    item = choice_item([2], REFERRING)
    assert item.refers_to_options
    assert not choice_item([2], ("Vitamin A", "a mineral", "both of two", "I")).refers_to_options
    numbered = ["A vitamin", "A mineral", "Both 1 and 2", "None of the above"]
    none_correct = choice_item([], REFERRING)
    for seed in range(20):
        for displayed in display_missing_choices(item, seed):
            assert (texts(displayed), displayed.data.gold) == (numbered, (2,))
        for displayed in display_missing_choices(none_correct, seed):
            assert (texts(displayed), displayed.data.gold) == (numbered, ())
        for count in (1, 9):
            params = SettingParams(seed=seed, distractors=count)
            for variant in (MISCELLANY, "vanilla"):
                displayed = display(item, variant, params, setting=MISCELLANY)
                assert (texts(displayed), displayed.data.gold) == (numbered, (2,))
    published = display(item, "vanilla", SettingParams(protocol="published"))
    assert published.lines == REFERRING
    rows = [
        {"question": "Which?", "options": list(REFERRING), "answer": "C"},
        {"question": "Why?", "options": ["so", "not so", "perhaps"], "answer": "A"},
    ]
    data = str(write_jsonl(tmp_path / "rows.jsonl", rows))
    for task in ("missing_choices", MISCELLANY, "vanilla"):
        [note] = [n for n in plan(task, data=data).notes if "refer to others" in n]
        assert note.startswith("1 of 2 choice items have options that refer to others")
    # The same prompt twice must not be answered from a cache.
    repeats = [question.repeats for question in questions(MISCELLANY, data=data)]
    assert sorted(repeats) == [False, False, False, True]


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("Both A and B are correct", "Both 1 and 2 are correct"),
        ("A, B, and C", "1, 2, and 3"),
        ("(A) and (C)", "(1) and (3)"),
        ("Only B", "Only 2"),
        ("Neither (A) nor (B)", "Neither (1) nor (2)"),
        ("Options A, B and C, but not vitamin D", "Options 1, 2 and 3, but not vitamin D"),
        ("Only I", "Only I"),
        ("Both A and H", "Both A and H"),
        ("Vitamin A", "Vitamin A"),
        ("Both Ada and Bea", "Both Ada and Bea"),
    ],
)
def test_letters_of_other_options_become_their_numbers(text, numbered):
    assert number_references(text, 4) == numbered


def test_an_option_that_only_sounds_like_a_reference_is_none():
    for text in ("Two of the mules had run away.", "All of the hot dog buns", "Vitamin A", "I"):
        assert not refers_to_options(text), text
    for text in (
        "None of the above",
        "All of these",
        "both of the statements",
        "Neither",
        "A, B, and C",
        "Two of the other options",
    ):
        assert refers_to_options(text), text
    assert not any(item.refers_to_options for item in core_items("choice"))


def test_none_of_a_count_is_zero():
    for options in (("one", "two", "none"), ("all", "some", "None."), ("both", "one", "neither")):
        counts = replace(choice_item([2], options), question="How many moons does Mars have?")
        assert not counts.refers_to_options
        assert replace(counts, question="Which moon is it?").refers_to_options
    for option in ("none of the above", "all of these", "both A and B", "neither A nor B"):
        assert refers_to_options(option, "How many moons does Mars have?")


def test_an_option_of_the_papers_data_that_is_there_twice_is_displayed_once(shared_data):
    planned = plan("missing_choices", form="choice")
    notes = "\n".join(planned.notes)
    assert "4 of 373 choice items have the same option twice" in notes
    assert "2 of 373 choice items have options that refer to others" in notes
    assert all(len(set(q.choices)) == len(q.choices) for q in planned.questions)
    item = choice_item([1], ("ocean", "boat", "ocean", "pond"))
    assert texts(display(item, "vanilla")) == ["ocean", "boat", "pond"]
    assert display(item, "vanilla").data.gold == (1,)
    complete, insufficient = display_missing_choices(item, first_seed(item, "wrong"))
    assert (len(complete.lines), len(insufficient.lines)) == (3, 2)
    displayed = display(item, MISCELLANY, SettingParams(distractors=9))
    assert sorted(texts(displayed)) == sorted(["ocean", "boat", "pond", ALL_TRUE])
    published = display(item, "vanilla", SettingParams(protocol="published"))
    assert published.lines == item.options
    # A correct option is displayed even if its text repeats that of a wrong one.
    assert choice_item([2], item.options).distinct_positions == [0, 1, 2, 3]


def test_a_report_has_the_texts_of_the_selected_options():
    [question] = plan("vanilla", data="core", form="choice", n=1).questions[:1]
    first, second, *_ = question.scoring_data.options.texts
    assert question.choices[:2] == (first, second)
    assert FAMILY.answer_text(question.scoring_data, "1, 2") == f"{first}; {second}"
    assert FAMILY.answer_text(question.scoring_data, "none") == "none"
    [question] = plan("vanilla", data="core", form="judging", n=1).questions
    assert FAMILY.answer_text(question.scoring_data, "True") == "True"
