"""Finding the item that a prompt asks about."""

import threading
from dataclasses import replace

import pytest

from bias_tasks.binary_qa.items import ORDERS, REFORMULATIONS, VARIANTS, Reformulations
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.instruction_boundary.items import ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.prompts.ask import ask, ask_again
from bias_tasks.instruction_boundary.settings import SETTINGS, SettingParams
from bias_tasks.respondents.known_items import KnownItems
from tests.bias_tasks.effort import cpu_limit, steps
from tests.bias_tasks.respondents.items import (
    binary_item,
    binary_items,
    choice_item,
    choice_items,
    judging_items,
)


def asked(item, variant="vanilla", examples=(), **params):
    return ask(item, variant, SettingParams(**params), setting=variant, examples=examples).prompt


@pytest.mark.parametrize("variant", SETTINGS)
@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_every_setting_of_every_item_is_found(variant, protocol):
    items = [*judging_items(30), *choice_items(30)]
    known = KnownItems(items)
    for item in items:
        examples = [other for other in items if other.form == item.form and other is not item][:3]
        prompt = asked(item, variant, examples, protocol=protocol)
        assert known.find(prompt) is item


def test_worked_examples_are_not_the_question():
    items = judging_items(3)
    known = KnownItems(items)
    prompt = asked(items[0], "few_shot", items[1:])
    assert known.find(prompt) is items[0]


def test_the_second_round_of_reflection_is_found():
    items = [*judging_items(3), *choice_items(3)]
    known = KnownItems(items)
    for item in items:
        assert known.find(ask_again(item, SettingParams(), "Question: who?\n2")) is item


def test_items_that_share_a_question_differ_by_context():
    first = judging_items(1)[0]
    second = replace(first, id="other", context="Fact1: nothing is lomar.", answer="False")
    known = KnownItems([first, second])
    assert known.find(asked(first)) is first
    assert known.find(asked(second)) is second


def test_items_that_share_question_and_context_differ_by_options():
    first = choice_item(1, "single", ("3", "5", "7"))
    second = replace(choice_item(1, "multiple", ("3", "5", "9")), id="other")
    known = KnownItems([first, second])
    for variant in ("vanilla", "vagueness", "missing_choices"):
        assert known.find(asked(second, variant)) is second
    assert known.find(asked(first)) is first


def test_a_question_over_several_lines_is_found_and_told_from_its_first_line():
    short = ChoiceItem("s", "Which is right?", ("a", "b"), (0,), "test", "s")
    long = replace(
        short, id="l", question="Which is right?\n\nQuestion: really?\nSay.", answer=(1,)
    )
    known = KnownItems([short, long])
    assert known.find(asked(long)) is long
    assert known.find(asked(short)) is short


def test_a_reworded_prompt_without_the_marker_is_found():
    item = judging_items(1)[0]
    known = KnownItems([item])
    assert known.find(f"Look:\n{item.context}\n\n**Claim:** {item.question}") is item
    assert known.find(f"{item.question}\n{item.context}") is item


def test_a_foreign_prompt_finds_nothing():
    known = KnownItems(judging_items(3))
    assert known.find("Question: Is it raining?\nOptions:\n1. yes\n2. no") is None
    assert known.find("") is None
    # The question alone is not the item: its facts must be there.
    assert known.find(f"Question: {judging_items(1)[0].question}") is None


