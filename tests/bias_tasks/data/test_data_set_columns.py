"""Rows of common data sets, with the columns that these have, are the items that they mean."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.binary_qa.data.files import read_binary_file
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.data.files import read_file
from tests.bias_tasks.data.tables import KINDS, write_table

PAGE = Path("docs/own_data.md")
QUESTION = "Which gas do plants take in?"
GASES = ["oxygen", "carbon dioxide", "helium", "argon"]


FILES = yaml.safe_load(Path(__file__).with_name("user_files.yaml").read_text(encoding="utf-8"))
CHOICES = FILES["data_sets"]
RIGHT = "carbon dioxide"
BOOLQ = {"question": "do plants take in oxygen", "passage": "Plants take in CO2.", "answer": False}
PUBMEDQA = {
    "pubid": 1,
    "question": "Do plants sleep?",
    "context": {"contexts": ["We watched plants.", "They did."], "labels": ["A", "B"]},
    "final_decision": "yes",
}


def write(folder, rows, kind):
    return write_table(folder / f"rows.{kind}", rows)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CHOICES)
def test_choices(tmp_path, name, kind):
    [item], _ = read_file(write(tmp_path, [CHOICES[name]], kind))
    assert item.question == QUESTION
    assert [item.options[position] for position in item.answer] == [RIGHT]
    assert set(item.options) <= {*GASES}
    assert set(item.columns) <= {"question_id", "question_concept", "subject"}


@pytest.mark.parametrize("kind", KINDS)
def test_yes_and_no_with_their_passage(tmp_path, kind):
    path = write(tmp_path, [BOOLQ], kind)
    for read, answer in (read_binary_file, "No"), (read_file, "False"):
        [item], _ = read(path)
        assert (item.context, item.answer, item.columns) == (BOOLQ["passage"], answer, {})
    path = write(tmp_path, [PUBMEDQA], kind)
    [item], _ = read_binary_file(path)
    assert (item.context, item.answer) == ("We watched plants.\nThey did.", "Yes")
    [item], _ = read_file(path)
    assert item.context == "We watched plants.\nThey did."
    assert (item.options, item.answer) == (("yes", "no", "maybe"), (0,))


def test_every_data_set_of_the_table_is_tested_and_on_the_page():
    names = read_yaml("bias_tasks.data", "data_set_columns")
    text = PAGE.read_text(encoding="utf-8")
    for name in ("BoolQ", "PubMedQA", *CHOICES):
        assert any(name.partition(",")[0] in known for known in names)
        assert name.partition(",")[0] in text
    assert len(names) == 9


def test_the_order_does_not_say_which_option_is_correct(tmp_path):
    rows = [{**CHOICES["GPQA"], "Question": f"Gas {number}?"} for number in range(40)]
    items, _ = read_file(write(tmp_path, rows, "jsonl"))
    assert {item.answer for item in items} == {(0,), (1,), (2,), (3,)}
    rows = [{**row, "Incorrect Answer 1": "None of the above"} for row in rows]
    items, _ = read_file(write(tmp_path, rows, "jsonl"))
    assert {item.options[-1] for item in items} == {"None of the above"}


def test_a_position_that_a_data_set_defines_is_not_a_text_or_yes_or_no(tmp_path):
    digits = {**CHOICES["MMLU"], "choices": ["0", "1", "2", "3"], "answer": 3}
    two = {**CHOICES["MMLU"], "choices": ["no", "yes"], "answer": 0}
    shifted = {**CHOICES["MMLU"], "choices": ["1", "2", "3", "4"], "answer": 3}
    items, _ = read_file(write(tmp_path, [digits, two, shifted], "jsonl"))
    assert [item.answer for item in items] == [(3,), (0,), (3,)]


def test_a_files_own_columns_come_first(tmp_path):
    row = {**BOOLQ, "context": "It rains."}
    [item], _ = read_binary_file(write(tmp_path, [row], "jsonl"))
    assert (item.context, item.columns) == ("It rains.", {"passage": BOOLQ["passage"]})


def test_keys_of_both_kinds_in_one_file(tmp_path):
    """The rows' own keys decide; without these `1` may be either of two options."""
    letters, numbers = CHOICES["ARC"], CHOICES["ARC, numbers"]
    numbers = {**numbers, "question": "Which gas is in the air?", "answerKey": "1"}
    items, _ = read_file(write(tmp_path, [letters, numbers], "jsonl"))
    assert [item.answer for item in items] == [(1,), (0,)]
    flat = [{"question": f"{n}?", "options": GASES, "answer": a} for n, a in enumerate("BC1")]
    for kind in KINDS:
        path = write(tmp_path, flat, kind)
        with pytest.raises(DataError) as raised:
            read_file(path)
        assert str(raised.value) == (
            f"{path}: row 3: column answer: '1' may be the option at position 1, counted from 0, "
            "or option 1, counted from 1, since row 1 names its option by a letter: write the "
            "option's letter"
        )
    # Positions alone are positions, and a number of JSON is one whatever other rows have.
    for rows in (
        [{**row, "answer": "1"} for row in flat],
        [*flat[:2], {**flat[2], "answer": 1}],
        [*flat[:2], {**flat[2], "options": ["a", "12", "b"], "answer": "12"}],
    ):
        items, _ = read_file(write(tmp_path, rows, "jsonl"))
        assert items[2].answer == (1,)
