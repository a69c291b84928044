"""Which yes/no questions a run has, in what order, and where their rewordings come from."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.data import paper
from bias_tasks.binary_qa.data.converters import PendingNumberQuestion
from bias_tasks.binary_qa.data.load import binary_order, load_binary
from bias_tasks.binary_qa.items import VARIANTS, BinaryItem, Reformulations
from bias_tasks.binary_qa.reformulation import grammar as by_rule
from bias_tasks.data.errors import DataError

PRC = ("original", "synonym", "polite")
QA = ("original",)


def _item(name, domain="reading", answer="Yes", question=None, source="s"):
    return BinaryItem(name, question or f"Is {name} here?", answer, domain, source, name)


def _items(counts):
    return [
        _item(f"{domain}-{answer}-{i}", domain, answer)
        for (domain, answer), n in counts.items()
        for i in range(n)
    ]


@pytest.fixture(autouse=True)
def grammar(monkeypatch):
    """A grammar that knows questions which begin with Is; the questions that it was given."""
    asked = []

    def reformulate(question, kind):
        asked.append(question)
        return f"{kind} {question}" if question.startswith("Is ") else None

    monkeypatch.setattr(by_rule, "reformulate", reformulate)
    return asked


def _write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def mine(tmp_path):
    """A file of four questions, the second beyond the grammar, the third with a rewording."""
    rows = [
        {"id": "a", "question": "Is a here?", "answer": "Yes", "domain": "d"},
        {"id": "b", "question": "Where is b?", "answer": "No", "domain": "d"},
        {
            "id": "c",
            "question": "Is c here?",
            "answer": "No",
            "domain": "ethics",
            "reformulations": {"synonym": "Is c present?"},
        },
        {"id": "d", "question": "Is d here?", "answer": "Yes"},
    ]
    return _write(tmp_path / "mine.jsonl", rows)


cells = st.dictionaries(
    st.tuples(st.sampled_from("abcde"), st.sampled_from(["Yes", "No"])), st.integers(1, 6)
)


@given(cells, st.integers(), st.integers(0, 70))
def test_the_first_k_questions_are_balanced(counts, seed, k):
    first = Counter((i.domain, i.answer) for i in binary_order(_items(counts), seed)[:k])
    left = [cell for cell, n in counts.items() if first[cell] < n]
    if left:
        assert min(first[cell] for cell in left) >= max(first.values(), default=0) - 1
    else:
        assert first == Counter(counts)


def test_a_file_whose_task_asks_no_rewording(mine, grammar):
    loaded = load_binary(mine, variants=("original", "repeat_2", "reversed"))
    assert sorted(item.id for item in loaded.items) == ["a", "b", "c", "d"]
    origin, overall = loaded.provenance
    assert (origin["source"], origin["path"], origin["n"]) == ("file", mine, 4)
    assert len(origin["sha256"]) == 64
    assert overall == {
        "questions": 4,
        "domains": {"d": 2, "ethics": 1, "file": 1},
        "paper_domains": 1,
        "rewordings": {},
        "passed_over": 0,
    }
    assert not grammar
    json.dumps(loaded.provenance)  # goes into a log


def test_given_asks_what_the_file_has(mine, grammar):
    loaded = load_binary(mine, variants=PRC, domains="d,ethics")
    assert {item.id: item.reformulations.missing()[:2] for item in loaded.items} == {
        "a": ("synonym", "polite"),
        "b": ("synonym", "polite"),
        "c": ("polite", "contradictory"),
    }
    assert loaded.provenance[-1]["rewordings"] == {"missing": 5, "given": 1}
    assert not grammar


def test_grammar_makes_what_is_not_given(mine):
    loaded = load_binary(mine, variants=PRC, domains=["ethics"], reformulate="grammar")
    (item,) = loaded.items
    assert item.reformulations == Reformulations(
        synonym="Is c present?", polite="polite Is c here?"
    )
    assert loaded.provenance[-1]["rewordings"] == {"given": 1, "grammar": 1}


def test_grammar_names_questions_where_it_knows_none(tmp_path):
    path = _write(tmp_path / "mine.jsonl", [{"id": "b", "question": "Where?", "answer": "No"}])
    with pytest.raises(DataError) as caught:
        load_binary(path, variants=PRC, reformulate="grammar")
    told = str(caught.value)
    assert "none of 1 questions has a rewording that the grammar could make" in told
    assert "b lacks synonym, polite: 'Where?'" in told
    assert f"run `bias-tasks reformulate {path} --out OUT.jsonl" in told


def test_skip_passes_them_over(mine):
    loaded = load_binary(mine, variants=PRC, reformulate="skip")
    assert sorted(item.id for item in loaded.items) == ["a", "c", "d"]
    assert [origin["passed_over"] for origin in loaded.provenance] == [1, 1]
    assert len(load_binary(mine, variants=QA, reformulate="skip").items) == 4


def test_only_what_n_leaves_has_to_be_reworded(mine, grammar):
    loaded = load_binary(mine, variants=PRC, reformulate="grammar", domains="d", n=1)
    assert [item.id for item in loaded.items] == ["a"]
    assert "Where is b?" not in grammar


def test_what_a_model_made_is_counted(tmp_path):
    row = {
        "question": "Is it?",
        "answer": "No",
        "reformulations": {"synonym": "Is this it?", "polite": "Would you say it is?"},
        "provenance": {
            "synonym": {"by": "model", "output": "Is this it?"},
            "polite": {"by": "model", "output": "Might it be?"},
        },
    }
    loaded = load_binary(_write(tmp_path / "mine.jsonl", [row]), variants=PRC)
    assert loaded.provenance[-1]["rewordings"] == {"model": 1, "given": 1}


@pytest.mark.parametrize("domains", ["nope", ["d", "nope"]])
def test_an_unknown_domain_lists_the_known(mine, domains):
    with pytest.raises(DataError, match=r"unknown domain 'nope'; the domains of .* are d, ethics"):
        load_binary(mine, variants=QA, domains=domains)


def test_sources_are_the_papers_alone(mine):
    with pytest.raises(DataError, match="sources= picks among the paper's data sets"):
        load_binary(mine, variants=QA, sources="boolq")


@pytest.fixture
def fake_paper(monkeypatch):
    """Three questions and a pending one; `accept` decides as in the recipe. Its arguments."""
    calls = []
    pending = PendingNumberQuestion(
        id="p",
        question="Is many?",
        answer="No",
        domain="numerical",
        source="drop",
        cluster="p",
        value=3,
        style="exact",
    )
    there = [
        _item("a", source="boolq"),
        _item("b", question="Where?", answer="No", source="boolq"),
        _item("c", domain="ethics", source="ethics_justice"),
        pending,
    ]

    def paper_items(domains, sources, accept, *, keep_pending=False):
        assert not keep_pending
        calls.append((domains, sources))
        items = [item for item in there if accept(item)]
        if pending in items:
            items.remove(pending)
        origins = [
            {"source": name, "domain": domain, "n": 9, "passed_over": passed}  # as paper_items
            for name, domain, passed in (("boolq", "reading", 5), ("ethics_justice", "ethics", 0))
        ]
        return items, origins

    monkeypatch.setattr(paper, "paper_items", paper_items)
    return calls


def test_the_grammar_rewords_the_papers_questions(fake_paper):
    assert len(load_binary(variants=PRC).items) == 3
    loaded = load_binary(variants=PRC, reformulate="skip", domains="reading, ethics", sources="x")
    assert sorted(item.id for item in loaded.items) == ["a", "c"]
    assert {item.reformulations.polite for item in loaded.items} == {
        "polite Is a here?",
        "polite Is c here?",
    }
    assert [(o.get("source"), o.get("n")) for o in loaded.provenance] == [
        ("boolq", 1),
        ("ethics_justice", 1),
        (None, None),
    ]
    assert loaded.provenance[-1]["paper_domains"] == 2
    assert loaded.provenance[-1]["passed_over"] == 5
    assert fake_paper == [(None, None), (["reading", "ethics"], ["x"])]


def test_given_refuses_the_papers_bare_questions(fake_paper):
    with pytest.raises(DataError, match="none of 3 questions has a rewording\n"):
        load_binary(variants=PRC, reformulate="given")


def test_synthetic_questions_have_their_rewordings():
    loaded = load_binary("synthetic", variants=VARIANTS, n=24)
    assert len(loaded.items) == 24
    assert not any(item.reformulations.missing() for item in loaded.items)
    assert loaded.provenance[0] == {"source": "synthetic", "seed": 0, "passed_over": 0, "n": 24}
    assert loaded.provenance[1]["rewordings"] == {"construction": 96}
    assert load_binary("synthetic", variants=QA, n=24, seed=1).items != loaded.items
