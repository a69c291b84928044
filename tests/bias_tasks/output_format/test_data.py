"""Data sets of output formats: counts, gold, order, and the effects of the protocol."""

import csv
from collections import Counter

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import UnreachableError
from bias_tasks.output_format.data.files import load_items_from_file
from bias_tasks.output_format.data.load import load_formats, training_items
from bias_tasks.output_format.data.sources import FORMAT_DATASETS, dataset_items
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import find_formats
from bias_tasks.protocols import PROTOCOLS
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.data.tables import write_table


def by_id(dataset, **options):
    return {item.id: item for item in load_formats(dataset, **options).items}


def test_corrected_scidocs_shuffles_by_seed_and_keeps_gold_with_its_paper(shared_data):
    published = by_id("scidocs", protocol="published")
    shuffled, again, other = (by_id("scidocs", seed=seed) for seed in (0, 0, 1))
    assert shuffled == again
    assert set(shuffled) == set(published) == set(other)
    moved = 0
    for name, item in shuffled.items():
        lines = zip(item.input.split("\n")[2:], item.answer, strict=True)
        relevant = {line.split(". ", 1)[1] for line, gold in lines if gold}
        head, _, listed = published[name].input.partition("\nList of documents: ")
        # the published list is a Python literal, which contains the literal of each title
        assert head == item.input.split("\n")[0]
        assert all(repr(title) in listed for title in relevant)
        assert list(published[name].answer) == sorted(published[name].answer, reverse=True)
        assert sum(item.answer) == sum(published[name].answer) == len(relevant)
        moved += item.answer != other[name].answer
    assert moved > 190
    # a relevant paper has the same probability at any position: 1/6 of the first ones
    assert sum(item.answer[0] for item in shuffled.values()) < 60


def test_empty_types_stay_and_keyphrases_are_stripped(shared_data):
    """Keyphrases have the same ids under both protocols."""
    keys = ("Task", "Method", "Material", "Metric")
    for level, k, empty in (("easy", 1, 23), ("medium", 2, 13), ("hard", 4, 107)):
        items = load_formats(f"scirex_{level}").items
        assert {item.keys for item in items} == {keys[:k]}
        assert sum(not gold for item in items for gold in item.answer.values()) == empty
    published, corrected = (by_id("semeval2017", protocol=name) for name in PROTOCOLS)
    assert set(published) == set(corrected)
    assert sum(published[name] != corrected[name] for name in published) == 3


def test_a_message_about_missing_data_names_the_alternatives(monkeypatch, tmp_path):
    with pytest.raises(DataError, match=r"'xyz'; give paper, core, synthetic, mmlu, bbh.*\.jsonl"):
        load_formats("xyz")

    def fetch(source):
        raise UnreachableError(f"cannot fetch {source.name}")

    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr("bias_tasks.data.fetch.fetch_source", fetch)
    with pytest.raises(DataError, match=r"^2 data sets are .* format_mmlu\.") as error:
        FAMILY.plan("format_mcq", FAMILY.tasks["format_mcq"].values({}))
    assert "`bias-tasks data fetch format_mmlu format_bbh`" in str(error.value)
    assert str(error.value).endswith("or use data=core or a file of your own")


MMLU_ROW = {
    "topic": "anatomy",
    "question": "Q?",
    "choices_texts": "['w', 'x', 'y', 'z']",
    "input_data": "Question: Q?\nAnswer choices: A. w | B. x | C. y | D. z",
    "correct_key": "C",
    "correct_text": "y",
}


def write_csv(path, *rows):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_mmlu_is_read_like_the_authors_other_file_of_choices(tmp_path):
    [item] = dataset_items("mmlu", [write_csv(tmp_path / "a.csv", MMLU_ROW)], "corrected", 0)
    assert (item.input, item.answer) == (MMLU_ROW["input_data"], "C")
    assert item.options == ("w", "x", "y", "z")
    row = {name: value for name, value in MMLU_ROW.items() if name != "correct_key"}
    with pytest.raises(ValueError, match="expected str in the column correct_key"):
        list(dataset_items("mmlu", [write_csv(tmp_path / "b.csv", row)], "corrected", 0))


def test_the_levels_of_scirex_are_about_the_same_documents(shared_data):
    clusters = [
        {item.cluster for item in load_formats(f"scirex_{level}").items}
        for level in ("easy", "medium", "hard")
    ]
    assert clusters[0] == clusters[1] == clusters[2]
    assert len(clusters[0]) == 66


def plan(task="format_bias", **values):
    return FAMILY.plan(task, FAMILY.tasks[task].values({"n": 1} | values))