def test_making_known_again_changes_nothing_and_threads_lose_nothing():
    items = judging_items(400)
    known = KnownItems()
    parts = [items[start::4] for start in range(4)] * 2
    threads = [threading.Thread(target=known.add, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(known.find(asked(item)) is item for item in items)


@pytest.mark.parametrize("variant", SETTINGS)
@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_many_items_that_share_a_question_are_told_apart_in_every_setting(variant, protocol):
    # More of them than are looked through one by one.
    items = [replace(item, question="Vosk is tibbid.") for item in judging_items(30)]
    items += [
        replace(
            item, question="Which of these live here?", context=f"Zone {n} is large.\nIt rains."
        )
        for n, item in enumerate(choice_items(30))
    ]
    known = KnownItems(items)
    for item in items:
        examples = [other for other in items if other.form == item.form and other is not item][:3]
        prompt = asked(item, variant, examples, protocol=protocol)
        assert known.find(prompt) is item


@pytest.mark.parametrize("count", [3, 60])
def test_a_yes_no_item_is_found_by_each_wording(count):
    items = binary_items(count)
    known = KnownItems(items)
    for item in items:
        for variant in VARIANTS:
            for order in ORDERS:
                found = known.locate(ask_binary(item, variant, order))
                assert found.item is item
                assert found.variant == (variant if variant in REFORMULATIONS else "original")


@pytest.mark.parametrize("count", [3, 60])
def test_of_worked_examples_with_the_same_question_the_last_context_counts(count):
    items = binary_items(count)
    known = KnownItems(items)
    examples = "".join(f"{ask_binary(item, 'original')}\nAnswer: Yes\n\n" for item in items[1:3])
    found = known.locate(examples + ask_binary(items[0], "polite"))
    assert (found.item, found.variant) == (items[0], "polite")


def test_the_context_of_a_yes_no_item_must_stand_in_the_prompt():
    items = binary_items(60)
    known = KnownItems(items)
    foreign = replace(items[7], context="House 7 is new.\nNobody knows.")
    assert known.find(ask_binary(foreign, "original")) is None
    # The last line of the facts alone is not enough.
    half = replace(items[7], context=f"Nobody knows.\n{items[7].context.splitlines()[-1]}")
    assert known.find(ask_binary(half, "original")) is None


def test_a_yes_no_item_without_context_or_rewordings_is_found():
    items = [
        replace(item, context=None, question=f"Is {n} even?", reformulations=Reformulations())
        for n, item in enumerate(binary_items(3))
    ]
    items.append(replace(items[0], id="in context", context="Numbers are even or odd."))
    known = KnownItems(items)
    for item in items:
        assert known.find(ask_binary(item, "original")) is item
    assert known.find("Question: Is 3 even?\nChoose one of them.") is None


def test_an_item_that_got_its_rewordings_later_is_found_by_them():
    item = binary_item(1, "No")
    bare = replace(item, reformulations=Reformulations())
    known = KnownItems([bare])
    assert known.find(ask_binary(item, "false")) is None
    known.add([item])
    assert known.locate(ask_binary(item, "false"))[::2] == (item, "false")


@pytest.mark.parametrize(
    "prompt",
    [
        "\n" * 200_000,
        "*\n" * 500_000,
        "Question:\n" * 40_000,
        "a: " * 500_000,
        "Options:\n" * 40_000,
        "x\n" * 500_000,
    ],
    ids=["blank lines", "asterisks", "markers", "colons", "headers", "lines"],
)
def test_hostile_prompts_are_searched_in_linear_time(prompt):
    item = JudgingItem("j", "facts", "Question:", "True", "test", "j")
    known = KnownItems([item])
    with cpu_limit(60):
        known.find(prompt)


def test_of_lines_without_an_end_the_last_are_looked_at():
    item = JudgingItem("j", "It rains.", "Is it wet?", "True", "test", "j")
    known = KnownItems([item])
    asked_at_last = "x\n" * 500_000 + "It rains.\nIs it wet?"
    assert known.find(asked_at_last) is item
    first = steps(lambda: known.find("It rains.\nIs it wet?\n" + "x\n" * 150_000))
    second = steps(lambda: known.find("It rains.\nIs it wet?\n" + "x\n" * 600_000))
    assert second == first


def test_an_item_of_another_packages_family_stays_unknown():
    item = judging_items(1)[0]
    known = KnownItems([7, "a text", {"a": 1}, None, item])
    known.add([object()])
    assert known.find(asked(item)) is item
    assert known.find("7") is None


def test_a_question_repeated_without_its_facts_is_searched_in_linear_time():
    known = KnownItems(binary_items(500))
    prompt = "".join(f"Question: Is the lamp lit?\nNote {n}: none\n" for n in range(20_000))
    with cpu_limit(100):
        assert known.find(prompt) is None
