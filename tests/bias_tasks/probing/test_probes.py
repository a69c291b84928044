"""Each probe changes the prompt, not the question, and gives a reason if it cannot."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.families import load_family
from bias_tasks.probing.items import Perturbation, ProbedItem, is_repeat
from bias_tasks.probing.plan import select_items
from bias_tasks.probing.probes import PROBES, select_probes
from bias_tasks.probing.probes.base import ProbeInput
from bias_tasks.probing.probes.prompt import STATEMENTS
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError, SkipReason
from bias_tasks.prompts.edits import AFTER_EXAMPLES, PUSHBACKS
from tests.bias_tasks.probing.outcomes import planned

CHOICE = ProbedItem("q", "Which of these is a river?", ("Rhine", "Alps", "Paris"), (0,), "A")
FREE = ProbedItem("f", "Is the moon a satellite of the earth?", target="yes")
NO_EXAMPLES = SkipReason.NO_EXAMPLES.value


def perturb(name, item, seed=0, **run):
    return PROBES[name].perturb(item, random.Random(seed), ProbeInput(**run))


def skip_text(name, item, **run):
    """Return why a probe does not apply, None if it does."""
    try:
        perturb(name, item, **run)
    except ProbeNotApplicableError as error:
        return str(error)
    return None


def item_with(*choices, correct=(0,), text="?", **fields):
    return ProbedItem("q", text, choices, correct, **fields)


def test_a_probe_names_the_reason_for_each_item_to_which_it_does_not_apply():
    numbered = [f"word{n}" for n in range(27)]
    speaking = ("None of the above", "all of the other choices", "Both A and C", "A and C",
                "the above", "Option A", "Neither of these", "A, B", "none",
                "one above average")  # fmt: skip
    cases = [
        *((name, FREE, "displays no choices") for name in ("order", "labels", "casing", "suggest")),
        *((name, item_with(*numbered), "too many choices (more than 26)")
          for name in ("order", "suggest")),
        *((name, item_with("Rhine", "Alps", each), "refers to other choices")
          for each in speaking for name in ("order", "labels")),
        *(("order", item_with("Rhine", "Alps", each), None)
          for each in ("Vitamin A", "a part", "B")),
        *((name, item_with("cat", " cat", "dog"), "the same") for name in ("order", "suggest")),
        ("order", item_with("one", "two", correct=()), "its correct choice is not known"),
        ("labels", item_with("1", "II", "P"), "its choices contain possible labels"),
        ("labels", item_with(*"abcdefghijk"), "more than 10"),
        *(("casing", item_with(*each), "not plain words only")
          for each in (("pH", "Ph"), ("x = 2", "x = 3"), ("DNA", "RNA"), ("mM", "mm"))),
        ("casing", item_with("A river, I say.", "No"), None),
        ("suggest", item_with("a", "b", correct=(0, 1)), "known to be wrong"),
        *((name, item_with("a", "b", correct=()), "known to be wrong")
          for name in ("suggest", "pushback")),
        ("typo", item_with(text="2 + 2 = ?"), "no word that can be mistyped"),
        ("distract", item_with(text="Translate: Guten Tag"), "asks about its own text"),
        ("distract", item_with(text="How many letters has this?"), "asks about its own text"),
        ("distract", item_with(text=" ".join(STATEMENTS)), "every statement shares a word"),
        *((name, item_with(text=" "), "no text of its")
          for name in ("distract", "polish", "few_shot")),
    ]  # fmt: skip
    for name, item, want in cases:
        found = skip_text(name, item)
        assert found == want or (found and want and want in found), (name, item)


@given(st.integers(2, 10), st.integers(0, 9), st.integers(0, 99))
def test_order_is_a_permutation_that_moves_the_correct_choice(count, right, seed):
    item = item_with(*(f"choice {n}" for n in range(count)), correct=(right % count,))
    order = perturb("order", item, seed).order
    assert sorted(order) == list(range(count))
    assert order.index(right % count) != right % count
    several = perturb("order", item_with("a", "b", "c", correct=(0, 2)), seed).order
    assert sorted(several) == [0, 1, 2] != list(several)


def test_styles_change_the_prompt_and_their_labels_are_in_no_choice():
    def first(item):
        return {perturb("labels", item, seed).option_style.labels[0] for seed in range(30)}

    assert first(CHOICE) == {"1", "I", "P"}
    assert first(item_with("1 apple", "Henry II", "three")) == {"P"}
    assert first(item_with("Rhine", "Alps", labels=("1", "2"))) == {"I", "P"}
    styles = [perturb("separator", CHOICE, seed).option_style for seed in range(100)]
    assert all(style.mark and style.separator not in ("", "\n") for style in styles)
    for choices, kind in ((("one", "two"), "upper"), (("I", "A"), "lower")):
        drawn = {
            perturb("casing", item_with(*choices), seed).option_style.casing for seed in range(8)
        }
        assert drawn == {kind}


@given(st.from_regex(r"[a-z]{4,12}( [a-z]{4,12}){0,30}", fullmatch=True), st.integers(0, 9))
def test_typos_change_one_word_in_ten_and_leave_its_ends(text, seed):
    slipped = perturb("typo", item_with(text=text), seed).text
    pairs = list(zip(text.split(), slipped.split(), strict=True))
    assert all(one[0] == two[0] and abs(len(one) - len(two)) <= 1 for one, two in pairs)
    assert sum(one != two for one, two in pairs) == max(1, round(len(pairs) / 10))


def test_text_around_the_question_leaves_it_unchanged():
    assert perturb("system", FREE).system
    assert perturb("persona", FREE).system.startswith("You are a")
    assert perturb("reflect", FREE).follow_up.startswith("Now, please reflect")
    assert perturb("pushback", FREE).follow_up in PUSHBACKS["doubt"]
    for seed in range(8):
        claim = perturb("pushback", item_with("Rhine", "Alps", "Po"), seed).follow_up
        assert claim in [text.format(answer=label) for text in PUSHBACKS["wrong"] for label in "BC"]
    item = item_with("the baker", "the cellos", text="Who sleeps in the shed?")
    for seed in range(8):
        statement, _, question = perturb("distract", item, seed).text.partition(". ")
        assert question == item.text
        assert not any(word in statement.casefold() for word in ("sleep", "shed", "baker"))
        assert not any(sign.isdigit() for sign in statement)


def example_item(name, correct=0, **fields):
    """Return an item that can be an example."""
    parts = {"text": f"Question {name}?", "choices": ("x", "y", "z"), "worked_example": f"<{name}>"}
    return ProbedItem(name, **{**parts, "correct": (correct,), "target": "ABC"[correct], **fields})


def examples(item, seed=0, **given):
    """Return the worked examples before an item's prompt."""
    *blocks, now = perturb("few_shot", item, seed, **given).prefix.split("\n\n")
    assert now == AFTER_EXAMPLES
    assert [block.split("\n")[0] for block in blocks] == [f"Example {n}:" for n in (1, 2, 3)]
    return [block.split("\n")[1] for block in blocks]