def test_the_default_is_every_data_set_of_the_paper_and_the_first_note_names_the_others(
    shared_data, monkeypatch
):
    def is_cached(source):
        return source.dataset != "mmlu"

    def unreachable(source):
        raise UnreachableError("no network")

    monkeypatch.setattr("bias_tasks.data.fetch.is_cached", is_cached)
    monkeypatch.setattr("bias_tasks.output_format.plan.is_cached", is_cached)
    monkeypatch.setattr("bias_tasks.data.fetch.fetch_source", unreachable)
    planned = plan()
    others = [name for name in FORMAT_DATASETS if name != "mmlu"]
    assert sorted(planned.data.split(", ")) == sorted(others)
    assert sorted(record["source"] for record in planned.provenance) == sorted(others)
    assert planned.notes[0].startswith("left out of data=paper: mmlu (1 of 10 data sets), not in")
    assert planned.notes[0].endswith("run `bias-tasks data fetch format_mmlu`")
    assert plan("format_list").notes == ()
    for data in ("mmlu", "mmlu,bbh"):  # a data set that is named is never left out
        with pytest.raises(UnreachableError, match="data fetch format_mmlu"):
            plan("format_mcq", data=data)


CHOICE = {"answer_type": "option_letter", "options": ["x", "y"]}
ROWS = [
    ({"input": "Q A. x | B. y", "answer": "B", **CHOICE}, "B"),
    ({"input": "Q?", "answer": "y", "answer_type": "option_text", "options": ["x", "y"]}, "B"),
    ({"input": "Pick a letter", "answer": "C", "answer_type": "option_letter"}, "C"),
    ({"input": "?", "answer": "[A]", "answer_type": "text", "id": 7, "cluster": "story"}, "[A]"),
    ({"input": "1 + 1", "answer": "1,875.5", "answer_type": "number"}, "1,875.5"),
    ({"input": "1. a\n2. b", "answer": [0, 1], "answer_type": "binary_list"}, (0, 1)),
    ({"input": "doc", "answer": ["a b", "c"], "answer_type": "string_list"}, ("a b", "c")),
    (
        {"input": "doc", "answer": {"Task": ["a"], "Method": []}, "answer_type": "mapping"},
        {"Task": ("a",), "Method": ()},
    ),
]


def jsonl(path, *rows):
    return write_jsonl(path, rows)


def test_answers_are_typed(tmp_path):
    table = write_table(tmp_path / "mine.csv", [row for row, _ in ROWS])
    for path in (table, jsonl(tmp_path / "mine.jsonl", *(row for row, _ in ROWS))):
        items, sha256 = load_items_from_file(path)
        assert [item.answer for item in items] == [gold for _, gold in ROWS]
        assert [item.answer_type for item in items] == [row["answer_type"] for row, _ in ROWS]
        assert (items[3].id, items[3].cluster) == ("7", "story")
        assert (items[0].options, items[-1].keys) == (("x", "y"), ("Task", "Method"))
        assert len(sha256) == 64
        loaded = load_formats(str(path), formats=["bullet", "json"])
        types = {item.answer_type for item in loaded.items}
        assert types == {"binary_list", "string_list", "mapping"}
        assert (loaded.provenance[0]["n"], loaded.provenance[0]["left_out"]) == (3, 5)


def test_a_context_is_the_passage_before_the_input(tmp_path, caplog):
    row = {"input": "What is red?", "answer": "The cat", "answer_type": "text"}
    path = jsonl(tmp_path / "mine.jsonl", row, {**row, "context": "The cat is red."})
    first, second = load_items_from_file(path)[0]
    assert (first.input, second.input) == (row["input"], "The cat is red.\n\nWhat is red?")
    assert (second.columns, caplog.text) == ({}, "")
    values = FAMILY.tasks["format_wrapping"].values({"data": str(path)})
    prompts = [q.prompt for q in FAMILY.plan("format_wrapping", values).questions]
    assert 2 * sum("The cat is red.\n\nWhat is red?" in text for text in prompts) == len(prompts)


def test_every_format_can_express_the_answers_of_the_core():
    items = load_formats("core").items
    types = {"text": 110, "number": 50, "option_letter": 80, "string_list": 60, "mapping": 40}
    assert Counter(item.answer_type for item in items) == types
    for item in items:
        for fmt in find_formats(item):
            assert (
                fmt.parse(fmt.render(item.answer, item), item, "corrected").payload == item.answer
            )
    assert load_formats("core", n=9).items == items[:9]


def rows(path, *inputs):
    return str(jsonl(path, *({"input": i, "answer": 2, "answer_type": "number"} for i in inputs)))


def test_training_items_are_unused_items_of_the_core_or_of_a_file(tmp_path):
    evaluated = load_formats("core", n=100).items
    training = training_items("core", evaluated=evaluated)
    assert len(training) == 240
    assert not {item.id for item in training} & {item.id for item in evaluated}
    path = rows(tmp_path / "train.jsonl", *map(str, range(30)))
    first, second = (training_items("gsm8k", seed, demos_from=path) for seed in (0, 1))
    assert first != second
    assert set(first) == set(second)
    evaluated = load_formats(rows(tmp_path / "mine.jsonl", "How many are  1 + 1?")).items
    path = rows(tmp_path / "train.jsonl", "Another", "how many are 1 + 1?")
    for arguments, message in (
        ({"demos_from": path, "evaluated": evaluated}, "contains items that are evaluated: file-"),
        ({}, "'gsm8k' has no training set: set demos_from"),
        ({"demos_from": "gsm8k"}, "demos_from='gsm8k' is unknown"),
        ({"demos_from": path, "formats": ["json"]}, "no item that the formats support"),
    ):
        with pytest.raises(DataError, match=message):
            training_items("gsm8k", **arguments)
