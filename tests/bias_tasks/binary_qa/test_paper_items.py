"""`paper_items` on a cache of made-up rows, on the real files at hand, and without a network."""

import json
from collections import Counter

import datasets
import huggingface_hub
import pooch
import pytest

from bias_tasks.binary_qa.data import converters
from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.data.paper import BINARY_SOURCES, paper_items
from bias_tasks.binary_qa.items import PAPER_DOMAINS
from bias_tasks.data.errors import DataError
from bias_tasks.names import content_hash
from tests.bias_tasks.binary_qa.paper_rows import fill_cache

AT_HAND = ("hotpotqa_formateval", "wmt_ted_ende", "bbh_sports", "bbh_boolean", "folio_binary")


def _all(item):
    return True


def _nowhere(*args, **kwargs):
    raise OSError("no network")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr(huggingface_hub, "dataset_info", _nowhere)
    monkeypatch.setattr(datasets, "load_dataset", _nowhere)
    monkeypatch.setattr(pooch, "HTTPDownloader", lambda **options: _nowhere)
    return tmp_path


@pytest.fixture
def grammar(monkeypatch):
    """Turns every 'How many' question, but those of teams whose number ends in 3."""

    def number_question(question, value, style, answer, seed):
        return None if question.split()[5].endswith("3") else f"Did it {style} {value}?"

    monkeypatch.setattr(converters, "number_question", number_question)


@pytest.fixture
def whole_paper(cache, grammar):
    fill_cache()


def _turned(item):
    return not isinstance(item, PendingNumberQuestion)


def test_the_papers_recipe(whole_paper):
    items, provenance = paper_items(None, None, _turned)
    by_domain = Counter((item.domain, item.answer) for item in items)
    assert by_domain == {(d, a): 100 for d in PAPER_DOMAINS for a in ("Yes", "No")}
    assert len({item.id for item in items}) == 1000
    ethics = Counter((i.source, i.answer) for i in items if i.domain == "ethics")
    assert set(ethics.values()) == {50}
    styles = Counter((i.question.split()[2], i.answer) for i in items if i.source == "drop")
    assert styles == {(s, a): 50 for s in ("threshold", "exact") for a in ("Yes", "No")}
    assert [origin["source"] for origin in provenance] == [
        "boolq",
        "hotpotqa",
        "drop",
        "wmt2020_ende",
        "ethics_commonsense",
        "ethics_justice",
    ]
    assert [origin["n"] for origin in provenance] == [200, 200, 200, 200, 100, 100]
    json.dumps(provenance)  # goes into a log


def test_a_run_over_the_paper_is_loaded(whole_paper):
    loaded = load_binary("paper", variants=["original"], reformulate="skip")
    assert len(loaded.items) == 1000
    drop_origin = loaded.provenance[2]
    assert (drop_origin["source"], drop_origin["n"]) == ("drop", 200)
    assert drop_origin["passed_over"] > 0
    assert loaded.provenance[-1]["paper_domains"] == 5


def test_questions_for_a_model_give_way_to_the_next(whole_paper):
    items, _ = paper_items(["numerical"], None, _all)
    pending = [item for item in items if isinstance(item, PendingNumberQuestion)]
    assert len(items) == 200
    assert 0 < len(pending) < 200
    loaded = load_binary("paper", variants=["original"], domains=["numerical"])
    assert len(loaded.items) == 200
    assert not any(isinstance(item, PendingNumberQuestion) for item in loaded.items)
    assert loaded.provenance[0]["passed_over"] >= len(pending)


def test_an_unreachable_source_is_named_with_the_domains_that_remain(cache, grammar):
    fill_cache(without=["drop", "ethics_justice"])
    with pytest.raises(DataError) as caught:
        paper_items(None, None, _turned)
    told = str(caught.value)
    assert told.startswith("2 data sets are not in the cache: cannot load EleutherAI/drop from")
    assert "`bias-tasks data fetch drop ethics_justice`" in told
    assert told.endswith("go on without them with domains=reading,multi_hop,translation")
    assert "boolq" not in told
    assert "BIAS_TASKS_DATA" in told
    assert "\n" not in told
    items, _ = paper_items(["reading", "multi_hop", "translation"], None, _all)
    assert len(items) == 600


@pytest.mark.parametrize("name", AT_HAND)
def test_real_files(shared_data, name):
    source = BINARY_SOURCES[name]
    items, (origin,) = paper_items(None, [name], _all)
    labels = Counter(item.answer for item in items)
    assert labels["Yes"] == labels["No"] == source.questions / 2
    assert origin["n"] == source.questions
    assert origin["files"][0]["sha256"] == source.files[0].sha256
    assert {(item.source, item.domain) for item in items} == {(name, source.domain)}
    assert len({item.id for item in items}) == len(items)
    for item in items:
        assert item.id.startswith(f"{name}-")
        assert item.question.endswith("?")


def test_real_boolean_expressions_have_their_value(shared_data):
    items, _ = paper_items(None, ["bbh_boolean"], _all)
    for item in items:
        expression = item.question.split('"')[1]
        assert set(expression.split()) <= {"True", "False", "not", "and", "or", "(", ")"}
        assert eval(expression) == (item.answer == "Yes")  # noqa: S307


def test_a_domain_without_the_papers_sources_is_asked_from_all_its_own(shared_data):
    _, provenance = paper_items(["boolean_logic", "deduction"], None, _all)
    assert [origin["source"] for origin in provenance] == ["bbh_boolean", "folio_binary"]


# An id that moves makes recorded answers unusable, so a few are pinned.
def test_ids_are_stable(shared_data):
    items, _ = paper_items(None, AT_HAND, _all)
    assert {item.id for item in items} >= {
        "hotpotqa_formateval-17e54a4745",
        "wmt_ted_ende-00164d0e19",
        "bbh_sports-00641e738a",
        "bbh_boolean-00d79a9c84",
        "folio_binary-0003089939",
    }
    for item in items:
        assert item.id == f"{item.source}-{content_hash(item.question, item.context, item.answer)}"
