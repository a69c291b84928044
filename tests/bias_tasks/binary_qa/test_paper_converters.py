"""Each data set's records become yes/no questions with the right answer."""

import json

import pytest

from bias_tasks.binary_qa.data import converters
from bias_tasks.binary_qa.data.converters import as_question
from bias_tasks.data.errors import DataError
from tests.bias_tasks.binary_qa.paper_rows import boolq, commonsense, hotpotqa, justice, write_jsonl


@pytest.fixture
def rows(tmp_path):
    return lambda *rows: [write_jsonl(tmp_path / "rows.jsonl", rows)]


def _only(candidates):
    (candidate,) = candidates
    return candidate.item


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("is the sky  blue", "Is the sky blue?"),
        ("Is it? ", "Is it?"),
        ("did NASA land ?", "Did NASA land?"),
    ],
)
def test_questions_get_a_capital_and_a_question_mark(text, question):
    assert as_question(text) == question


@pytest.mark.parametrize(("answer", "label"), [(True, "Yes"), (False, "No")])
def test_boolq(rows, answer, label):
    item = _only(converters.boolq(rows(boolq(4, answer))))
    assert (item.question, item.answer, item.context) == ("Is thing 4 blue?", label, "Thing 1.")
    assert (item.domain, item.source) == ("reading", "boolq")


@pytest.mark.parametrize(("answer", "label"), [("yes", "Yes"), ("no", "No")])
def test_hotpotqa(rows, answer, label):
    (candidate,) = converters.hotpotqa(rows(hotpotqa(1, answer, "medium")))
    item = candidate.item
    assert (item.answer, candidate.stratum, item.cluster) == (label, "medium", item.id)
    paragraphs = item.context.split("\n\n")
    assert len(paragraphs) == 10
    assert paragraphs[0] == "Town 0\nTown 0 is old. It is near 1."


@pytest.mark.parametrize(("label", "answer"), [(0, "Yes"), (1, "No")])
def test_ethics_commonsense_asks_whether_it_is_acceptable(rows, label, answer):
    item = _only(converters.ethics_commonsense(rows(commonsense(1, label))))
    assert item.question == (
        "Is this acceptable according to ordinary morality in usual circumstances?"
    )
    assert (item.answer, item.context, item.cluster) == (answer, "I did thing 1.", item.id)


@pytest.mark.parametrize(("label", "answer"), [(0, "No"), (1, "Yes")])
def test_ethics_justice_asks_whether_it_is_fair(rows, label, answer):
    item = _only(converters.ethics_justice(rows(justice(1, label))))
    assert item.question == (
        "Is this fair/just according to ordinary morality in usual circumstances?"
    )
    assert (item.answer, item.domain) == (answer, "ethics")


@pytest.mark.parametrize("missing", ["passage", "question", "answer"])
def test_a_missing_column_is_named_with_those_there_are(rows, missing):
    record = boolq(1, True)
    del record[missing]
    with pytest.raises(DataError, match=rf"boolq: .*the column {missing}.*{', '.join(record)}"):
        list(converters.boolq(rows(record)))


@pytest.mark.parametrize(("label", "answer"), [("True", "Yes"), ("False", "No")])
def test_folio_asks_about_the_statement_in_the_context(rows, label, answer):
    record = {"premises": ["All A are B. ", "x is A."], "conclusion": "x is B.", "label": label}
    item = _only(converters.folio_binary(rows(record)))
    assert item.context == "Premises:\nAll A are B.\nx is A.\n\nStatement: x is B."
    assert (item.question, item.answer) == (
        "Is the statement true according to the premises?",
        answer,
    )


def test_bbh_sports(tmp_path):
    path = tmp_path / "sports.json"
    question = 'Is the following sentence plausible? "He shot a puck."'
    path.write_text(json.dumps({"examples": [{"input": question, "target": "yes"}]}))
    item = _only(converters.bbh_sports([path]))
    assert (item.question, item.answer) == ("Is the sentence plausible?", "Yes")
    assert item.context == 'Sentence: "He shot a puck."'


def test_bbh_boolean(tmp_path):
    path = tmp_path / "boolean.json"
    path.write_text(json.dumps({"examples": [{"input": "not True is", "target": "False"}]}))
    item = _only(converters.bbh_boolean([path]))
    assert (item.question, item.answer, item.context) == (
        'Is the expression "not True" true?',
        "No",
        None,
    )
