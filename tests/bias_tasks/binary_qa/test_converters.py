"""The records of each data set become yes/no questions with the correct answer."""

from collections import Counter

import pytest

from bias_tasks.binary_qa.data.converters import CONVERTERS, format_question
from tests.bias_tasks.binary_qa import paper_rows
from tests.bias_tasks.binary_qa.paper_rows import boolq, commonsense, drop, hotpotqa, justice, mark

MINOR = ("Fluency/Grammar", "Minor")
MAJOR = ("Accuracy/Mistranslation", "Major")
ACCEPTABLE = "Is this acceptable according to ordinary morality in usual circumstances?"
FAIR = "Is this fair/just according to ordinary morality in usual circumstances?"
FOLIO = {"premises": ["All A are B. ", "x is A."], "conclusion": "x is B."}
PREMISES = "Premises:\nAll A are B.\nx is A.\n\nStatement: x is B."
STATEMENT = "Is the statement true according to the premises?"


@pytest.fixture
def convert(tmp_path):
    return lambda name, *rows: list(
        CONVERTERS[name]([paper_rows.write_jsonl(tmp_path / "rows", rows)])
    )


@pytest.fixture
def marked(tmp_path):
    def items(rows, name="wmt2020_ende"):
        path = tmp_path / "marks.tsv"
        path.write_text(paper_rows.table(rows), encoding="utf-8")
        return [candidate.item for candidate in CONVERTERS[name]([path])]

    return items


def test_questions_get_a_capital_and_a_question_mark():
    assert format_question("is the sky  blue") == "Is the sky blue?"
    assert format_question("Is it? ") == "Is it?"
    assert format_question("did NASA land ?") == "Did NASA land?"


def test_rows_become_questions(convert):
    for name, row, question, answer, context in (
        ("boolq", boolq(4, True), "Is thing 4 blue?", "Yes", "Thing 1."),
        ("boolq", boolq(4, False), "Is thing 4 blue?", "No", "Thing 1."),
        ("ethics_commonsense", commonsense(1, 0), ACCEPTABLE, "Yes", "I did thing 1."),
        ("ethics_commonsense", commonsense(1, 1), ACCEPTABLE, "No", "I did thing 1."),
        ("ethics_justice", justice(1, 0), FAIR, "No", "I deserve thing 1 because of it."),
        ("ethics_justice", justice(1, 1), FAIR, "Yes", "I deserve thing 1 because of it."),
        ("folio_binary", {**FOLIO, "label": "True"}, STATEMENT, "Yes", PREMISES),
        ("folio_binary", {**FOLIO, "label": "False"}, STATEMENT, "No", PREMISES),
    ):
        [candidate] = convert(name, row)
        item = candidate.item
        fields = item.question, item.answer, item.context, item.source
        assert fields == (question, answer, context, name)


def test_rows_without_a_yes_no_question_are_excluded(convert):
    assert convert("ethics_commonsense", commonsense(1, 0, is_short=False)) == []
    assert convert("folio_binary", {**FOLIO, "label": "Uncertain"}) == []
    assert convert("hotpotqa", hotpotqa(1, "yes", paragraphs=9)) == []


def test_the_error_of_a_missing_column_lists_the_existing_ones(convert, tmp_path):
    for missing in ("passage", "question", "answer"):
        record = {name: cell for name, cell in boolq(1, True).items() if name != missing}
        with pytest.raises(ValueError, match=rf"the column {missing}.*{', '.join(record)}"):
            convert("boolq", record)
    path = tmp_path / "marks.tsv"
    path.write_text("system\tdoc\tseg_id\trater\tsource\ttarget\na\tb\tc\td\te\tf\n")
    with pytest.raises(
        ValueError, match=r"the column category, found NoneType; .* rater, source, tar"
    ):
        list(CONVERTERS["wmt2020_ende"]([path]))


