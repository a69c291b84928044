"""The paper's recipe on a cache of made-up rows, on the available real files, and offline."""

import json
from collections import Counter
from dataclasses import replace

import datasets
import huggingface_hub
import pooch
import pytest

from bias_tasks.binary_qa.data.converters import CONVERTERS, build_candidate
from bias_tasks.binary_qa.data.load import load_binary, load_records
from bias_tasks.binary_qa.data.paper import (
    BINARY_SOURCES,
    MAX_PER_ANSWER,
    load_paper,
    select_paper_sources,
    select_questions,
    sources_of_domain,
)
from bias_tasks.binary_qa.items import (
    PAPER_DOMAINS,
    REFORMULATION_SOURCES,
    REFORMULATIONS,
    VARIANTS,
    PendingNumberQuestion,
)
from bias_tasks.commands.data import SOURCES
from bias_tasks.data.errors import DataError
from bias_tasks.digests import content_hash
from tests.bias_tasks.binary_qa.paper_rows import fill_cache
from tests.bias_tasks.builders import plan

REAL_FILES = ("hotpotqa_formateval", "wmt_ted_ende", "bbh_sports", "bbh_boolean", "folio_binary")
LEVELS = replace(BINARY_SOURCES["boolq"], quotas={"easy": 2, "hard": 3})


