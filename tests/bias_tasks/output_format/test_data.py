"""The data sets of output format bias: counts, gold, order, and what a protocol changes."""

import json
from collections import Counter

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import UnreachableError
from bias_tasks.output_format.data.load import load_formats
from bias_tasks.output_format.data.sources import CONVERTERS, FORMAT_DATASETS, MMLU_SUBJECTS, Setup

AT_HAND = tuple(name for name in FORMAT_DATASETS if name != "mmlu")


def by_id(dataset, **options):
    return {item.id: item for item in load_formats(dataset, **options).items}


def test_every_dataset_has_a_converter():
    assert set(CONVERTERS) == set(FORMAT_DATASETS)


@pytest.mark.parametrize("dataset", AT_HAND)
@pytest.mark.parametrize("protocol", ["published", "corrected"])
def test_counts_are_those_that_the_catalogue_tells(shared_data, dataset, protocol):
    source = FORMAT_DATASETS[dataset]
    loaded = load_formats(dataset, protocol=protocol)
    assert len(loaded.items) == len({item.id for item in loaded.items}) == source.items[protocol]
    assert {item.answer_type for item in loaded.items} == {source.answer_type}
    assert all(item.id.startswith(f"{dataset}-") for item in loaded.items)
    (origin,) = loaded.provenance
    assert (origin["source"], origin["n"], origin["left_out"]) == (dataset, len(loaded.items), 0)
    assert origin["revision"] == source.revision
    assert origin["files"][0]["sha256"] == source.files[0].sha256


@pytest.mark.parametrize(
    ("dataset", "clusters"),
    [("bbh", 248), ("gsm8k", 200), ("fairytaleqa", 23), ("scidocs", 197), ("scirex_hard", 66)],
)
def test_questions_of_one_passage_are_a_cluster(shared_data, dataset, clusters):
    items = load_formats(dataset, protocol="published").items
    assert len({item.cluster for item in items}) == clusters


def test_bbh_letters(shared_data):
    items = load_formats("bbh", protocol="published").items
    assert Counter(item.answer for item in items) == {"A": 115, "B": 135}
    assert {item.options for item in items} == {("yes", "no")}
    repeated = [item for item in items if item.id.endswith("~2")]
    assert len(repeated) == 2
    assert all(item.id == f"{item.cluster}~2" for item in repeated)


def test_letters_take_turns_so_that_a_short_run_is_balanced(shared_data):
    for k in (10, 50, 200):
        assert Counter(item.answer for item in load_formats("bbh", n=k).items) == {
            "A": k // 2,
            "B": k // 2,
        }


def test_the_seed_orders_and_n_cuts(shared_data):
    first, second = (load_formats("gsm8k", seed=seed).items for seed in (0, 1))
    assert first != second
    assert set(first) == set(second)
    assert load_formats("gsm8k", seed=0, n=7).items == first[:7]


def test_published_scidocs_lists_the_relevant_papers_first(shared_data):
    for item in load_formats("scidocs", protocol="published").items:
        assert list(item.answer) == sorted(item.answer, reverse=True)
        assert 27 <= len(item.answer) <= 30


def test_corrected_scidocs_shuffles_by_seed_and_keeps_gold_with_its_paper(shared_data):
    published = by_id("scidocs", protocol="published")
    shuffled, again, other = (by_id("scidocs", seed=seed) for seed in (0, 0, 1))
    assert shuffled == again
    assert set(shuffled) == set(published) == set(other)
    moved = 0
    for name, item in shuffled.items():
        relevant = {
            line.split(". ", 1)[1]
            for line, gold in zip(item.input.split("\n")[2:], item.answer, strict=True)
            if gold
        }
        head, _, listed = published[name].input.partition("\nList of documents: ")
        # the published list is a Python literal, which holds each title's own literal
        assert head == item.input.split("\n")[0]
        assert all(repr(title) in listed for title in relevant)
        assert listed.index(repr(min(relevant, key=lambda title: listed.index(repr(title))))) == 1
        assert sum(item.answer) == sum(published[name].answer) == len(relevant)
        moved += item.answer != other[name].answer
    assert moved > 190
    # a relevant paper is as likely in any place: 1/6 of the first places
    assert sum(item.answer[0] for item in shuffled.values()) < 60


def test_scirex_keeps_types_without_an_entity(shared_data):
    keys = ("Task", "Method", "Material", "Metric")
    for level, k, empty in (("easy", 1, 23), ("medium", 2, 13), ("hard", 4, 107)):
        items = load_formats(f"scirex_{level}").items
        assert {item.keys for item in items} == {keys[:k]}
        assert sum(not gold for item in items for gold in item.answer.values()) == empty


def test_corrected_strips_keyphrases_under_the_same_ids(shared_data):
    published, corrected = (
        by_id("semeval2017", protocol=name) for name in ("published", "corrected")
    )
    assert set(published) == set(corrected)
    assert sum(published[name] != corrected[name] for name in published) == 3
    assert all(phrase == phrase.strip() for item in corrected.values() for phrase in item.answer)


def test_only_items_that_a_format_can_hold(shared_data):
    assert len(load_formats("gsm8k", formats=["bolding", "json"]).items) == 200
    with pytest.raises(DataError, match=r"json can hold an answer of 'gsm8k'.* types are number"):
        load_formats("gsm8k", formats=["json"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protocol": "both"}, "protocol must be"),
        ({"n": 0}, "n must be at least 1"),
        (
            {"formats": ["bold"]},
            r"unknown format 'bold' \(did you mean 'bolding'\?\); the",
        ),
        ({"formats": []}, "unknown format none"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        load_formats("synthetic", **options)


def test_an_unknown_dataset_names_those_there_are():
    with pytest.raises(DataError, match=r"unknown dataset 'xyz'; give one of mmlu, bbh.*\.jsonl"):
        load_formats("xyz")
    with pytest.raises(DataError, match=r"unknown dataset 'gsm' \(did you mean 'gsm8k'\?\);"):
        load_formats("gsm")


def test_data_that_cannot_be_fetched_names_the_ways_on(monkeypatch, tmp_path):
    def fetch(source):
        raise UnreachableError(f"cannot fetch {source.name}")

    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr("bias_tasks.data.fetch.fetch_source", fetch)
    with pytest.raises(DataError, match=r"^1 data set is .* cannot fetch format_bbh\.") as told:
        load_formats("bbh")
    assert "`bias-tasks data fetch format_bbh`" in str(told.value)
    assert str(told.value).endswith("or use dataset=synthetic or a file of your own")


def test_mmlu_takes_27_subjects_by_the_hash_of_their_names(tmp_path):
    subjects = [f"subject_{i}" for i in range(57)]
    records = [
        {"question": f"{name}?", "subject": name, "choices": ["w", "x", "y", "z"], "answer": 2}
        for name in subjects
    ]
    paths = []
    for name, rows in (("one", records), ("two", records[::-1])):
        paths.append(tmp_path / name)
        paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    one, two = ({*CONVERTERS["mmlu"]([path], Setup("corrected", seed=3))} for path in paths)
    assert one == two
    assert len(one) == MMLU_SUBJECTS == 27
    item = next(iter(one))
    assert item.input.endswith("?\nAnswer choices: A. w | B. x | C. y | D. z")
    assert (item.answer, item.options) == ("C", ("w", "x", "y", "z"))
