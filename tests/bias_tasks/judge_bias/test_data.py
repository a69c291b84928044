"""Items of judges: benchmarks on the hub, users' files, the core."""

import datasets
import huggingface_hub
import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.digests import content_hash
from bias_tasks.judge_bias.data.load import describe_exclusions, load_items, load_prompts

PAIR = {
    "pair_id": "p1",
    "original_id": 7,
    "source": "mmlu-pro-law",
    "question": "Is it so?",
    "response_model": "some-model",
    "response_A": "No.",
    "response_B": "Yes.",
    "label": "B>A",
}
FOUR = {
    "id": "12",
    "prompt": "Name a colour.",
    "chosen": ["Red."],
    "rejected": ["Cat.", "Dog.", "Red."],
    "num_correct": 1,
    "num_incorrect": 3,
    "total_completions": 4,
    "models": ["a", "b", "c", "d"],
    "subset": "Precise IF",
    "additional_metadata": {"category": None},
}
TIES = {**FOUR, "id": "tied:1", "chosen": ["Red.", "Blue."], "rejected": ["Cat."], "subset": "Ties"}
LABELLED = {"prompt": "Why?", "response_a": "So.", "response_b": "Thus.", "label": "A"}


@pytest.fixture
def the_hub(monkeypatch, tmp_path):
    """Replaces the hub, with rows as the benchmarks' authors document them."""
    rows = {
        ("ScalerLab/JudgeBench", "gpt"): [PAIR],
        ("ScalerLab/JudgeBench", "claude"): [
            {**PAIR, "pair_id": "p2", "source": "livebench-math", "label": "A>B"}
        ],
        ("allenai/reward-bench-2", "test"): [FOUR, TIES],
    }
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path / "cache"))
    info = type("Info", (), {"sha": "newest"})
    monkeypatch.setattr(huggingface_hub, "dataset_info", lambda *_, **__: info)

    def load_dataset(repository, _, *, split, revision):
        return datasets.Dataset.from_list(rows[repository, split])

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)


def test_judgebench_pairs_come_from_both_splits(the_hub):
    loaded = load_items("judgebench")
    by_id = {item.id: item for item in loaded.items}
    assert set(by_id) == {"judgebench_gpt-p1", "judgebench_claude-p2"}
    item = by_id["judgebench_gpt-p1"]
    assert (item.prompt, item.responses, item.preferred) == ("Is it so?", ("No.", "Yes."), (1,))
    assert by_id["judgebench_claude-p2"].preferred == (0,)
    # the fourteen sources of knowledge questions are one domain; a shared prompt is a cluster
    assert {item.domain for item in by_id.values()} == {"mmlu-pro", "livebench-math"}
    assert len({item.cluster for item in by_id.values()}) == 1
    assert item.extra_columns == {n: PAIR[n] for n in ("source", "original_id", "response_model")}
    sources = [(r["source"], r["n"], r["revision"]) for r in loaded.provenance]
    assert sources == [("judgebench_gpt", 1, "newest"), ("judgebench_claude", 1, "newest")]


def test_best_of_four_becomes_a_cluster_of_pairs(the_hub):
    loaded = load_items("rewardbench2")
    by_id = {item.id: item for item in loaded.items}
    assert {key: item.responses for key, item in by_id.items()} == {
        "rewardbench2-12-1": ("Red.", "Cat."),
        "rewardbench2-12-2": ("Red.", "Dog."),
    }
    assert {item.preferred for item in by_id.values()} == {(0,)}
    assert {item.domain for item in by_id.values()} == {"Precise IF"}
    assert len({item.cluster for item in by_id.values()}) == 1
    # excluded rows and pairs are counted and reported
    [record] = loaded.provenance
    assert record["excluded"] == {"subset Ties": 1, "the same response twice": 1}
    assert describe_exclusions(loaded.provenance) == (
        "excluded from rewardbench2: 1 (the same response twice), 1 (subset Ties)",
    )


def test_a_record_with_unexpected_columns_raises_an_error_with_its_source(the_hub, monkeypatch):
    changed = datasets.Dataset.from_list([{**PAIR, "label": "A>>B"}])
    monkeypatch.setattr(datasets, "load_dataset", lambda *_, **__: changed)
    with pytest.raises(DataError, match=r"^judgebench_gpt: a record .*column label.*'A>>B'"):
        load_items("judgebench_gpt")


def test_a_question_is_the_prompt_of_any_layout(write_rows):
    pair = {"response_a": "So.", "response_b": "Thus.", "label": "A"}
    for row in (pair, {"response_A": "So.", "response_B": "Thus.", "label": "A>B"}):
        [item] = load_items(write_rows({"question": "Why?", **row})).items
        assert (item.prompt, item.responses, item.preferred) == ("Why?", ("So.", "Thus."), (0,))
    [item] = load_items(write_rows({"input": "Why?", "response": "So."})).items
    assert (item.prompt, item.responses) == ("Why?", ("So.",))
    [item] = load_prompts(write_rows({"question": "Why?"})).items
    assert item.prompt == "Why?"
    [item] = load_items(write_rows({**LABELLED, "cluster": "own"})).items
    assert item.cluster == "own"
    [item] = load_items(write_rows(LABELLED)).items
    assert item.cluster == f"prompt-{content_hash('Why?')}"
    swapped = {"prompt": "Why?", "response_a": "Thus.", "response_b": "So.", "label": "B"}
    assert len(load_items(write_rows(LABELLED, swapped)).items) == 2


def test_a_name_may_have_blanks_or_be_repeated():
    for name in ("core", "synthetic"):
        expected = load_items(name, n=5)
        assert load_items(f" {name}", n=5) == load_items(f"{name},{name}", n=5) == expected


def test_a_wrong_name_raises_an_error_before_any_download():
    wrong = {
        "judgebenc": "did you mean 'judgebench'",
        "synthetc": "did you mean 'synthetic'",
        "synthetic,judgebench": "synthetic cannot be combined with other data sets",
        "items.txt": "nor a file that ends in",
        "": "unknown data set none",
    }
    for name, message in wrong.items():
        with pytest.raises(DataError, match=message):
            load_items(name)


def test_the_core_has_labelled_pairs_and_synthetic_data_any_number_of_them():
    loaded = load_items("core", n=24)
    assert len({item.domain for item in loaded.items}) == 12
    [record] = loaded.provenance
    assert (record["source"], record["name"], record["n"]) == ("core", "bias-core 3", 24)
    assert {item.preferred for item in loaded.items} == {(0,)}
    repeated = load_items("synthetic", n=300)
    assert len({item.id for item in repeated.items}) == 300
    assert len({item.prompt for item in repeated.items}) == 300
    assert len({item.cluster for item in repeated.items}) == 300
