"""What judges under probes judge: benchmarks of the hub, the user's files, the core."""

import datasets
import huggingface_hub
import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.judging.data.load import left_out, load_items

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
OWN = {"prompt": "Why?", "response_a": "So.", "response_b": "Thus.", "label": "A"}


@pytest.fixture
def the_hub(monkeypatch, tmp_path):
    """Stands in for the hub, with rows as the benchmarks' authors document them."""
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


def read(path):
    return {item.id: item for item in load_items(path).items}


def test_judgebench_pairs_come_from_both_splits(the_hub):
    loaded = load_items("judgebench")
    by_id = {item.id: item for item in loaded.items}
    assert set(by_id) == {"judgebench_gpt-p1", "judgebench_claude-p2"}
    item = by_id["judgebench_gpt-p1"]
    assert (item.prompt, item.responses, item.right) == ("Is it so?", ("No.", "Yes."), (1,))
    assert by_id["judgebench_claude-p2"].right == (0,)
    # fourteen subjects of knowledge are one domain; both items ask the same, and so are a cluster
    assert {each.domain for each in by_id.values()} == {"mmlu-pro", "livebench-math"}
    assert len({each.cluster for each in by_id.values()}) == 1
    assert item.further == {n: PAIR[n] for n in ("source", "original_id", "response_model")}
    told = [(r["source"], r["n"], r["revision"]) for r in loaded.provenance]
    assert told == [("judgebench_gpt", 1, "newest"), ("judgebench_claude", 1, "newest")]


def test_best_of_four_becomes_a_cluster_of_pairs(the_hub):
    loaded = load_items("rewardbench2")
    found = {item.id: item for item in loaded.items}
    assert {key: item.responses for key, item in found.items()} == {
        "rewardbench2-12-1": ("Red.", "Cat."),
        "rewardbench2-12-2": ("Red.", "Dog."),
    }
    assert {item.right for item in found.values()} == {(0,)}
    assert {item.domain for item in found.values()} == {"Precise IF"}
    assert len({item.cluster for item in found.values()}) == 1
    # what can't be asked is counted, and said
    [record] = loaded.provenance
    assert record["left_out"] == {"subset Ties": 1, "the same response twice": 1}
    assert left_out(loaded.provenance) == (
        "of rewardbench2 left out: 1 (the same response twice), 1 (subset Ties)",
    )


def test_a_record_of_another_kind_is_refused_by_its_source(the_hub, monkeypatch):
    strange = datasets.Dataset.from_list([{**PAIR, "label": "A>>B"}])
    monkeypatch.setattr(datasets, "load_dataset", lambda *_, **__: strange)
    with pytest.raises(DataError, match=r"^judgebench_gpt: a record .*column label.*'A>>B'"):
        load_items("judgebench_gpt")


def test_what_is_wrong_with_a_row_is_said(write):
    wrong = [
        ({"prompt": "q", "response_1": "a", "response_b": "b"}, "response_1'(?s:.*)response_a"),
        ({"prompt": "q"}, "column response_a: expected a value, found nothing"),
        ({**OWN, "label": "tie"}, "column label: expected 'A>B' or 'B>A', found 'tie'"),
        ({**OWN, "response_b": "So."}, "column response_b: expected another text"),
        ({**OWN, "human_a": 1}, "column human_b: expected a value, found nothing"),
        ({**OWN, "human": 1}, "unknown column 'human'; known are (?s:.*)response_a"),
        ({**OWN, "human_a": "many", "human_b": 1}, "column human_a: .*found 'many'"),
        ({"prompt": "q", "response": "a", "label": "A"}, "unknown column 'label'"),
        ({**OWN, "response": "a"}, "unknown column 'response_a'"),
        ({**PAIR, "prompt": "q"}, "unknown column 'prompt'; known are pair_id"),
        ({k: v for k, v in PAIR.items() if k != "label"}, "column label: expected a value"),
        ({**FOUR, "chosen": "Red."}, "column chosen: .*list.*found 'Red.'"),
        (TIES, r"nothing to judge: of .*items.jsonl left out: 1 \(subset Ties\)"),
    ]
    for row, message in wrong:
        with pytest.raises(DataError, match=message):
            load_items(write(row))


def test_a_wrong_name_is_refused_before_anything_is_fetched():
    wrong = {
        "judgebenc": "did you mean 'judgebench'",
        "synthetc": "did you mean 'synthetic'",
        "synthetic,judgebench": "synthetic stands alone",
        "items.txt": "nor a file that ends in",
        "": "unknown data set none",
    }
    for name, message in wrong.items():
        with pytest.raises(DataError, match=message):
            load_items(name)


def test_the_core_s_pairs_and_as_many_as_a_simulation_asks_for():
    loaded = load_items("core", n=24)
    assert len({item.domain for item in loaded.items}) == 12
    [record] = loaded.provenance
    assert (record["source"], record["name"], record["n"]) == ("core", "bias-core 1", 24)
    assert {item.right for item in loaded.items} == {(0,)}
    repeated = load_items("synthetic", n=300)
    assert len({item.id for item in repeated.items}) == 300
    assert len({item.prompt for item in repeated.items}) == 300
    assert len({item.cluster for item in repeated.items}) == 300
