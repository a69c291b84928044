"""The yes/no questions of a run, their order, and the origin of their rewordings."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.data.load import load_binary, order_questions
from bias_tasks.binary_qa.items import PAPER_DOMAINS, VARIANTS, BinaryItem
from bias_tasks.data.core import core_digest, core_rows
from bias_tasks.data.errors import DataError
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.builders import plan

PRC = ("original", "synonym", "polite")
QA = ("original",)


@pytest.fixture
def mine(tmp_path):
    """A file of three questions, of which one has a rewording and one has two."""
    rows = [
        {"id": "a", "question": "Is a here?", "answer": "Yes", "domain": "d"},
        {"id": "b", "question": "Is b here?", "answer": "No", "domain": "d"},
        {"id": "c", "question": "Is c here?", "answer": "Yes", "domain": "ethics"},
    ]
    rows[1]["reformulations"] = {"synonym": "Is b present?"}
    rows[2]["reformulations"] = {"synonym": "Is c present?", "polite": "May c be here?"}
    return str(write_jsonl(tmp_path / "mine.jsonl", rows))


cells = st.dictionaries(
    st.tuples(st.sampled_from("abcde"), st.sampled_from(["Yes", "No"])), st.integers(1, 6)
)


@given(cells, st.integers(), st.integers(0, 70))
def test_the_first_k_questions_are_balanced(counts, seed, k):
    items = [
        BinaryItem(f"{domain}-{answer}-{i}", "?", answer, domain, "s", "c")
        for (domain, answer), n in counts.items()
        for i in range(n)
    ]
    ordered = order_questions(items, seed)
    first = Counter((item.domain, item.answer) for item in ordered[:k])
    remaining = [cell for cell, n in counts.items() if first[cell] < n]
    if remaining:
        assert min(first[cell] for cell in remaining) >= max(first.values(), default=0) - 1
    else:
        assert first == Counter(counts)


def test_the_default_is_the_core_with_every_rewording():
    planned = plan("binaryqa")
    assert len(planned.questions) == 300 * 8
    assert planned.notes == ()
    assert all(question.cluster == question.item for question in planned.questions)
    loaded = load_binary("core", variants=VARIANTS)
    assert {item.id for item in loaded.items} == {row["id"] for row in core_rows("binary")}
    assert Counter((item.domain, item.answer) for item in loaded.items) == {
        (domain, answer): 30 for domain in PAPER_DOMAINS for answer in ("Yes", "No")
    }
    origin, overall = loaded.provenance
    assert (origin["source"], origin["digest"], origin["n"]) == ("core", core_digest(), 300)
    assert overall["rewordings"] == {"given": 1200}
    assert overall["paper_domains"] == 5
    some = plan("binaryqa_qa", domains="ethics,reading", n=6, seed=1)
    assert Counter(question.scoring_data.domain for question in some.questions) == {
        "ethics": 3,
        "reading": 3,
    }
    [note] = some.notes
    assert "without multi_hop, numerical, translation: metrics over fewer than" in note


def test_a_file_is_used_in_the_variants_that_it_has(mine):
    planned = plan("binaryqa_prc", data=mine, domains="d,ethics")
    ids = {question.id for question in planned.questions}
    assert ids == {"a/original", "b/original", "b/synonym"} | {f"c/{v}" for v in PRC}
    [note] = planned.notes
    assert note.startswith("not all 3 questions have every rewording (synonym 2, polite 1);")
    origin, overall = planned.provenance
    assert (origin["source"], origin["path"], origin["n"]) == ("file", mine, 3)
    assert len(origin["sha256"]) == 64
    assert overall == {
        "questions": 3,
        "domains": {"d": 2, "ethics": 1},
        "paper_domains": 1,
        "rewordings": {"missing": 3, "given": 3},
        "skipped": 0,
    }
    json.dumps(planned.provenance)  # goes into a log


def test_without_rewordings_other_variants_are_used_and_errors_say_how_to_make_them(tmp_path):
    path = tmp_path / "bare.jsonl"
    path.write_text('{"question": "Is it?", "answer": "No"}')
    planned = plan("binaryqa", data=str(path))
    assert {question.variant for question in planned.questions} == {
        *("original", "repeat_2", "repeat_3", "reversed")
    }
    assert planned.notes[0].startswith("no question has a rewording: the run has only the")
    assert planned.notes[1] == "mbs is not computed: no question of file has all its rewordings"
    for task, parameters in (("binaryqa_prc", {}), ("binaryqa", {"reformulate": "skip"})):
        with pytest.raises(DataError, match=r"none of 1 questions .*make_reformulations -T data="):
            plan(task, data=str(path), **parameters)


def test_wrong_names_are_refused(mine):
    wrong = [
        ({"data": mine, "domains": "nope"}, "unknown domain 'nope'; the domains of .* are d, eth"),
        ({"data": "paper", "domains": "nope"}, "of the paper and of other data sets are read"),
        ({"data": "core", "sources": "boolq"}, "sources= selects data sets of the paper"),
    ]
    for arguments, message in wrong:
        with pytest.raises(DataError, match=message):
            load_binary(**arguments, variants=QA)
