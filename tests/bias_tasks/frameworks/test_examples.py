"""The example files run as the pages say in Inspect; their own columns reach the logs.

`test_page_commands.py` runs the pages' commands of lm-eval.
"""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

import bias_tasks
from bias_tasks.families import FAMILY_NAMES
from tests.bias_tasks.inspect_runs import evaluate, values
from tests.bias_tasks.paper_coverage import ROOT

PAGES = {name: (ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in FAMILY_NAMES}
SHOWN = [
    shlex.split(line)
    for page in PAGES.values()
    for line in re.findall(r"^inspect eval .*examples/.*$", page, re.M)
]
# The page of ComplexEval names the files of these tasks without a command.
NAMED = [
    shlex.split(
        f"inspect eval bias_tasks/complexeval_{kind} -T data=examples/complex_eval_{kind}.jsonl "
        "--model simulated/fair_judge"
    )
    for kind in ("math", "role_playing", "writing")
]


def options(words, flag):
    """The values that follow a flag."""
    return [value for given, value in pairwise(words) if given == flag]


def example(path):
    return str(ROOT / path) if str(path).startswith("examples/") else path


@pytest.mark.parametrize("words", SHOWN + NAMED, ids=lambda words: " ".join(words[2:5]))
def test_inspect_runs_what_is_shown(words, tmp_path):
    name = words[2].removeprefix("bias_tasks/")
    given = dict(value.split("=", 1) for value in options(words, "-T"))
    task = getattr(bias_tasks, name)(**{key: example(value) for key, value in given.items()})
    # A real judge's place is taken by a simulated one.
    model = re.sub("^openai/.*", "simulated/fair_judge", options(words, "--model")[0])
    log = evaluate(task, tmp_path, model)
    assert not any(sample.error for sample in log.samples)
    assert all(sample.metadata["columns"] for sample in log.samples)
    record = log.eval.metadata["bias_tasks"]
    # On one's own data nobody compares with the paper; solutions in this layout bring no attack,
    # and some responses are too short for an edit.
    assert [note for note in record["notes"] if not EXPECTED_NOTE.search(note)] == []
    (source,) = [each for each in record["provenance"] if each.get("source") == "file"]
    asked = {sample.id.split("/")[0] for sample in log.samples}
    assert len(asked) == source["n"] == len(task_items(record, source))
    if options(words, "--model") == ["simulated/perfect"]:
        right = {n: value for n, value in values(log).items() if PERFECT.fullmatch(n)}
        assert right
        assert set(right.values()) == {1.0}


EXPECTED_NOTE = re.compile(r"no attacked response|^items without a probe: .*\(too little prose\)$")

PERFECT = re.compile(r"f1|prc|nrc|arc|sc|(judging|choice)/acc|(fi|sys)/[a-z]+|score/baseline")
"""Figures that are 1 where every answer is right."""


def task_items(record, source):
    """The rows of the file that the task could ask about, which is all but those left out."""
    lines = Path(source["path"]).read_text(encoding="utf-8").splitlines()
    rows = lines[1:] if source["path"].endswith(".csv") else lines
    return rows[source.get("left_out", 0) :]
