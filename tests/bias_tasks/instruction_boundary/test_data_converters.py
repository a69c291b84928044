"""Records of the data sets whose files are not at hand, and repeats."""

import json
from dataclasses import replace

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.instruction_boundary.data.converters import fld, folio, ib_judging
from bias_tasks.instruction_boundary.data.load import settle_repeats, take_subset
from bias_tasks.instruction_boundary.items import JudgingItem

PROOF = {"Facts": "Socrates is a man.", "Conclusion": "Socrates is mortal.", "extra": 1}
FLD = {"hypothesis": "It is so.", "context": "sent1: It is.", "world_assump_label": "PROVED"}


def _json(tmp_path, records):
    path = tmp_path / "records.json"
    path.write_text(json.dumps(records))
    return [path]


def _jsonl(tmp_path, *records):
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return [path]


@pytest.mark.parametrize(
    ("printed", "label"),
    [("__PROVED__", "True"), ("__DISPROVED__", "False"), ("__UNKNOWN__", "Unknown")],
)
def test_ib_judging(tmp_path, printed, label):
    (item,) = ib_judging(_json(tmp_path, [PROOF | {"proof_label": printed}]))
    assert (item.context, item.question) == ("Socrates is a man.", "Socrates is mortal.")
    assert (item.answer, item.source) == (label, "ib_judging")


def test_unknown_columns_are_named(tmp_path):
    with pytest.raises(DataError, match=r"proof_label.*Facts, Conclusion, extra"):
        list(ib_judging(_json(tmp_path, [PROOF])))


def test_an_unknown_label_is_named(tmp_path):
    with pytest.raises(DataError, match=r"PROVED, DISPROVED, UNKNOWN.*'MAYBE'"):
        list(ib_judging(_json(tmp_path, [PROOF | {"proof_label": "MAYBE"}])))


@pytest.mark.parametrize("content", [{"rows": []}, [["a"]], "text"])
def test_another_structure_is_named(tmp_path, content):
    with pytest.raises(DataError, match=r"records\.json: expected a list of records, found"):
        list(ib_judging(_json(tmp_path, content)))


def test_fld_under_the_names_of_either_version(tmp_path):
    facts = {key: value for key, value in FLD.items() if key != "context"} | {"facts": "x"}
    proof = {"hypothesis": "h", "facts": "x", "proof_label": "__UNKNOWN__"}
    first, second, third = fld(_jsonl(tmp_path, FLD, facts, proof))
    assert (first.context, first.question, first.answer) == ("sent1: It is.", "It is so.", "True")
    assert (second.context, second.answer) == ("x", "True")
    assert third.answer == "Unknown"
    assert second.cluster == third.cluster != first.cluster


def test_fld_without_a_column(tmp_path):
    with pytest.raises(DataError, match="context or facts; the record's columns are hypothesis"):
        list(fld(_jsonl(tmp_path, {"hypothesis": "h", "proof_label": "PROVED"})))


@pytest.mark.parametrize("printed", ["Unknown", "Uncertain"])
def test_folio_spells_unknown_in_two_ways(tmp_path, printed):
    record = {"premises": ["a ", "b"], "conclusion": "c", "label": printed}
    (item,) = folio(_jsonl(tmp_path, record))
    assert (item.context, item.answer) == ("a\nb", "Unknown")


ITEM = JudgingItem("s-1", "facts", "statement", "True", "s", "s-c")
OTHER = replace(ITEM, id="s-2", question="another")


def test_repeats_are_kept_once_or_marked():
    items = [ITEM, OTHER, ITEM, ITEM]
    assert settle_repeats(items, "corrected") == [ITEM, OTHER]
    published = settle_repeats(items, "published")
    assert [item.id for item in published] == ["s-1", "s-2", "s-1~2", "s-1~3"]
    assert {item.cluster for item in published} == {"s-c"}


@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_a_repeat_with_another_answer_is_an_error(protocol):
    with pytest.raises(DataError, match="s-3: the same question occurs with another answer"):
        settle_repeats([ITEM, replace(ITEM, id="s-3", answer="False")], protocol)


def test_a_subset_follows_the_ids_alone():
    items = [replace(ITEM, id=f"s-{i}", answer="False" if i % 2 else "True") for i in range(10)]
    ids = [item.id for item in take_subset(reversed(items), {"True": 2, "False": 1})]
    assert ids == ["s-0", "s-2", "s-1"]
    with pytest.raises(DataError, match="6 items with the label True are wanted, 5 are there"):
        take_subset(items, {"True": 6})
