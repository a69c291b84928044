"""Marked translations become questions only where every rating tells the same."""

import pytest

from bias_tasks.binary_qa.data.converters import CONVERTERS
from bias_tasks.data.errors import DataError
from tests.bias_tasks.binary_qa.paper_rows import mark, table

MINOR = ("Fluency/Grammar", "Minor")
MAJOR = ("Accuracy/Mistranslation", "Major")


@pytest.fixture
def ask(tmp_path):
    def items(rows, converter=CONVERTERS["wmt2020_ende"]):
        path = tmp_path / "marks.tsv"
        path.write_text(table(rows), encoding="utf-8")
        return [candidate.item for candidate in converter([path])]

    return items


def test_all_clean_is_no(ask):
    (item,) = ask([mark(1, f"rater{i}") for i in (1, 2, 3)])
    assert (item.question, item.answer) == ("Is there an error in the translation?", "No")
    assert item.context == "Source (English): Sentence 1.\nTranslation (German): Satz 1."


def test_any_minor_or_major_mark_of_each_rater_is_yes(ask):
    rows = [mark(1, "rater1", *MINOR), mark(1, "rater1", *MAJOR), mark(1, "rater2", *MAJOR)]
    assert [item.answer for item in ask(rows)] == ["Yes"]


@pytest.mark.parametrize(
    "mute",
    [
        ("Source error/-", "Minor"),
        ("Source issue", "Major"),
        ("Creative Reinterpretation", "Minor"),
        ("Style/Awkward", "Neutral"),
        ("No-error", "Minor"),
    ],
)
def test_marks_that_do_not_tell(ask, mute):
    agreed = [mark(1, "rater1", *MINOR), mark(1, "rater2", *MINOR)]
    clean = [mark(1, "rater1"), mark(1, "rater2")]
    if mute[0] != "No-error":
        assert ask([*agreed, mark(1, "rater3", *mute)]) == []
        assert ask([*clean, mark(1, "rater3", *mute)]) == []
    else:  # contradicts itself, but says that there is no error
        assert [item.answer for item in ask([*clean, mark(1, "rater3", *mute)])] == ["No"]
    # beside a mark that tells, it takes nothing away
    assert [item.answer for item in ask([*agreed, mark(1, "rater2", *mute)])] == ["Yes"]


def test_one_rating_is_no_agreement_but_all_that_ted_has(ask):
    assert ask([mark(1, "rater1")]) == []
    assert len(ask([mark(1, "rater1")], CONVERTERS["wmt_ted_ende"])) == 1


def test_nothing_in_the_texts_tells_what_was_marked(ask):
    marked = {"target": "Der <v>Satz  </v> eins.", "source": "Sentence<v>.</v>"}
    plain = {"target": "Der Satz eins.", "source": "Sentence."}
    (error,) = ask([mark(1, "rater1", *MINOR, **marked), mark(1, "rater2", *MINOR, **marked)])
    (clean,) = ask([mark(1, "rater1", **plain), mark(1, "rater2", **plain)])
    assert error.context == clean.context
    assert error.cluster == clean.cluster


def test_quoted_cells_read_like_bare_ones(ask):
    cells = {"target": '"Er sagte: ""<v>Ja</v>.""', "source": '"""Yes."""'}
    (item,) = ask([mark(1, f"rater{i}", *MINOR, **cells) for i in (1, 2)])
    assert item.context == 'Source (English): "Yes."\nTranslation (German): "Er sagte: ""Ja.""'
    cells["target"] += '"'
    (item,) = ask([mark(1, f"rater{i}", *MINOR, **cells) for i in (1, 2)])
    assert item.context.endswith('(German): Er sagte: "Ja."')


@pytest.mark.parametrize("system", ["Human-A.0", "Human-P.0", "ref", "refA"])
def test_human_translations_are_left_out(ask, system):
    assert ask([mark(1, f"rater{i}", system=system) for i in (1, 2)]) == []


def test_a_missing_column_is_named(tmp_path):
    path = tmp_path / "marks.tsv"
    path.write_text("system\tdoc\tseg_id\trater\tsource\ttarget\n")
    with pytest.raises(DataError, match=r"marks\.tsv has no column category, severity; its col"):
        list(CONVERTERS["wmt2020_ende"]([path]))
