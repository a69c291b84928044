"""The example files run as the pages say, through both hosts; their own columns reach the logs."""

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

import bias_tasks
from bias_tasks.families import FAMILY_NAMES
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.harness_runs import run
from tests.bias_tasks.inspect_runs import values

ROOT = Path(__file__).parents[3]
PAGES = {name: (ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in FAMILY_NAMES}
SHOWN = [
    shlex.split(line)
    for page in PAGES.values()
    for line in re.findall(r"^(?:inspect eval|lm_eval) .*examples/.*$", page, re.M)
]
# The page of ComplexEval names the files of these tasks without a command.
NAMED = [
    shlex.split(
        f"inspect eval bias_tasks/complexeval_{kind} -T data=examples/complex_eval_{kind}.jsonl "
        "--model simulated/fair_judge"
    )
    for kind in ("math", "role_playing", "writing")
]
IN_INSPECT = [words for words in SHOWN if words[0] == "inspect"] + NAMED
IN_LM_EVAL = [words for words in SHOWN if words[0] == "lm_eval"]


def options(words, flag):
    """The values that follow a flag."""
    return [value for given, value in pairwise(words) if given == flag]


def example(path):
    return str(ROOT / path) if str(path).startswith("examples/") else path


@pytest.mark.parametrize("words", IN_INSPECT, ids=lambda words: " ".join(words[2:5]))
def test_inspect_runs_what_is_shown(words, tmp_path):
    name = words[2].removeprefix("bias_tasks/")
    given = dict(value.split("=", 1) for value in options(words, "-T"))
    task = getattr(bias_tasks, name)(**{key: example(value) for key, value in given.items()})
    [log] = inspect_eval(
        task,
        # A real judge's place is taken by a simulated one.
        model=re.sub("^openai/.*", "simulated/fair_judge", options(words, "--model")[0]),
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    assert not any(sample.error for sample in log.samples)
    assert all(sample.metadata["columns"] for sample in log.samples)
    record = log.eval.metadata["bias_tasks"]
    # On one's own data nobody compares with the paper; solutions in this layout bring no attack.
    assert [note for note in record["notes"] if "no attacked response" not in note] == []
    (source,) = [each for each in record["provenance"] if each.get("source") == "file"]
    asked = {sample.id.split("/")[0] for sample in log.samples}
    assert len(asked) == source["n"] == len(task_items(record, source))
    if options(words, "--model") == ["simulated/perfect"]:
        right = {n: value for n, value in values(log).items() if PERFECT.fullmatch(n)}
        assert right
        assert set(right.values()) == {1.0}


PERFECT = re.compile(r"f1|prc|nrc|arc|sc|(judging|choice)/acc|(fi|sys)/[a-z]+|score/baseline")
"""Figures that are 1 where every answer is right."""


def task_items(record, source):
    """The rows of the file that the task could ask about, which is all but those left out."""
    lines = Path(source["path"]).read_text(encoding="utf-8").splitlines()
    rows = lines[1:] if source["path"].endswith(".csv") else lines
    return rows[source.get("left_out", 0) :]


@pytest.mark.parametrize("words", IN_LM_EVAL, ids=lambda words: words[2])
def test_the_harness_runs_what_is_shown(words):
    [task], [given] = options(words, "--tasks"), options(words, "--metadata")
    metadata = {key: example(value) for key, value in json.loads(given).items()}
    persona = "fair_judge" if task.startswith("complexeval") else "perfect"
    results = run([task], SimulatedLM(persona), **metadata)
    (samples,) = results["samples"].values()
    assert samples
    for sample in samples:
        assert json.loads(sample["doc"]["scoring_data"])["columns"]
