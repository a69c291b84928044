"""Multi-turn through lm-eval: one run a round, joined by the samples that the first one logged."""

import json
import shutil

import pytest

from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.prompts.ask import ask_again
from tests.bias_tasks.harness_runs import gold, load, log, run, values

FIRST = "ib_multi_turn_judging_round1"
SECOND = "ib_multi_turn_judging"
SYNTHETIC = {"data": "synthetic", "n": 6}


def asked(rounds=2):
    """What Inspect asks, by its id."""
    values = FAMILY.tasks["multi_turn"].values({**SYNTHETIC, "form": "judging", "rounds": rounds})
    return {each.id: each for each in FAMILY.plan("multi_turn", values).questions}


def unsure(doc):
    return f"Final Answer: Unknown, says {doc['id']}\n\nfor now"


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """The first round's samples file, logged once."""
    results = run([FIRST], unsure, **SYNTHETIC)
    return log(results, FIRST, tmp_path_factory.mktemp("round1"))


@pytest.fixture
def spoilt(logged, tmp_path):
    """A copy of the first round's folder whose rows are changed by a function."""

    def copied(change):
        folder = shutil.copytree(logged.parent, tmp_path / "out", dirs_exist_ok=True)
        rows = [json.loads(line) for line in logged.read_text(encoding="utf-8").splitlines()]
        lines = [each if isinstance(each, str) else json.dumps(each) for each in change(rows)]
        (folder / logged.name).write_text("\n".join(lines), encoding="utf-8")
        return str(folder)

    return copied


def test_the_second_round_shows_each_answer_again_and_the_twin_once(logged):
    results = run([SECOND], gold, **SYNTHETIC, first_round=str(logged.parent))
    samples = results["samples"][SECOND]
    questions = asked()
    assert len(samples) == len(questions) == 12
    for sample in samples:
        question = questions[sample["doc"]["id"]]
        prompt = sample["arguments"][0][0]
        if question.variant == "multi_turn":
            source = question.source
            assert prompt == ask_again(source.item, source.params, unsure(sample["doc"]))
        else:
            assert prompt == question.prompt
    figures = values(results, SECOND)
    assert figures["judging/acc"] == figures["vanilla/judging/acc"] == 1
    assert figures["delta_acc_n"] == 6


def test_without_a_first_round_the_error_is_the_first_command():
    with pytest.raises(ValueError, match="ask for those first") as caught:
        load(SECOND, **SYNTHETIC)
    given = json.dumps(SYNTHETIC)
    command = f"lm_eval --tasks {FIRST} --metadata '{given}' --log_samples --output_path {FIRST}\n"
    assert command in str(caught.value)
    assert json.dumps({**SYNTHETIC, "first_round": FIRST}) in str(caught.value)


def test_what_was_logged_must_fit(logged, spoilt):
    def reword(rows):
        rows[2]["doc"]["first"] = "another item's"
        return rows

    last = load(FIRST, **SYNTHETIC).task_docs[5]["id"]
    for change, told in (
        (lambda rows: rows[:-1], f"lacks 1 of the samples: {last}; .*and n there"),
        (reword, "asked with other items or parameters under 1 of the samples"),
        (lambda rows: [*rows, "{"], "line 7: not a logged sample"),
        (lambda rows: [*rows, '{"doc": 3}'], "line 7: not a logged sample"),
        (lambda rows: [*rows, '{"doc": {"question": "{}"}, "resps": [["x"]]}'], "line 7: not a"),
    ):
        with pytest.raises(ValueError, match=told):
            load(SECOND, **SYNTHETIC, first_round=spoilt(change))
    with pytest.raises(ValueError, match="other items or parameters under 6"):
        load(SECOND, **SYNTHETIC, first_round=str(logged), protocol="published")
    with pytest.raises(ValueError, match="did that run have --log_samples"):
        load("ib_multi_turn_choice", **SYNTHETIC, first_round=str(logged.parent))
    with pytest.raises(ValueError, match="no such file or folder"):
        load(SECOND, **SYNTHETIC, first_round=str(logged.parent / "nowhere"))
