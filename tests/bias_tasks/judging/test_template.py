"""A judge prompt of one's own, in place of the house's."""

import hashlib

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.judging.family import FAMILY
from bias_tasks.judging.prompts.ask import PAIR, own_template, read_blocks
from bias_tasks.record import run_record

OWN = "Q: {prompt}\nFirst: {response_a}\nSecond: {response_b}\n[[A]], [[B]] or [[C]]. { braces }\n"


def planned(task="judge_pairwise", **given):
    values = FAMILY.tasks[task].values({"data": "synthetic", "n": 2, **given})
    return run_record(FAMILY, task, values, plan := FAMILY.plan(task, values)), plan


def written(folder, text, name="own.txt"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_it_asks_what_the_file_says_and_the_record_knows_the_file(tmp_path):
    path = written(tmp_path, OWN)
    record, plan = planned(template=path)
    first = plan.questions[0]
    assert first.prompt.startswith(f"Q: {first.known[0].prompt}\nFirst: ")
    assert first.prompt.endswith("[[B]] or [[C]]. { braces }")
    [of_template] = [each for each in record["provenance"] if each["source"] == "template"]
    assert of_template["sha256"] == hashlib.sha256(OWN.encode()).hexdigest()
    written(tmp_path, OWN.replace("Q:", "Question:"))
    other, _ = planned(template=path)
    assert other["digest"] != record["digest"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{prompt} {response_a}", "lacks {response_b}"),
        ("", "lacks {prompt}"),
        (OWN + "{respnse_a}", "{respnse_a} is no slot (did you mean 'response_a'?)"),
        (b"\xff{prompt}", "it is not UTF-8"),
    ],
)
def test_a_file_that_does_not_fit_is_one_clear_error(text, message, tmp_path):
    with pytest.raises(DataError) as error:
        own_template(written(tmp_path, text), PAIR)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_one_clear_error(tmp_path):
    with pytest.raises(DataError, match=r"cannot read .*nowhere.txt: No such file"):
        planned(template=str(tmp_path / "nowhere.txt"))
    with pytest.raises(DataError, match="it is a folder"):
        planned(template=str(tmp_path))


def test_a_response_can_t_close_its_block():
    _, plan = planned()
    for question in plan.questions:
        assert set(read_blocks(question.prompt)) == set(PAIR)
    prompt = plan.questions[0].prompt
    assert read_blocks(prompt.replace("<prompt-", "<other-")) == {}


def test_nothing_but_what_is_probed_differs_between_an_item_s_prompts():
    _, plan = planned()
    plain, again, other = (
        read_blocks(next(q.prompt for q in plan.questions if q.variant == variant))
        for variant in ("plain", "repeat1", "position")
    )
    assert plain == again
    assert (plain["response_a"], plain["response_b"]) == (other["response_b"], other["response_a"])
    assert {q.repeats for q in plan.questions if q.variant == "repeat1"} == {True}


def test_items_that_make_no_pair_are_left_out_and_said(tmp_path):
    rows = [
        '{"prompt": "p", "response": "alone"}',
        '{"prompt": "q", "response_a": "one", "response_b": "other"}',
    ]
    data = written(tmp_path, "\n".join(rows), "rows.jsonl")
    record, plan = planned(data=data)
    assert len({question.item for question in plan.questions}) == 1
    assert len(record["notes"]) == 2
    single, _ = planned("judge_single", data=data)
    assert single["items"] == 2
    data = written(tmp_path, rows[0], "alone.jsonl")
    with pytest.raises(DataError, match="no item has two responses that differ"):
        planned(data=data)
