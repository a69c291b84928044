"""The paper's recipe on a cache of made-up rows, on the real files at hand, and without a network;
and that what the registry says is true."""

import json
from collections import Counter
from dataclasses import replace

import datasets
import huggingface_hub
import pooch
import pytest

from bias_tasks.binary_qa.data.converters import CONVERTERS, candidate
from bias_tasks.binary_qa.data.load import load_binary, question_records
from bias_tasks.binary_qa.data.paper import (
    BINARY_SOURCES,
    MOST_PER_ANSWER,
    chosen_sources,
    of_domain,
    paper_items,
    select,
)
from bias_tasks.binary_qa.items import PAPER_DOMAINS, PendingNumberQuestion
from bias_tasks.commands.data import SOURCES
from bias_tasks.data.errors import DataError
from bias_tasks.names import content_hash
from tests.bias_tasks.binary_qa.paper_rows import fill_cache

AT_HAND = ("hotpotqa_formateval", "wmt_ted_ende", "bbh_sports", "bbh_boolean", "folio_binary")
LEVELS = replace(BINARY_SOURCES["boolq"], quotas={"easy": 2, "hard": 3})


@pytest.fixture
def cache(tmp_path, monkeypatch):
    def nowhere(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr(huggingface_hub, "dataset_info", nowhere)
    monkeypatch.setattr(datasets, "load_dataset", nowhere)
    monkeypatch.setattr(pooch, "HTTPDownloader", lambda **options: nowhere)


def test_the_papers_recipe(cache):
    fill_cache()
    items, provenance = paper_items(chosen_sources(None, None))
    by_domain = Counter((item.domain, item.answer) for item in items)
    assert by_domain == {(d, a): 100 for d in PAPER_DOMAINS for a in ("Yes", "No")}
    assert len({item.id for item in items}) == 1000
    ethics = Counter((i.source, i.answer) for i in items if i.domain == "ethics")
    assert set(ethics.values()) == {50}
    numbers = [item for item in items if isinstance(item, PendingNumberQuestion)]
    styles = Counter((item.style, item.answer) for item in numbers)
    assert styles == {(s, a): 50 for s in ("threshold", "exact") for a in ("Yes", "No")}
    names = ["boolq", "hotpotqa", "drop", "wmt2020_ende", "ethics_commonsense", "ethics_justice"]
    assert [origin["source"] for origin in provenance] == names
    assert [origin["n"] for origin in provenance] == [200, 200, 200, 200, 100, 100]
    json.dumps(provenance)  # goes into a log


def test_a_run_over_the_paper_leaves_out_what_a_model_has_to_turn_yes_no(cache):
    fill_cache(without=["drop"])
    loaded = load_binary("paper", variants=["original", "reversed"])
    assert len(loaded.items) == 800
    assert loaded.provenance[-1]["paper_domains"] == 4
    [left_out] = [origin for origin in loaded.provenance if "left_out" in origin]
    assert (left_out["source"], left_out["n"]) == ("drop", 0)
    told = "a model has to turn them yes/no: `bias-tasks reformulate drop --model MODEL"
    assert told in left_out["left_out"]
    with pytest.raises(DataError, match=told):
        load_binary("paper", variants=["original"], domains="numerical")
    with pytest.raises(DataError, match="none of 200 questions has a rewording"):
        load_binary("paper", variants=["original", "polite", "synonym"], domains="reading")
    fill_cache(without=set(BINARY_SOURCES) - {"drop"})
    pending, _ = question_records("paper", "numerical", with_pending=True)
    assert len(pending) == 200


def test_unreachable_sources_are_named_in_one_line(cache):
    fill_cache(without=["hotpotqa", "ethics_justice"])
    with pytest.raises(DataError) as caught:
        load_binary("paper", variants=["original"])
    told = str(caught.value)
    assert told.startswith("2 data sets are not in the cache: cannot load hotpotqa/hotpot_qa from")
    assert "`bias-tasks data fetch hotpotqa ethics_justice`" in told
    assert "data=core" in told
    assert "\n" not in told
    assert len(load_binary("paper", variants=["original"], domains="reading").items) == 200


def distinct(n, strata=("",), answers=("Yes", "No")):
    """Questions of which none is asked with both answers."""
    return [
        candidate("s", "d", f"{stratum} {answer} {i}?", None, yes=answer == "Yes", stratum=stratum)
        for stratum in strata
        for answer in answers
        for i in range(n)
    ]


def test_each_cell_is_filled_in_order_of_the_ids():
    candidates = distinct(20, ("easy", "hard"))
    chosen = select(LEVELS, candidates)
    cells = Counter((item.question.split()[0], item.answer) for item in chosen)
    assert cells == {("easy", "Yes"): 2, ("easy", "No"): 2, ("hard", "Yes"): 3, ("hard", "No"): 3}
    cell = [c.item.id for c in candidates if (c.stratum, c.item.answer) == ("hard", "Yes")]
    assert [i.id for i in chosen if i.question.startswith("hard Yes")] == sorted(cell)[:3]
    message = "boolq: 3 hard questions with the answer Yes are wanted; 2 are there"
    with pytest.raises(DataError, match=message):
        select(LEVELS, distinct(2, ("easy", "hard")))


def test_real_files(shared_data):
    for name in AT_HAND:
        source = BINARY_SOURCES[name]
        items, (origin,) = paper_items([source])
        assert Counter(i.answer for i in items) == dict.fromkeys(("Yes", "No"), source.items / 2)
        assert (origin["n"], origin["files"][0]["sha256"]) == (len(items), source.files[0].sha256)
        assert {(item.source, item.domain) for item in items} == {(name, source.domain)}
        assert all(item.question.endswith("?") for item in items), name
        # An id that moves makes recorded answers unusable.
        for item in items:
            assert item.id == f"{name}-{content_hash(item.question, item.context, item.answer)}"
    items, _ = paper_items(chosen_sources(None, AT_HAND))
    assert {item.id for item in items} >= {
        *("hotpotqa_formateval-17e54a4745", "wmt_ted_ende-00164d0e19", "bbh_sports-00641e738a"),
        *("bbh_boolean-00d79a9c84", "folio_binary-0003089939"),
    }


def test_a_domain_without_the_papers_sources_is_asked_from_all_its_own():
    chosen = chosen_sources(["boolean_logic", "deduction"], None)
    assert [source.name for source in chosen] == ["bbh_boolean", "folio_binary"]
    with pytest.raises(DataError, match="no source is of the domain ethics: boolq "):
        chosen_sources(["ethics"], ["boolq"])


def test_a_paper_domain_has_100_questions_of_each_answer():
    for domain in PAPER_DOMAINS:
        sources = of_domain(domain)
        assert sum(sum(source.quotas.values()) for source in sources) == MOST_PER_ANSWER
        assert all(source.items == 2 * sum(source.quotas.values()) for source in sources)
    unasked = [name for name, each in BINARY_SOURCES.items() if each not in of_domain(each.domain)]
    assert unasked == ["hotpotqa_formateval", "wmt_ted_ende"]
    assert set(CONVERTERS) == set(BINARY_SOURCES) <= set(SOURCES)
