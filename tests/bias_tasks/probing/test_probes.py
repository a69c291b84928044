"""Each probe asks the same thing otherwise, says what it can't ask, and draws by the seed alone."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.families import load_family
from bias_tasks.probing.items import Asked, ProbedItem, is_repeat
from bias_tasks.probing.plan import chosen_items
from bias_tasks.probing.probes import PROBES, chosen_probes
from bias_tasks.probing.probes.base import DoesNotApplyError, ProbeInput
from bias_tasks.probing.probes.conversation import NOW
from bias_tasks.probing.probes.prompt import STATEMENTS
from tests.bias_tasks.probing.outcomes import planned

CHOICE = ProbedItem("q", "Which of these is a river?", ("Rhine", "Alps", "Paris"), (0,), "A")
FREE = ProbedItem("f", "Is the moon a satellite of the earth?", target="yes")
NO_EXAMPLES = "the task has no 3 other items with another answer"


def asked(name, item, seed=0, **given):
    return PROBES[name](item, random.Random(seed), ProbeInput(**given))


def refused(name, item, **given):
    """Why a probe does not apply; None where it does."""
    try:
        asked(name, item, **given)
    except DoesNotApplyError as error:
        return str(error)
    return None


def of(*choices, right=(0,), text="?", **given):
    return ProbedItem("q", text, choices, right, **given)


def test_what_a_probe_can_t_ask_is_told_and_nothing_else_is():
    numbered = [f"word{n}" for n in range(27)]
    speaking = ("None of the above", "all of the other choices", "Both A and C", "A and C",
                "the above", "Option A", "Neither of these", "A, B", "none",
                "one above average")  # fmt: skip
    cases = [
        *((name, FREE, "prints no choices") for name in ("order", "labels", "casing", "suggest")),
        *((name, of(*numbered), "more than 26 choices") for name in ("order", "labels", "suggest")),
        *((name, of("Rhine", "Alps", each), "speaks of others")
          for each in speaking for name in ("order", "labels")),
        *(("order", of("Rhine", "Alps", each), None) for each in ("Vitamin A", "a part", "B")),
        *((name, of("cat", " cat", "dog"), "the same") for name in ("order", "suggest")),
        ("order", of("one", "two", right=()), "which of its choices is right is not known"),
        ("labels", of("1", "II", "P"), "its choices hold what could be a label"),
        ("labels", of(*"abcdefghijk"), "more than 10"),
        *(("casing", of(*each), "more than plain words")
          for each in (("pH", "Ph"), ("x = 2", "x = 3"), ("DNA", "RNA"), ("mM", "mm"))),
        ("casing", of("A river, I say.", "No"), None),
        ("suggest", of("a", "b", right=(0, 1)), "known to be wrong"),
        ("suggest", of("a", "b", right=()), "known to be wrong"),
        ("typo", of(text="2 + 2 = ?"), "no word to slip in"),
        ("distract", of(text="Translate: Guten Tag"), "asks about its own text"),
        ("distract", of(text="How many letters has this?"), "asks about its own text"),
        ("distract", of(text=" ".join(STATEMENTS)), "every statement shares a word"),
        *((name, of(text=" "), "no text of its") for name in ("distract", "polish", "few_shot")),
    ]  # fmt: skip
    for name, item, want in cases:
        found = refused(name, item)
        assert found == want or (found and want and want in found), (name, item)


@given(st.integers(2, 10), st.integers(0, 9), st.integers(0, 99))
def test_order_is_a_permutation_that_moves_the_right_choice(count, right, seed):
    item = of(*(f"choice {n}" for n in range(count)), right=(right % count,))
    order = asked("order", item, seed).order
    assert sorted(order) == list(range(count))
    assert order.index(right % count) != right % count
    several = asked("order", of("a", "b", "c", right=(0, 2)), seed).order
    assert sorted(several) == [0, 1, 2] != list(several)


def test_styles_are_drawn_of_what_changes_the_prompt_and_names_no_choice():
    def first(item):
        return {asked("labels", item, seed).dress.labels[0] for seed in range(30)}

    assert first(CHOICE) == {"1", "I", "P"}
    assert first(of("1 apple", "Henry II", "three")) == {"P"}
    assert first(of("Rhine", "Alps", labels=("1", "2"))) == {"I", "P"}
    styles = [asked("separator", CHOICE, seed).dress for seed in range(100)]
    assert all(style.mark and style.between not in ("", "\n") for style in styles)
    for choices, kind in ((("one", "two"), "upper"), (("I", "A"), "lower")):
        drawn = {asked("casing", of(*choices), seed).dress.capitals for seed in range(8)}
        assert drawn == {kind}


@given(st.from_regex(r"[a-z]{4,12}( [a-z]{4,12}){0,30}", fullmatch=True), st.integers(0, 9))
def test_a_slip_changes_one_word_in_ten_but_for_its_ends(text, seed):
    slipped = asked("typo", of(text=text), seed).text
    pairs = list(zip(text.split(), slipped.split(), strict=True))
    assert all(one[0] == two[0] and abs(len(one) - len(two)) <= 1 for one, two in pairs)
    assert sum(one != two for one, two in pairs) == max(1, round(len(pairs) / 10))


def test_words_in_front_or_behind_leave_the_question():
    assert asked("system", FREE).system
    assert asked("persona", FREE).system.startswith("You are a")
    assert asked("reflect", FREE).again.startswith("Now, please reflect")
    item = of("the baker", "the cellos", text="Who sleeps in the shed?")
    for seed in range(8):
        statement, _, question = asked("distract", item, seed).text.partition(". ")
        assert question == item.text
        assert not any(word in statement.casefold() for word in ("sleep", "shed", "baker"))
        assert not any(sign.isdigit() for sign in statement)


def one_of(name, right=0, **given):
    """An item that can be an example."""
    parts = {"text": f"Question {name}?", "choices": ("x", "y", "z"), "worked": f"<{name}>"}
    return ProbedItem(name, **{**parts, "right": (right,), "target": "ABC"[right], **given})


def examples(item, seed=0, **given):
    """What an item is asked behind: the `worked` of its examples."""
    *blocks, now = asked("few_shot", item, seed, **given).beginning.split("\n\n")
    assert now == NOW
    assert [block.split("\n")[0] for block in blocks] == [f"Example {n}:" for n in (1, 2, 3)]
    return [block.split("\n")[1] for block in blocks]


def test_examples_have_one_answer_that_is_not_the_item_s_where_there_are_enough():
    q = one_of("q", 1)
    others = [one_of(f"{right}{number}", right) for right in range(3) for number in range(4)]
    drawn = [{each[1] for each in examples(q, seed, others=others)} for seed in range(30)]
    assert {frozenset(each) for each in drawn} == {frozenset("0"), frozenset("2")}
    few = [each for each in others if each.id[1] in "01"]
    assert {each[1] for each in examples(q, others=few)} == {"0", "2"}
    words = [one_of(name, choices=(), target=name) for name in "abc"]
    assert set(examples(one_of("q", choices=(), target="d"), others=words)) == {
        *("<a>", "<b>", "<c>")
    }
    assert refused("few_shot", one_of("q", choices=(), target="A"), others=words) == NO_EXAMPLES


def test_what_can_be_no_example_for_an_item_is_none():
    q = one_of("q", 1, cluster="c")
    fitting = [one_of(str(number)) for number in range(3)]
    assert len(examples(q, others=fitting)) == 3
    same = ({"text": " question  Q? "}, {"cluster": "c"}, {"right": 1}, {"worked": ""},
            {"worked": "x" * 4_001}, {"choices": ("x", "y")})  # fmt: skip
    for each in same:
        assert refused("few_shot", q, others=[*fitting[:2], one_of("2", **each)]) == NO_EXAMPLES
    items = [one_of(str(number), number % 2) for number in range(6)]
    assert all(each.worked not in examples(each, asked=items) for each in items)
    twins = [one_of(str(number), text="The same?") for number in range(5)]
    assert refused("few_shot", one_of("q", 1), others=twins) == NO_EXAMPLES


def test_a_plan_asks_each_item_plain_again_and_under_what_applies():
    plan = planned([CHOICE, FREE], "order,system", repeats=2)
    assert [question.id for question in plan.questions] == [
        *(f"q/{variant}" for variant in ("plain", "repeat1", "repeat2", "order", "system")),
        *(f"f/{variant}" for variant in ("plain", "repeat1", "repeat2", "system")),
    ]
    assert plan.notes == ("not asked, of 2 items: order of 1 (its prompt prints no choices)",)
    assert [is_repeat(each.variant) for each in plan.questions[:4]] == [False, True, True, False]
    assert all(each.asked == Asked() for each in plan.questions[:3])


def test_what_an_item_is_asked_depends_on_the_seed_and_on_itself_alone():
    every = chosen_probes(None, {})
    first = planned([CHOICE, FREE], every, repeats=1, seed=3).questions
    again = planned([FREE, CHOICE], every[::-1], repeats=2, seed=3).questions
    shared = {question.id: question.asked for question in again}
    assert all(shared[question.id] == question.asked for question in first)
    other = planned([CHOICE], every, repeats=1, seed=4).questions
    assert {q.id: q.asked for q in other} != {q.id: q.asked for q in first[: len(other)]}
    others = [one_of(f"o{number}") for number in range(40)]
    shots = [planned([one_of("q", 1)], "few_shot", others=o) for o in (others, others[::-1])]
    assert shots[0].questions == shots[1].questions


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


def test_probes_are_chosen_by_name_and_by_what_a_host_can_do():
    declared = {each.name: each for each in load_family("probing").tasks["probe"].parameters}
    assert declared["probes"].values == tuple(PROBES)
    assert chosen_probes("order, typo, order", {}) == ("order", "typo")
    every = {*chosen_probes(None, {})}
    assert every == {*PROBES} - {"language"}  # which takes a file
    without = {*chosen_probes(None, {}, likelihoods=True)}
    assert every - without == {"polish", "reflect", "format"}