def test_drop_keeps_numbers_on_which_all_agree_in_one_of_four_forms(convert):
    candidates = convert("drop", *(drop(i) for i in range(400)))
    cells = Counter((c.stratum, c.item.style, c.item.answer) for c in candidates)
    assert set(cells) == {(s, s, a) for s in ("threshold", "exact") for a in ("Yes", "No")}
    assert min(cells.values()) > 70
    item = candidates[1].item
    assert (item.question, item.value) == ("How many points did team 1 score?", 7)
    for number, others, value in (("7", ("7.0",), 7), ("1.5", ("1.5",), 1.5), ("0", (), 0)):
        [candidate] = convert("drop", drop(1, number, others))
        found_value = candidate.item.value
        assert (found_value, type(found_value)) == (value, type(value))
    for number, others in (
        *(("7", ("7", "8")), ("7", ("7", "")), ("", ("", "")), ("many", ("many",))),
        *(("nan", ()), ("inf", ()), ("-2", ("-2",)), (None, ())),
    ):
        assert convert("drop", drop(1, number, others)) == [], number
    assert convert("drop", drop(1, question="Who scored?")) == []


def test_a_translation_has_an_error_if_every_rating_marks_one(marked):
    [clean] = marked([mark(1, f"rater{i}") for i in (1, 2, 3)])
    assert (clean.question, clean.answer) == ("Is there an error in the translation?", "No")
    assert clean.context == "Source (English): Sentence 1.\nTranslation (German): Satz 1."
    rows = [mark(1, "rater1", *MINOR), mark(1, "rater1", *MAJOR), mark(1, "rater2", *MAJOR)]
    assert [item.answer for item in marked(rows)] == ["Yes"]
    # A single rating is not an agreement, but TED has no more.
    assert marked([mark(1, "rater1")]) == []
    assert len(marked([mark(1, "rater1")], "wmt_ted_ende")) == 1
    for system in ("Human-A.0", "Human-P.0", "ref", "refA"):
        assert marked([mark(1, f"rater{i}", system=system) for i in (1, 2)]) == []


@pytest.mark.parametrize(
    "undecided",
    [
        *(("Source error/-", "Minor"), ("Source issue", "Major")),
        *(("Creative Reinterpretation", "Minor"), ("Style/Awkward", "Neutral")),
        ("No-error", "Minor"),
    ],
)
def test_marks_that_do_not_decide(marked, undecided):
    agreed = [mark(1, "rater1", *MINOR), mark(1, "rater2", *MINOR)]
    clean = [mark(1, "rater1"), mark(1, "rater2")]
    if undecided[0] != "No-error":
        assert marked([*agreed, mark(1, "rater3", *undecided)]) == []
        assert marked([*clean, mark(1, "rater3", *undecided)]) == []
    else:  # contradicts itself, but the category is no error
        assert [item.answer for item in marked([*clean, mark(1, "rater3", *undecided)])] == ["No"]
    # it does not change a rating that also has a deciding mark
    assert [item.answer for item in marked([*agreed, mark(1, "rater2", *undecided)])] == ["Yes"]


def test_the_texts_do_not_reveal_what_was_marked(marked):
    with_marks = {"target": "Der <v>Satz  </v> eins.", "source": "Sentence<v>.</v>"}
    plain = {"target": "Der Satz eins.", "source": "Sentence."}
    [error] = marked([mark(1, f"rater{i}", *MINOR, **with_marks) for i in (1, 2)])
    [clean] = marked([mark(1, f"rater{i}", **plain) for i in (1, 2)])
    assert (error.context, error.cluster) == (clean.context, clean.cluster)
    quoted = {"target": '"Er sagte: ""<v>Ja</v>.""', "source": '"""Yes."""'}
    [item] = marked([mark(1, f"rater{i}", *MINOR, **quoted) for i in (1, 2)])
    assert item.context == 'Source (English): "Yes."\nTranslation (German): "Er sagte: ""Ja.""'
    quoted["target"] += '"'
    [item] = marked([mark(1, f"rater{i}", *MINOR, **quoted) for i in (1, 2)])
    assert item.context.endswith('(German): Er sagte: "Ja."')
