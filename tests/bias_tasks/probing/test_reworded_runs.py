"""Rewordings of a file, asked and scored in both hosts."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.record import RECORD
from bias_tasks.simulated.sums import FRAME, backwards
from tests.bias_tasks.harness_runs import values
from tests.bias_tasks.inspect_runs import values as inspect_values
from tests.bias_tasks.probing import harness_tasks
from tests.bias_tasks.probing.harness_tasks import Scripted, write
from tests.bias_tasks.probing.probed import knows, own, run

LETTERED = own("lettered_choices")
TURNED = backwards("field extension")


@pytest.fixture
def made(tmp_path):
    """Makes the file of a task."""

    def make(task, *more):
        out = tmp_path / "made.jsonl"
        given = ("--language", "German", "--model", "simulated/rewriter", "--display", "none")
        words = ("reword", task, "--out", out, *given, *more)
        done = CliRunner().invoke(main, [str(word) for word in words])
        assert done.exit_code == 0, done.output
        return str(out)

    return make


def read_rows(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def shy(messages):
    """Knows the right choice, but where it is not asked in the items' own words."""
    prompt = messages[-1].text
    return (
        "ANSWER: Z"
        if FRAME in prompt or "hcihW" in prompt or "Hcihw" in prompt
        else knows(messages)
    )


def test_inspect_asks_what_the_file_says_and_the_tasks_own_scorer_scores(tmp_path, made):
    path = made(LETTERED)
    log = run(LETTERED, shy, tmp_path / "l", probes="paraphrase,language", rewordings=path)
    found = inspect_values(log)
    assert found["score/plain"] == 1
    assert found["lost/language"] == pytest.approx(5 / 6)  # one begins with "Is"
    assert found["lost/paraphrase"] == pytest.approx(5 / 6)  # the same one, by the grammar
    inputs = {each.id: each.input for each in log.samples}
    assert inputs["q1/language"] == backwards(inputs["q1/plain"])
    assert inputs["q1/paraphrase"].startswith(f"{FRAME} which of these metals")
    choices = {each.id: each.choices for each in log.samples}
    assert choices["q1/language"] == choices["q1/plain"]
    notes = log.eval.metadata[RECORD]["notes"]
    assert f"language (German): 6 by simulated/rewriter, of {path}" in notes


def test_the_harness_asks_what_the_file_says(tmp_path, made):
    task = write(tmp_path, "mmlu", 4)
    path = made(str(task), "--host", "lm-eval")

    def likelihood(context, continuation):
        own_words = FRAME not in context and TURNED not in context
        return -len(continuation) if own_words else -1 if continuation.strip() == "D" else -2

    model = Scripted(likelihood)
    given = {"probes": "paraphrase,language", "rewordings": path, "n": "all"}
    results = harness_tasks.run(tmp_path, "mmlu", model, **given)
    found = values(results, "bias_probe")
    assert found["score/plain"] == 0.25  # all are alike, and the first counts
    assert found["lost/language"] == found["lost/paraphrase"] == 0.25
    assert found["gained/language"] == 0.25
    contexts = {context for context, _ in model.asked}
    assert sum(FRAME in each for each in contexts) == 4
    assert all("\nA. red granite" in each for each in contexts if f"{TURNED} 0." in each)
    notes = results["configs"]["bias_probe"]["metadata"][RECORD]["notes"]
    assert any(note.startswith("language (German): 4 by simulated/rewriter") for note in notes)


def test_the_harness_refuses_what_inspect_refuses(tmp_path, made):
    task = write(tmp_path, "arc_easy", 4)
    path = made(str(task), "--host", "lm-eval")
    write(tmp_path, "mmlu", 4)
    model = Scripted(lambda *_: 0)
    with pytest.raises(ValueError, match="mmlu has no item 'arc_easy-0'"):
        harness_tasks.run(tmp_path, "mmlu", model, rewordings=path)
    with pytest.raises(ValueError, match="language needs a file of translations"):
        harness_tasks.run(tmp_path, "mmlu", model, probes="language")
    assert not model.asked
