"""What of a file of rewordings is asked: what was made, what a reviewer edits and decides."""

import json

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.names import digest
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import plan_probes
from bias_tasks.probing.probes import chosen_probes
from bias_tasks.probing.rewordings import item_digest, read_rewordings

ITEM = ProbedItem("i/1", "  What is the sum of 17 and 25?\n", ("forty", "forty-two"), (1,), "B")
FREE = ProbedItem("f", "Who wrote the book on the 3 hills?", target="Anna")
GOOD = "Adding 17 to 25 gives which figure?"


def row(item=ITEM, kind="paraphrase", reworded=GOOD, **changed):
    made = {"item": item.id, "kind": kind, "digest": item_digest(item), "reworded": reworded}
    if kind == "language":
        made["language"] = "German"
    made |= {"made": digest(reworded), "checks": {"form": "passed"}, "by": "model", "model": "m"}
    return made | changed


def written(folder, *rows):
    path = folder / "r.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return read_rewordings(str(path))


def planned(rewordings, *items, probes="paraphrase"):
    chosen = chosen_probes(probes, rewordings=rewordings)
    return plan_probes(items or (ITEM,), chosen, repeats=1, seed=0, rewordings=rewordings)


def refused(rewordings, *items):
    [(_, reason)] = planned(rewordings, *items).refused
    return reason


def test_the_text_stands_between_the_blanks_of_its_original(tmp_path):
    made = planned(written(tmp_path, row())).questions[-1]
    assert (made.id, made.asked.text) == ("i/1/paraphrase", f"  {GOOD}\n")


def test_a_row_that_failed_is_kept_and_not_asked(tmp_path):
    failed = row(checks={"form": "passed", "numbers": "it lost '25'"})
    assert refused(written(tmp_path, failed)) == "its rewording fails 'numbers'"
    empty = row(reworded=None, made=None, checks={"form": "it is empty"})
    assert refused(written(tmp_path, empty)) == "no rewording of it was made (form)"


def test_a_reviewer_decides(tmp_path):
    failed = row(checks={"numbers": "it lost '25'"}, approved=True)
    plan = planned(written(tmp_path, failed))
    assert plan.questions[-1].asked.text.strip() == GOOD
    assert plan.notes[1] == (
        "paraphrase: 1 are asked since their reviewer approved them, though checks speak against "
        "them: i/1"
    )
    assert refused(written(tmp_path, row(approved=False))) == "its reviewer did not approve it"


def test_an_edited_text_is_checked_anew_unless_it_is_approved(tmp_path):
    stale = {"numbers": "it lost '25'"}
    better = row(checks=stale) | {"reworded": "17 and 25 come to what when they are added?"}
    plan = planned(written(tmp_path, better))
    assert plan.questions[-1].asked.text.strip() == better["reworded"]
    assert plan.notes == (f"paraphrase: 1 by hand, of {tmp_path / 'r.jsonl'}",)
    worse = row() | {"reworded": "What do you get from adding 17?"}
    told = "its rewording, as it was edited, fails 'numbers'"
    assert refused(written(tmp_path, worse)) == told
    assert planned(written(tmp_path, worse | {"approved": True})).questions[-1].asked.text


def test_a_row_written_by_hand_needs_four_columns(tmp_path):
    known = {name: row()[name] for name in ("item", "kind", "digest", "reworded")}
    assert planned(written(tmp_path, known)).questions[-1].variant == "paraphrase"


def test_the_grammar_rewords_what_has_no_row(tmp_path):
    easy = ProbedItem("e", "Is the old ship famous?", target="yes")
    plan = planned(written(tmp_path, row()), ITEM, easy)
    asked = {each.item.id for each in plan.questions if each.variant == "paraphrase"}
    assert asked == {"i/1", "e"}
    without = planned(written(tmp_path, row()), FREE)
    [(_, reason)] = without.refused
    assert reason == "the grammar can't reword it, and the file has no rewording of it"


def test_an_answer_in_the_originals_words_is_asked_for_in_its_language(tmp_path):
    free = row(FREE, "language", "Wer schrieb das Buch auf den 3 Hügeln?")
    choices = row(ITEM, "language", "Was ergibt 17 plus 25?")
    plan = planned(written(tmp_path, free, choices), FREE, ITEM, probes="language")
    asked = {e.item.id: e.asked for e in plan.questions if e.variant == "language"}
    assert asked["f"].ending == "Give your final answer in English."
    assert asked["i/1"].ending == ""
    compared = ProbedItem("f", FREE.text, right=(0,), target="Anna")
    found = planned(written(tmp_path, free), compared, probes="language").questions[-1].asked
    assert (found.text, found.ending) == (free["reworded"], "")
    assert asked["i/1"].text == "  Was ergibt 17 plus 25?\n"
    assert plan.notes[0].startswith("language (German): 2 by m, of ")


def test_without_translations_the_probe_is_refused_by_name_and_left_out_of_all(tmp_path):
    for rewordings in (None, written(tmp_path, row())):
        with pytest.raises(ValueError, match=r"language needs .*bias-tasks reword TASK"):
            chosen_probes("language", rewordings=rewordings)
        every = [each.name for each in chosen_probes(None, rewordings=rewordings)]
        assert "language" not in every
        assert "paraphrase" in every
    with pytest.raises(ValueError, match="rewordings: none of the probes takes them"):
        chosen_probes("order,typo", rewordings=written(tmp_path, row()))


def test_rows_of_other_items_are_refused_by_name(tmp_path):
    found = written(tmp_path, row(task="mine.py@sums"))
    found.check_items(["i/1", "f"], [ITEM], "mine.py@sums")
    with pytest.raises(ValueError, match=r"made from mine.py@sums: other has no item 'i/1'"):
        found.check_items(["f"], [FREE], "other")
    changed = ProbedItem("i/1", ITEM.text, ("forty", "two"))
    with pytest.raises(ValueError, match="item 'i/1' has another text or other choices in mine"):
        found.check_items(["i/1"], [changed], "mine.py@sums")
    with pytest.raises(ValueError, match="no row of an item that is asked: make it with the same"):
        found.check_items(["i/1", "f"], [FREE], "mine.py@sums")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((row(), row()), "line 2: the paraphrase of item 'i/1' stands in line 1 already"),
        ((row(kind="synonym"),), "column kind: expected 'paraphrase' or 'language'"),
        ((row(approved="yes"),), "column approved: expected a valid boolean"),
        ((row(digest=None),), "column digest: expected a value, found nothing"),
        ((row(kind="language") | {"language": None},), "column language: expected a language"),
        (([1],), "line 1"),
        ((), "it holds no row"),
    ],
)
def test_wrong_rows_are_named(tmp_path, rows, told):
    with pytest.raises(DataError, match=told.replace("(", "\\(")):
        written(tmp_path, *rows)


def test_a_file_that_is_not_there_or_no_jsonl_is_named(tmp_path):
    with pytest.raises(DataError, match="there is no such file; `bias-tasks reword"):
        read_rewordings(str(tmp_path / "none.jsonl"))
    with pytest.raises(DataError, match=r"expected a \.jsonl file"):
        read_rewordings("rows.csv")
    (tmp_path / "d.jsonl").mkdir()
    with pytest.raises(DataError, match="not a file"):
        read_rewordings(str(tmp_path / "d.jsonl"))