def test_enough_examples_share_one_answer_that_is_not_the_item_s():
    q = example_item("q", 1)
    others = [example_item(f"{right}{number}", right) for right in range(3) for number in range(4)]
    drawn = [{each[1] for each in examples(q, seed, other_items=others)} for seed in range(30)]
    assert {frozenset(each) for each in drawn} == {frozenset("0"), frozenset("2")}
    few = [each for each in others if each.id[1] in "01"]
    assert {each[1] for each in examples(q, other_items=few)} == {"0", "2"}
    words = [example_item(name, choices=(), target=name) for name in "abc"]
    assert set(examples(example_item("q", choices=(), target="d"), other_items=words)) == {
        *("<a>", "<b>", "<c>")
    }
    assert (
        skip_text("few_shot", example_item("q", choices=(), target="A"), other_items=words)
        == NO_EXAMPLES
    )


def test_related_and_unusable_items_are_no_examples():
    q = example_item("q", 1, cluster="c")
    fitting = [example_item(str(number)) for number in range(3)]
    assert len(examples(q, other_items=fitting)) == 3
    same = ({"text": " question  Q? "}, {"cluster": "c"}, {"correct": 1}, {"worked_example": ""},
            {"worked_example": "x" * 4_001}, {"choices": ("x", "y")})  # fmt: skip
    for each in same:
        assert (
            skip_text("few_shot", q, other_items=[*fitting[:2], example_item("2", **each)])
            == NO_EXAMPLES
        )
    items = [example_item(str(number), number % 2) for number in range(6)]
    assert all(each.worked_example not in examples(each, items=items) for each in items)
    twins = [example_item(str(number), text="The same?") for number in range(5)]
    assert skip_text("few_shot", example_item("q", 1), other_items=twins) == NO_EXAMPLES


def test_a_plan_has_each_item_s_baseline_repeats_and_applicable_probes():
    plan = planned([CHOICE, FREE], "order,system", repeats=2)
    assert [question.question_id for question in plan.questions] == [
        *(f"q/{variant}" for variant in ("plain", "repeat1", "repeat2", "order", "system")),
        *(f"f/{variant}" for variant in ("plain", "repeat1", "repeat2", "system")),
    ]
    assert plan.notes == ("skipped, of 2 items: order for 1 (its prompt displays no choices)",)
    assert [is_repeat(each.variant) for each in plan.questions[:4]] == [False, True, True, False]
    assert all(each.perturbation == Perturbation() for each in plan.questions[:3])


def test_perturbations_depend_on_the_seed_and_the_item_only():
    every = select_probes(None, {})
    first = planned([CHOICE, FREE], every, repeats=1, seed=3).questions
    again = planned([FREE, CHOICE], every[::-1], repeats=2, seed=3).questions
    shared = {question.question_id: question.perturbation for question in again}
    assert all(shared[question.question_id] == question.perturbation for question in first)
    other = planned([CHOICE], every, repeats=1, seed=4).questions
    assert {q.question_id: q.perturbation for q in other} != {
        q.question_id: q.perturbation for q in first[: len(other)]
    }
    others = [example_item(f"o{number}") for number in range(40)]
    shots = [planned([example_item("q", 1)], "few_shot", others=o) for o in (others, others[::-1])]
    assert shots[0].questions == shots[1].questions


def test_items_are_drawn_by_the_seed_and_keep_their_order():
    items = [ProbedItem(str(number), "?") for number in range(50)]
    drawn = select_items(items, 10, 0)
    assert len(drawn) == 10
    assert drawn == sorted(drawn, key=lambda item: int(item.id))
    assert select_items(items[::-1], 10, 0) == drawn[::-1]
    assert select_items(items, 10, 1) != drawn
    assert select_items(items, None, 0) == select_items(items, 99, 0) == items
    with pytest.raises(ValueError, match="several items"):
        select_items([items[0], items[0]], 1, 0)


def test_probes_are_selected_by_name_and_by_what_a_framework_can_do():
    declared = {each.name: each for each in load_family("probing").tasks["probe"].parameters}
    assert declared["probes"].values == tuple(PROBES)
    assert select_probes("order, typo, order", {}) == ("order", "typo")
    every = {*select_probes(None, {})}
    assert every == {*PROBES} - {"language"}  # which takes a file
    without = {*select_probes(None, {}, likelihoods=True)}
    assert every - without == {"polish", "reflect", "pushback", "format"}
