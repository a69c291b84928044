"""Multi-turn through lm-eval: one run a round, joined by the samples that the first one logged."""

import json
import shutil
from dataclasses import replace

import pytest

from bias_tasks.instruction_boundary.plan import question_from_dict
from bias_tasks.instruction_boundary.prompts.ask import ask_again
from tests.bias_tasks.harness_runs import gold, load, log, run, values

FIRST = "ib_multi_turn_judging_round1"
SECOND = "ib_multi_turn_judging"
SYNTHETIC = {"data": "synthetic", "n": 6}


def unsure(doc):
    return f"Final Answer: Unknown, says {doc['id']}\n\nfor now"


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """The first round's samples file, logged once."""
    results = run([FIRST], unsure, **SYNTHETIC)
    return log(results, FIRST, tmp_path_factory.mktemp("round1"))


@pytest.fixture
def first_round(logged, tmp_path):
    """A copy of the first round's output folder to spoil."""
    return shutil.copytree(logged.parent, tmp_path / "out")


def samples_file(folder):
    return next(folder.glob("samples_*.jsonl"))


def rewrite(folder, change):
    path = samples_file(folder)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines = [json.dumps(row) for row in change(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_the_second_round_shows_each_answer_again_and_the_twin_once(first_round):
    results = run([SECOND], gold, **SYNTHETIC, first_round=str(first_round))
    samples = results["samples"][SECOND]
    assert len(samples) == 12
    for sample in samples:
        question = question_from_dict(json.loads(sample["doc"]["question"]))
        prompt = sample["arguments"][0][0]
        if question.variant == "multi_turn":
            assert prompt == ask_again(question.item, question.params, unsure(sample["doc"]))
        else:
            assert prompt == question.asked().prompt
    figures = values(results, SECOND)
    assert figures["judging/acc"] == figures["vanilla/judging/acc"] == 1
    assert figures["delta_acc_n"] == 6


def test_a_third_round_goes_on_from_the_second(logged, tmp_path):
    second = run([SECOND], lambda doc: "Final Answer: True", **SYNTHETIC, first_round=str(logged))
    path = log(second, SECOND, tmp_path)
    third = load(SECOND, **SYNTHETIC, first_round=str(path))
    doc = third.task_docs[0]
    question = question_from_dict(json.loads(doc["question"]))
    assert doc["round"] == question.params.rounds == 3
    assert doc["prompt"] == ask_again(question.item, question.params, "Final Answer: True")


def test_without_a_first_round_the_error_is_the_first_command():
    with pytest.raises(ValueError, match="ask for those first") as caught:
        load(SECOND, **SYNTHETIC)
    message = str(caught.value)
    assert (
        f"lm_eval --tasks {FIRST} --metadata '{json.dumps(SYNTHETIC)}' "
        f"--log_samples --output_path {FIRST}\n"
    ) in message
    assert json.dumps({**SYNTHETIC, "first_round": FIRST}) in message


def test_missing_ids_are_listed(first_round):
    rewrite(first_round, lambda rows: rows[:-1])
    last = load(FIRST, **SYNTHETIC).task_docs[5]["id"]
    with pytest.raises(ValueError, match=f"lacks 1 of the samples: {last}; .* n in the metadata"):
        load(SECOND, **SYNTHETIC, first_round=str(first_round))


def test_other_parameters_are_named(logged):
    with pytest.raises(ValueError, match="protocol='corrected', not 'published'"):
        load(SECOND, **SYNTHETIC, first_round=str(logged), protocol="published")


def test_items_of_the_same_id_and_another_text_are_listed(first_round):
    def reword(rows):
        question = question_from_dict(json.loads(rows[2]["doc"]["question"]))
        question = replace(question, item=replace(question.item, question="Is it so?"))
        rows[2]["doc"]["question"] = json.dumps(question.to_dict())
        return rows

    rewrite(first_round, reword)
    with pytest.raises(ValueError, match="has other items than this run under 1 of the samples"):
        load(SECOND, **SYNTHETIC, first_round=str(first_round))


@pytest.mark.parametrize(
    "line", ["{", "[]", "null", '{"doc": 3}', '{"doc": {"question": "{}"}, "resps": [["x"]]}']
)
def test_a_line_that_is_no_sample_is_named(first_round, line):
    with samples_file(first_round).open("a", encoding="utf-8") as stream:
        stream.write(line)
    with pytest.raises(ValueError, match="line 7: not a logged sample"):
        load(SECOND, **SYNTHETIC, first_round=str(first_round))


def test_a_folder_needs_one_samples_file(first_round, tmp_path):
    with pytest.raises(ValueError, match="did that run have --log_samples"):
        load("ib_multi_turn_choice", **SYNTHETIC, first_round=str(first_round))
    copy = samples_file(first_round)
    shutil.copy(copy, copy.with_name(f"samples_{FIRST}_later.jsonl"))
    with pytest.raises(ValueError, match="several samples files"):
        load(SECOND, **SYNTHETIC, first_round=str(first_round))
    with pytest.raises(ValueError, match="no such file or folder"):
        load(SECOND, **SYNTHETIC, first_round=str(tmp_path / "nowhere"))
