"""Which items a run has, and in what order."""

import json
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.data.errors import DataError
from bias_tasks.instruction_boundary.data.load import limit_friendly, load_items
from bias_tasks.instruction_boundary.items import (
    CHOICE_LABELS,
    JUDGING_LABELS,
    ChoiceItem,
    JudgingItem,
)

ANSWERS = {"single": (1,), "multiple": (0, 2), "none": ()}


def _items(counts):
    items = []
    for label, n in counts.items():
        for i in range(n):
            name = f"{label}-{i}"
            if label in ANSWERS:
                items.append(ChoiceItem(name, "q", ("a", "b", "c"), ANSWERS[label], "s", name))
            else:
                items.append(JudgingItem(name, "facts", "q", label, "s", name))
    return items


counts = st.fixed_dictionaries(
    {label: st.integers(0, 12) for label in (*JUDGING_LABELS, *CHOICE_LABELS)}
)


@given(counts, st.integers(), st.integers(0, 80))
def test_the_first_k_items_are_balanced(counts, seed, k):
    first = Counter(item.label for item in limit_friendly(_items(counts), seed)[:k])
    left = [label for label, n in counts.items() if first[label] < n]
    if left:
        most = max(first.values(), default=0)
        assert min(first[label] for label in left) >= most - 1
    else:
        assert first == +Counter(counts)


@given(counts, st.integers(), st.randoms())
def test_the_order_follows_the_seed_alone(counts, seed, random):
    items = _items(counts)
    shuffled = random.sample(items, len(items))
    assert limit_friendly(shuffled, seed) == limit_friendly(items, seed)


def test_seeds_differ():
    items = _items({"True": 30})
    assert limit_friendly(items, 0) != limit_friendly(items, 1)
    assert limit_friendly(items, 0) != items


def test_forms_take_turns():
    items = _items(dict.fromkeys((*JUDGING_LABELS, *CHOICE_LABELS), 2))
    forms = [item.form for item in limit_friendly(items, 0)]
    assert forms == ["judging", "choice"] * 6


def test_paper_defaults(shared_data):
    loaded = load_items()
    assert Counter(item.source for item in loaded.items) == {"folio": 640, "ib_choice": 373}
    assert [(origin["source"], origin["n"]) for origin in loaded.provenance] == [
        ("folio", 640),
        ("ib_choice", 373),
    ]
    json.dumps(loaded.provenance)  # goes into a log
    folio = loaded.provenance[0]
    assert folio["repository"] == "Yale-LILY/FOLIO"
    assert folio["revision"] == "5d7bb84c7edab3fb358e057d2807f19cf5cf5e2d"
    assert [file["path"] for file in folio["files"]] == [
        "data/v0.0/folio-train.jsonl",
        "data/v0.0/folio-validation.jsonl",
    ]
    assert folio["files"][0]["sha256"].startswith("008d34b7")


@pytest.mark.parametrize("form", ["judging", "choice"])
def test_one_form_loads_its_own_sources_only(shared_data, form):
    assert {item.form for item in load_items(form=form).items} == {form}
    assert len(load_items(form=form).provenance) == 1


def test_sources_are_named_in_a_list_or_with_commas(shared_data):
    by_list = load_items(sources=["mmlu_pro", "ib_choice"])
    assert by_list == load_items(sources=" mmlu_pro,ib_choice,ib_choice")
    assert {item.source for item in by_list.items} == {"mmlu_pro", "ib_choice"}


def test_a_tasks_own_default_sources(shared_data):
    mine = {"choice": ["mmlu_pro"], "judging": ["folio"]}
    loaded = load_items(form="choice", default_sources=mine)
    assert {item.source for item in loaded.items} == {"mmlu_pro"}
    chosen = load_items(form="choice", default_sources=mine, sources="ib_choice")
    assert {item.source for item in chosen.items} == {"ib_choice"}


def test_published_keeps_the_repeats(shared_data):
    assert len(load_items(form="choice", protocol="published").items) == 450


def test_the_seed_orders_but_does_not_choose(shared_data):
    one, two = (load_items(form="judging", seed=seed).items for seed in (1, 2))
    assert one != two
    assert set(one) == set(two)


def test_n_takes_the_first_of_the_order(shared_data):
    loaded = load_items(n=6)
    assert loaded.items == load_items().items[:6]
    assert len({(item.form, item.label) for item in loaded.items}) == 6
    assert [origin["n"] for origin in loaded.provenance] == [3, 3]


@pytest.mark.parametrize("names", ["folio,nope", ["nope"]])
def test_an_unknown_source_lists_the_known(names):
    with pytest.raises(DataError, match=r"unknown source 'nope'.*ib_choice, ib_choice_2700"):
        load_items(sources=names)


@pytest.mark.parametrize("names", ["", []])
def test_no_source_is_an_error(names):
    with pytest.raises(DataError, match="unknown source none"):
        load_items(sources=names)


def test_no_item_of_the_form_is_an_error(tmp_path):
    with pytest.raises(DataError, match="'paper' has no choice item"):
        load_items(form="choice", sources="folio")
    path = tmp_path / "mine.jsonl"
    path.write_text('{"context": "c", "question": "q", "answer": "True"}\n')
    with pytest.raises(DataError, match="has no choice item"):
        load_items(str(path), form="choice")


def test_sources_are_the_papers_alone():
    with pytest.raises(DataError, match="sources= picks among the paper's data sets"):
        load_items("synthetic", sources="folio")


@pytest.mark.parametrize(
    "wrong", [{"form": "both"}, {"protocol": "fixed"}, {"n": 0}, {"n": -1}], ids=str
)
def test_wrong_arguments_say_what_is_allowed(wrong):
    with pytest.raises(ValueError, match="must be"):
        load_items("synthetic", **wrong)


def test_synthetic_items():
    loaded = load_items("synthetic")
    assert Counter(item.form for item in loaded.items) == {"judging": 200, "choice": 200}
    assert loaded == load_items("synthetic")
    assert loaded.items != load_items("synthetic", seed=1).items
    assert loaded.provenance == ({"source": "synthetic", "seed": 0, "n": 400},)


@pytest.mark.parametrize("n", [1, 7, 450])
def test_as_many_synthetic_items_as_asked_for(n):
    assert len(load_items("synthetic", n=n).items) == n
    assert len(load_items("synthetic", form="choice", n=n).items) == n


def test_a_file(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"context": "c", "question": "q", "answer": "True"}\n')
    loaded = load_items(str(path))
    (origin,) = loaded.provenance
    assert (origin["source"], origin["path"], origin["n"]) == ("file", str(path), 1)
    assert len(origin["sha256"]) == 64


def test_importing_the_package_is_cheap():
    heavy = ["pandas", "pooch", "datasets", "pydantic", "pyarrow", "rich"]
    code = f"import sys, bias_tasks.data; print([m for m in {heavy} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