@pytest.fixture
def cache(tmp_path, monkeypatch):
    def refuse_network(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr(huggingface_hub, "dataset_info", refuse_network)
    monkeypatch.setattr(datasets, "load_dataset", refuse_network)
    monkeypatch.setattr(pooch, "HTTPDownloader", lambda **options: refuse_network)


def test_the_recipe_has_100_questions_of_each_answer_and_domain(cache):
    fill_cache()
    items, provenance = load_paper(None, None, with_pending=True)
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


def test_a_run_over_the_paper_excludes_questions_for_numbers(cache):
    fill_cache(without=["drop"])
    loaded = load_binary("paper", variants=["original", "reversed"])
    assert len(loaded.items) == 800
    assert loaded.provenance[-1]["paper_domains"] == 4
    [excluded] = [origin for origin in loaded.provenance if "excluded" in origin]
    assert (excluded["source"], excluded["n"]) == ("drop", 0)
    message = "turn them into yes/no questions: `inspect eval bias_tasks/make_reformulations -T sou"
    assert message in excluded["excluded"]
    with pytest.raises(DataError, match=message):
        load_binary("paper", variants=["original"], domains="numerical")
    with pytest.raises(DataError, match="none of 200 questions has a rewording"):
        load_binary("paper", variants=["original", "polite", "synonym"], domains="reading")
    fill_cache(without=set(BINARY_SOURCES) - {"drop"})
    pending, _ = load_records("paper", "numerical", with_pending=True)
    assert len(pending) == 200


def test_unreachable_sources_are_named_in_one_line(cache):
    fill_cache(without=["hotpotqa", "ethics_justice"])
    with pytest.raises(DataError) as caught:
        load_binary("paper", variants=["original"])
    message = str(caught.value)
    assert message.startswith(
        "2 data sets are not in the cache: cannot load hotpotqa/hotpot_qa from"
    )
    assert "`bias-tasks data fetch hotpotqa ethics_justice`" in message
    assert "data=core" in message
    assert "\n" not in message
    assert len(load_binary("paper", variants=["original"], domains="reading").items) == 200


def distinct(n, strata=("",), answers=("Yes", "No")):
    """Return candidates of which no question has both answers."""
    return [
        build_candidate(
            "s", "d", f"{stratum} {answer} {i}?", None, yes=answer == "Yes", stratum=stratum
        )
        for stratum in strata
        for answer in answers
        for i in range(n)
    ]


def test_each_cell_is_filled_in_order_of_the_ids():
    candidates = distinct(20, ("easy", "hard"))
    chosen = select_questions(LEVELS, candidates)
    cells = Counter((item.question.split()[0], item.answer) for item in chosen)
    assert cells == {("easy", "Yes"): 2, ("easy", "No"): 2, ("hard", "Yes"): 3, ("hard", "No"): 3}
    cell = [c.item.id for c in candidates if (c.stratum, c.item.answer) == ("hard", "Yes")]
    assert [i.id for i in chosen if i.question.startswith("hard Yes")] == sorted(cell)[:3]
    message = "boolq: 3 hard questions with the answer Yes are needed, but only 2 are available"
    with pytest.raises(DataError, match=message):
        select_questions(LEVELS, distinct(2, ("easy", "hard")))


def test_real_files(shared_data):
    for name in REAL_FILES:
        source = BINARY_SOURCES[name]
        items, (origin,) = load_paper(None, [name])
        assert Counter(i.answer for i in items) == dict.fromkeys(("Yes", "No"), source.items / 2)
        assert (origin["n"], origin["files"][0]["sha256"]) == (len(items), source.files[0].sha256)
        assert {(item.source, item.domain) for item in items} == {(name, source.domain)}
        assert all(item.question.endswith("?") for item in items), name
        # Recorded answers are unusable if an id changes.
        for item in items:
            assert item.id == f"{name}-{content_hash(item.question, item.context, item.answer)}"
    items, _ = load_paper(None, REAL_FILES)
    assert {item.id for item in items} >= {
        *("hotpotqa_formateval-17e54a4745", "wmt_ted_ende-00164d0e19", "bbh_sports-00641e738a"),
        *("bbh_boolean-00d79a9c84", "folio_binary-0003089939"),
    }


def test_a_domain_outside_the_paper_uses_all_its_sources():
    chosen = select_paper_sources(["boolean_logic", "deduction"], None)
    assert [source.name for source in chosen] == ["bbh_boolean", "folio_binary"]
    with pytest.raises(DataError, match="no source is of the domain ethics: boolq "):
        select_paper_sources(["ethics"], ["boolq"])


def test_a_paper_domain_has_100_questions_of_each_answer():
    for domain in PAPER_DOMAINS:
        sources = sources_of_domain(domain)
        assert sum(sum(source.quotas.values()) for source in sources) == MAX_PER_ANSWER
        assert all(source.items == 2 * sum(source.quotas.values()) for source in sources)
    unused = [
        name
        for name, source in BINARY_SOURCES.items()
        if source not in sources_of_domain(source.domain)
    ]
    assert unused == ["hotpotqa_formateval", "wmt_ted_ende"]
    assert set(CONVERTERS) == set(BINARY_SOURCES) <= set(SOURCES)


def test_published_runs_have_the_papers_designs_only(cache, monkeypatch):
    fill_cache()
    sources = {name for name, source in BINARY_SOURCES.items() if source.source == "paper"}
    assert sources == {name for name, source in BINARY_SOURCES.items() if source.quotas is not None}
    planned = plan("binaryqa", data="paper", protocol="published", n="all")
    assert {origin["source"] for origin in planned.provenance if "source" in origin} == sources
    domains = {question.scoring_data.domain for question in planned.questions}
    assert domains == set(PAPER_DOMAINS) - {"numerical"}  # a model has to turn these yes/no
    for selected in ({"sources": "bbh_sports,boolq"}, {"domains": "plausibility,reading"}):
        with pytest.raises(ValueError, match="paper's alone, and bbh_sports is this"):
            plan("binaryqa", data="paper", protocol="published", **selected)
    assert set(REFORMULATION_SOURCES) == set(REFORMULATIONS)
    monkeypatch.setitem(REFORMULATION_SOURCES, "polite", "ours")
    for protocol, expected in (
        ("published", set(VARIANTS) - {"polite"}),
        ("corrected", {*VARIANTS}),
    ):
        planned = plan("binaryqa", n=5, protocol=protocol)
        assert {question.variant for question in planned.questions} == expected
    assert (
        plan("binaryqa", n=5, protocol="published")
        .notes[-1]
        .endswith("the questions are not the paper's")
    )
