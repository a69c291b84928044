"""Generated questions of every answer type, and items to train on."""

import json
import re
from collections import Counter

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.output_format.data.load import load_formats, training_items
from bias_tasks.output_format.data.synthetic import generate_formats
from bias_tasks.output_format.formats import FORMATS, formats_in, formats_of
from bias_tasks.output_format.items import ANSWER_TYPES, CATEGORIES

MANY = 700


@pytest.fixture(scope="module")
def items():
    return generate_formats(MANY, 0)


def of(items, answer_type):
    return [item for item in items if item.answer_type == answer_type]


def test_answer_types_are_balanced_and_ids_unique(items):
    assert Counter(item.answer_type for item in items) == dict.fromkeys(ANSWER_TYPES, MANY // 7)
    assert len({item.id for item in items}) == MANY


def test_the_first_items_are_those_of_a_smaller_run(items):
    assert generate_formats(50, 0) == items[:50]
    assert load_formats("synthetic", n=50).items == tuple(items[:50])
    assert not {item.id for item in generate_formats(50, 1)} & {item.id for item in items}


def test_every_format_can_hold_gold(items):
    for item in items:
        assert formats_of(item)
        for fmt in formats_of(item):
            assert fmt.read(fmt.render(item.answer, item), item, "corrected").payload == item.answer


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_task_gets_only_what_all_its_formats_can_hold(category):
    formats = [fmt.name for fmt in formats_in(category)]
    loaded = load_formats("synthetic", n=24, formats=formats)
    assert len(loaded.items) == 24
    held = set.intersection(*(set(FORMATS[name].answer_types) for name in formats))
    types = Counter(item.answer_type for item in loaded.items)
    assert set(types) == held
    assert max(types.values()) - min(types.values()) <= 1


def test_numbers_follow_from_the_story(items):
    for item in of(items, "number"):
        amount = 0
        for sentence in item.input.split(". "):
            change = int((re.findall(r"\d+", sentence) or [0])[0])
            match sentence:
                case s if " finds " in s or " has " in s:
                    amount += change
                case s if " gives away " in s:
                    amount -= change
                case s if " times as many" in s:
                    amount *= change
            assert amount > 0
        assert item.answer == str(amount)


def test_passages_name_the_answer_once_and_the_question_does_not(items):
    for item in of(items, "text"):
        passage, question = item.input.split("\n\nQuestion: ")
        told = dict(re.findall(r"(\w+) keeps the (\w+)\.", passage))
        (asked,) = set(re.findall(r"\w+", question)) & {*told, *told.values()}
        assert item.answer == (told.get(asked) or next(k for k in told if told[k] == asked))


def test_candidates_bear_on_the_topic_exactly_where_they_name_it(items):
    for item in of(items, "binary_list"):
        topic, _, *candidates = item.input.split("\n")
        name = topic.removeprefix("Topic: the ")
        assert item.answer == tuple(int(name in candidate) for candidate in candidates)
        assert 0 < sum(item.answer) < len(candidates)


def test_keyphrases_are_those_that_are_marked(items):
    for item in of(items, "string_list"):
        assert item.answer == tuple(re.findall(r"«([a-z ]+)»", item.input))


def test_entities_stand_under_the_type_that_the_document_says(items):
    found = of(items, "mapping")
    for item in found:
        for key in ("Task", "Method", "Material", "Metric"):
            told = re.findall(rf"The {key.lower()} (?:of )?(\w+) is", item.input)
            assert sorted(told) == sorted(item.answer.get(key, ()))
    assert {len(item.keys) for item in found} == {1, 2, 4}
    assert any(not gold for item in found for gold in item.answer.values())


def test_training_items_are_never_evaluated(items):
    training = training_items("synthetic", 0, n=200, evaluated=items)
    assert len(training) == 200
    assert not {item.id for item in training} & {item.id for item in items}
    other = {item.id for item in generate_formats(2000, 5)}
    assert not {item.id for item in training} & other
    assert training_items("synthetic", 0, n=200) == training


def rows(path, *inputs):
    kept = [{"input": text, "answer": 2, "answer_type": "number"} for text in inputs]
    path.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
    return str(path)


def test_training_items_from_a_file_in_seeded_order(tmp_path):
    path = rows(tmp_path / "train.jsonl", *map(str, range(30)))
    first, second = (training_items("gsm8k", seed, demos_from=path) for seed in (0, 1))
    assert first != second
    assert set(first) == set(second)
    assert training_items("gsm8k", 0, demos_from=path, n=4) == first[:4]


def test_evaluated_items_are_refused_even_in_other_capitals(tmp_path):
    evaluated = load_formats(rows(tmp_path / "mine.jsonl", "How many are  1 + 1?")).items
    path = rows(tmp_path / "train.jsonl", "Another", "how many are 1 + 1?")
    with pytest.raises(DataError, match="holds items that are evaluated: file-"):
        training_items("gsm8k", demos_from=path, evaluated=evaluated)


def test_no_training_items_are_made_up(tmp_path):
    with pytest.raises(
        DataError, match="no training items of 'gsm8k' are at hand: give demos_from"
    ):
        training_items("gsm8k")
    with pytest.raises(DataError, match="demos_from='gsm8k' is neither"):
        training_items("gsm8k", demos_from="gsm8k")
    path = rows(tmp_path / "train.jsonl", "1 + 1")
    with pytest.raises(DataError, match="no item that the formats can hold"):
        training_items("gsm8k", demos_from=path, formats=["json"])
    with pytest.raises(ValueError, match="n must be at least 1"):
        training_items("synthetic", n=0)
