"""Finding the item that a prompt asks about."""

import threading
from dataclasses import replace

import pytest

from bias_tasks.items import ChoiceItem, JudgingItem
from bias_tasks.prompts import SETTINGS, SettingParams, ask, ask_again
from bias_tasks.respondents import known_items
from tests.bias_tasks.respondent_items import choice_item, choice_items, judging_items


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(known_items, "_items", set())
    monkeypatch.setattr(known_items, "_by_first_line", {})
    monkeypatch.setattr(known_items, "_sample_groups", {})


def asked(item, variant="vanilla", examples=(), **params):
    return ask(item, variant, SettingParams(**params), setting=variant, examples=examples).prompt


@pytest.mark.parametrize("variant", SETTINGS)
@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_every_setting_of_every_item_is_found(variant, protocol):
    items = [*judging_items(30), *choice_items(30)]
    known_items.register(items)
    for item in items:
        examples = [other for other in items if other.form == item.form and other is not item][:3]
        prompt = asked(item, variant, examples, protocol=protocol)
        assert known_items.find(prompt) is item


def test_worked_examples_are_not_the_question():
    items = judging_items(3)
    known_items.register(items)
    prompt = asked(items[0], "few_shot", items[1:])
    assert known_items.find(prompt) is items[0]


def test_the_second_round_of_reflection_is_found():
    items = [*judging_items(3), *choice_items(3)]
    known_items.register(items)
    for item in items:
        assert known_items.find(ask_again(item, SettingParams(), "Question: who?\n2")) is item


def test_items_that_share_a_question_differ_by_context():
    first = judging_items(1)[0]
    second = replace(first, id="other", context="Fact1: nothing is lomar.", answer="False")
    known_items.register([first, second])
    assert known_items.find(asked(first)) is first
    assert known_items.find(asked(second)) is second


def test_items_that_share_question_and_context_differ_by_options():
    first = choice_item(1, "single", ("3", "5", "7"))
    second = replace(choice_item(1, "multiple", ("3", "5", "9")), id="other")
    known_items.register([first, second])
    for variant in ("vanilla", "vagueness", "missing_choices"):
        assert known_items.find(asked(second, variant)) is second
    assert known_items.find(asked(first)) is first


def test_a_question_over_several_lines_is_found_and_told_from_its_first_line():
    short = ChoiceItem("s", "Which is right?", ("a", "b"), (0,), "test", "s")
    long = replace(
        short, id="l", question="Which is right?\n\nQuestion: really?\nSay.", answer=(1,)
    )
    known_items.register([short, long])
    assert known_items.find(asked(long)) is long
    assert known_items.find(asked(short)) is short


def test_a_reworded_prompt_without_the_marker_is_found():
    item = judging_items(1)[0]
    known_items.register([item])
    assert known_items.find(f"Look:\n{item.context}\n\n**Claim:** {item.question}") is item
    assert known_items.find(f"{item.question}\n{item.context}") is item


def test_a_foreign_prompt_finds_nothing():
    known_items.register(judging_items(3))
    assert known_items.find("Question: Is it raining?\nOptions:\n1. yes\n2. no") is None
    assert known_items.find("") is None
    # The question alone is not the item: its facts must be there.
    assert known_items.find(f"Question: {judging_items(1)[0].question}") is None


def test_registering_again_changes_nothing_and_threads_lose_nothing():
    items = judging_items(400)
    parts = [items[start::4] for start in range(4)] * 2
    threads = [threading.Thread(target=known_items.register, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(known_items.find(asked(item)) is item for item in items)


def test_sample_ids_are_kept_by_data_set():
    known_items.register([], ["a/vanilla", "b/vanilla"])
    known_items.register([], ["c/vanilla"])
    assert known_items.known_sample_ids() == {"a/vanilla", "b/vanilla", "c/vanilla"}
    assert known_items.dataset_sample_ids("b/vanilla") == {"a/vanilla", "b/vanilla"}
    assert known_items.dataset_sample_ids("z") == frozenset()


@pytest.mark.parametrize(
    "prompt",
    ["\n" * 200_000, "Question:\n" * 40_000, "a: " * 500_000, "Options:\n" * 40_000],
    ids=["blank lines", "markers", "colons", "headers"],
)
def test_hostile_prompts_are_searched_in_linear_time(prompt):
    item = JudgingItem("j", "facts", "Question:", "True", "test", "j")
    known_items.register([item])
    known_items.find(prompt)  # the suite's time limit would show a quadratic search
