"""Each probe asks the same thing otherwise, says what it can't ask, and draws by the seed alone."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.output_format.formats import formats_in
from bias_tasks.probing.answers import as_the_task_reads, content_of
from bias_tasks.probing.probes import PROBES, chosen_probes
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.plan import chosen_items, plan_probes
from bias_tasks.probing.probes.base import DoesNotApplyError

CHOICE = ProbedItem("q", "Which of these is a river?", ("Rhine", "Alps", "Paris"), (0,), "A")
FREE = ProbedItem("f", "Is the moon a satellite of the earth?", target="yes")
LETTERS = ("A", "B", "C")


def asked(name, item, seed=0):
    return PROBES[name].asked(item, random.Random(seed))


def refused(name, item):
    with pytest.raises(DoesNotApplyError) as error:
        asked(name, item)
    return str(error.value)


@given(st.integers(2, 10), st.integers(0, 9), st.integers(0, 99))
def test_order_is_a_permutation_that_moves_the_right_choice(count, right, seed):
    item = ProbedItem("q", "?", tuple(f"choice {n}" for n in range(count)), (right % count,))
    order = asked("order", item, seed).order
    assert sorted(order) == list(range(count))
    assert order.index(right % count) != right % count


@given(st.integers(0, 99))
def test_order_of_several_right_choices_is_another_order(seed):
    item = ProbedItem("q", "?", ("a", "b", "c"), (0, 2))
    order = asked("order", item, seed).order
    assert sorted(order) == [0, 1, 2]
    assert order != (0, 1, 2)


def test_every_other_place_is_as_likely_for_the_right_choice():
    item = ProbedItem("q", "?", ("a", "b", "c", "d"), (1,))
    places = [asked("order", item, seed).order.index(1) for seed in range(300)]
    assert {place: 60 < places.count(place) < 140 for place in set(places)} == {
        0: True,
        2: True,
        3: True,
    }


@pytest.mark.parametrize(
    "choice",
    [
        "None of the above",
        "all of the other choices",
        "Both A and C",
        "A and C",
        "A, B",
        "Option A",
        "Neither of these",
        "the above",
        "none",
    ],
)
def test_choices_that_speak_of_others_keep_their_order_and_labels(choice):
    item = ProbedItem("q", "?", ("Rhine", "Alps", choice), (0,))
    assert refused("order", item) == refused("labels", item) == "a choice speaks of others"


@pytest.mark.parametrize("choice", ["Vitamin A", "a part of the whole", "one above average", "B"])
def test_choices_that_stand_for_themselves_may_be_moved(choice):
    item = ProbedItem("q", "?", ("Rhine", "Alps", choice), (0,))
    if "above" in choice:
        assert refused("order", item)
    else:
        assert asked("order", item).order


def test_labels_that_a_choice_holds_are_not_used():
    item = ProbedItem("q", "?", ("1 apple", "Henry II", "three"), (0,))
    labels = {asked("labels", item, seed).dress.labels[0] for seed in range(30)}
    assert labels == {"P"}
    every = ProbedItem("q", "?", ("1", "II", "P"), (0,))
    assert refused("labels", every) == "its choices hold what could be a label"
    assert "more than" in refused("labels", ProbedItem("q", "?", tuple("abcdefghijk"), (0,)))


@pytest.mark.parametrize(
    "choices", [("pH", "Ph"), ("x = 2", "x = 3"), ("DNA", "RNA"), ("mM", "mm")]
)
def test_capitals_are_not_changed_where_they_mean_something(choices):
    assert refused("casing", ProbedItem("q", "?", choices, (0,)))


def test_plain_words_change_their_capitals():
    assert asked("casing", CHOICE).dress.capitals in ("upper", "lower")
    assert asked("casing", ProbedItem("q", "?", ("A river, I say.", "No"), (0,))).dress


def test_probes_of_choices_need_printed_choices():
    for name in ("order", "labels", "separator", "casing", "suggest"):
        assert refused(name, FREE) == "its prompt prints no choices"


def test_a_suggestion_names_a_wrong_choice():
    endings = {asked("suggest", CHOICE, seed).ending for seed in range(20)}
    assert endings == {f"The answer to this problem is {label}." for label in "BC"}
    assert refused("suggest", ProbedItem("q", "?", ("a", "b"), (0, 1)))
    assert refused("suggest", ProbedItem("q", "?", ("a", "b")))


def test_a_slip_changes_one_word_in_ten_and_no_name_or_number():
    text = "The river Rhine passes Basel in 1999 (see https://example.org/page) and flows north"
    item = ProbedItem("q", text)
    slipped = asked("typo", item).text
    assert slipped != text
    for kept in ("Rhine", "Basel", "1999", "https://example.org/page"):
        assert kept in slipped
    changed = [one for one, two in zip(text.split(), slipped.split(), strict=True) if one != two]
    assert len(changed) == 1
    assert refused("typo", ProbedItem("q", "2 + 2 = ?"))


@given(st.from_regex(r"[a-z]{4,12}( [a-z]{4,12}){0,30}", fullmatch=True), st.integers(0, 9))
def test_a_slip_leaves_first_and_last_letters_or_drops_one(text, seed):
    slipped = asked("typo", ProbedItem("q", text), seed).text
    assert len(slipped.split()) == len(text.split())
    for one, two in zip(text.split(), slipped.split(), strict=True):
        assert one[0] == two[0]
        assert abs(len(one) - len(two)) <= 1


def test_a_paraphrase_is_the_grammars():
    assert asked("paraphrase", FREE).text == ("Would you say the moon is a satellite of the earth?")
    assert refused("paraphrase", CHOICE) == "the grammar can't reword it"


def test_system_messages_and_second_thoughts_leave_the_prompt():
    assert asked("system", FREE).system
    assert asked("persona", FREE).system.startswith("You are a")
    assert asked("reflect", FREE).again.startswith("Now, please reflect")


@pytest.mark.parametrize("wrapping", formats_in("wrapping"), ids=lambda each: each.name)
def test_what_a_format_encloses_is_what_the_task_reads(wrapping):
    def read(said):
        return as_the_task_reads(Asked(format=wrapping.name), said, LETTERS)

    said = f"I think so.\nANSWER: {wrapping.opening}B{wrapping.closing}"
    assert read(said) == "I think so.\nANSWER: B"
    assert read("ANSWER: B") == "ANSWER: B"
    assert read("x" * 2_000_000) == "x" * 2_000_000


def test_the_answer_loses_format_and_labels():
    under = asked("labels", CHOICE)
    label = under.dress.labels[1]
    assert as_the_task_reads(under, f"ANSWER: {label}", LETTERS) == "ANSWER: B"
    assert as_the_task_reads(Asked(), "ANSWER: B", LETTERS) == "ANSWER: B"


@pytest.mark.parametrize(
    ("said", "order", "content"),
    [
        ("A", (), "#0"),
        ("a.", (), "#0"),
        ("A", (2, 0, 1), "#2"),
        ("A, C", (2, 0, 1), "#1 #2"),
        ("C A", (), "#0 #2"),
        ("Rhine", (), "#0"),
        ("the Rhine", (), "the rhine"),
        ("D", (), "d"),
        (None, (), ""),
        ("", (), ""),
    ],
)
def test_an_answer_is_its_content_whatever_its_label(said, order, content):
    assert content_of(CHOICE, Asked(order=order), said, LETTERS) == content


def test_free_answers_are_the_same_but_for_case_and_blanks():
    assert content_of(FREE, Asked(), " **Forty  Two** ", ()) == "forty two"


def test_a_plan_asks_each_item_plain_again_and_under_what_applies():
    plan = plan_probes([CHOICE, FREE], chosen_probes("order,system"), repeats=2, seed=0)
    assert [question.id for question in plan.questions] == [
        *(f"q/{variant}" for variant in ("plain", "repeat1", "repeat2", "order", "system")),
        *(f"f/{variant}" for variant in ("plain", "repeat1", "repeat2", "system")),
    ]
    assert plan.refused == {("order", "its prompt prints no choices"): 1}
    assert [question.repeats for question in plan.questions[:4]] == [False, True, True, False]


def test_what_an_item_is_asked_depends_on_the_seed_and_on_itself_alone():
    every = chosen_probes(None)
    first = plan_probes([CHOICE, FREE], every, repeats=1, seed=3).questions
    again = plan_probes([FREE, CHOICE], every[::-1], repeats=2, seed=3).questions
    shared = {question.id: question.asked for question in again}
    assert all(shared[question.id] == question.asked for question in first)
    other = plan_probes([CHOICE], every, repeats=1, seed=4).questions
    assert {q.id: q.asked for q in other} != {q.id: q.asked for q in first[: len(other)]}


def test_items_are_drawn_by_the_seed_and_stay_in_order():
    items = [ProbedItem(str(number), "?") for number in range(50)]
    drawn = chosen_items(items, 10, 0)
    assert len(drawn) == 10
    assert drawn == sorted(drawn, key=lambda item: int(item.id))
    assert chosen_items(items[::-1], 10, 0) == drawn[::-1]
    assert chosen_items(items, 10, 1) != drawn
    assert chosen_items(items, None, 0) == chosen_items(items, 99, 0) == items
    with pytest.raises(ValueError, match="several items"):
        chosen_items([items[0], items[0]], 1, 0)


def test_probes_are_chosen_by_name():
    assert [probe.name for probe in chosen_probes("order, typo, order")] == ["order", "typo"]
    every = [probe.name for probe in chosen_probes(None)]
    assert every == [name for name in PROBES if name != "language"]  # which takes a file
    without = {probe.name for probe in chosen_probes(None, likelihoods=True)}
    assert set(every) - without == {"polish", "reflect", "format"}


@pytest.mark.parametrize(
    ("names", "likelihoods", "message"),
    [
        ("ordr", False, "there is no 'ordr' (did you mean 'order'?)"),
        ("format", True, "needs a written answer"),
        ([], False, "none is named"),
    ],
)
def test_probes_that_there_are_not_are_refused(names, likelihoods, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        chosen_probes(names, likelihoods=likelihoods)


def test_the_declared_words_are_the_probes():
    from bias_tasks.families import load_family

    parameters = {each.name: each for each in load_family("probing").tasks["probe"].parameters}
    assert parameters["probes"].values == tuple(PROBES)


def test_the_tasks_own_labels_are_neither_drawn_again_nor_misnamed():
    item = ProbedItem("q", "?", ("Rhine", "Alps", "Paris"), (0,), labels=("1", "2", "3"))
    drawn = {asked("labels", item, seed).dress.labels[0] for seed in range(30)}
    assert drawn == {"I", "P"}
    endings = {asked("suggest", item, seed).ending for seed in range(20)}
    assert endings == {f"The answer to this problem is {label}." for label in "23"}


def test_choices_are_never_parted_as_tasks_part_them():
    dresses = [asked("separator", CHOICE, seed).dress for seed in range(100)]
    assert all(dress.mark and dress.between not in ("", "\n") for dress in dresses)
