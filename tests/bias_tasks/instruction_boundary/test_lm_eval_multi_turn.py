"""Multi-turn in lm-eval: one run per round, joined by the logged samples of the first run."""

import json
import shutil

import pytest

from bias_tasks.instruction_boundary.prompts.render import render_next_round
from tests.bias_tasks.builders import questions
from tests.bias_tasks.harness_runs import gold, load, log, run, values

FIRST = "ib_multi_turn_judging_round1"
SECOND = "ib_multi_turn_judging"
SYNTHETIC = {"data": "synthetic", "n": 6}


def unsure(doc):
    return f"Final Answer: Unknown\n\nfor now, about {doc['id']}"


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """The first round's samples file, logged once."""
    results = run([FIRST], unsure, **SYNTHETIC)
    return log(results, FIRST, tmp_path_factory.mktemp("round1"))


@pytest.fixture
def changed_copy(logged, tmp_path):
    """A copy of the first round's folder whose rows are changed by a function."""

    def copied(change):
        folder = shutil.copytree(logged.parent, tmp_path / "out", dirs_exist_ok=True)
        rows = [json.loads(line) for line in logged.read_text(encoding="utf-8").splitlines()]
        lines = [row if isinstance(row, str) else json.dumps(row) for row in change(rows)]
        (folder / logged.name).write_text("\n".join(lines), encoding="utf-8")
        return str(folder)

    return copied


def test_the_second_round_quotes_each_answer_and_prompts_the_baseline_once(logged):
    results = run([SECOND], gold, **SYNTHETIC, first_round=str(logged.parent))
    samples = results["samples"][SECOND]
    by_id = {q.id: q for q in questions("multi_turn", **SYNTHETIC, form="judging")}
    assert len(samples) == len(by_id) == 12
    for sample in samples:
        question = by_id[sample["doc"]["id"]]
        prompt = sample["arguments"][0][0]
        if question.variant == "multi_turn":
            source = question.source
            assert prompt == render_next_round(source.item, source.params, unsure(sample["doc"]))
        else:
            assert prompt == question.prompt
    metrics = values(results, SECOND)
    assert metrics["judging/acc"] == metrics["vanilla/judging/acc"] == 1
    assert metrics["delta_acc_n"] == 6
    # The first answers are all Unknown, the last ones all gold; the table shows the change too.
    assert metrics["delta_round"] == pytest.approx(4 / 6)
    assert metrics["judging/transition/Unknown_to_True"] == pytest.approx(2 / 6)
    assert "delta_round,none" in results["results"][SECOND]


def test_a_third_round_is_compared_with_the_first(logged, tmp_path):
    second = run([SECOND], lambda doc: "Final Answer: 2", **SYNTHETIC, first_round=str(logged))
    path = log(second, SECOND, tmp_path)
    third = run([SECOND], lambda doc: "Final Answer: 1", **SYNTHETIC, first_round=str(path))
    metrics = values(third, SECOND)
    assert metrics["judging/transition/Unknown_to_True"] == 1


def test_a_dialogue_needs_inspect():
    for task in (FIRST, SECOND):
        with pytest.raises(ValueError, match="a dialogue needs Inspect"):
            load(task, **SYNTHETIC, dialogue=True)


def test_without_a_first_round_the_error_names_the_first_command():
    with pytest.raises(ValueError, match="run the first round before it") as caught:
        load(SECOND, **SYNTHETIC)
    parameters = json.dumps(SYNTHETIC)
    command = (
        f"lm_eval --tasks {FIRST} --metadata '{parameters}' --log_samples --output_path {FIRST}\n"
    )
    assert command in str(caught.value)
    assert json.dumps({**SYNTHETIC, "first_round": FIRST}) in str(caught.value)


def test_logged_samples_of_another_run_are_refused(logged, changed_copy):
    def reword(rows):
        rows[2]["doc"]["first"] = "another item's"
        return rows

    last = load(FIRST, **SYNTHETIC).task_docs[5]["id"]
    for change, message in (
        (lambda rows: rows[:-1], f"lacks 1 of the samples: {last}; .*and use n there"),
        (reword, "run with other items or parameters for 1 of the samples"),
        (lambda rows: [*rows, "{"], "line 7: not a logged sample"),
        (lambda rows: [*rows, '{"doc": 3}'], "line 7: not a logged sample"),
        (lambda rows: [*rows, '{"doc": {"question": "{}"}, "resps": [["x"]]}'], "line 7: not a"),
    ):
        with pytest.raises(ValueError, match=message):
            load(SECOND, **SYNTHETIC, first_round=changed_copy(change))
    with pytest.raises(ValueError, match="other items or parameters for 6"):
        load(SECOND, **SYNTHETIC, first_round=str(logged), protocol="published")
    with pytest.raises(ValueError, match="did that run have --log_samples"):
        load("ib_multi_turn_choice", **SYNTHETIC, first_round=str(logged.parent))
    with pytest.raises(ValueError, match="no such file or folder"):
        load(SECOND, **SYNTHETIC, first_round=str(logged.parent / "nowhere"))
