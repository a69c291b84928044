"""The README: its commands are there, its example runs, and its figures are those of the tasks.

`tools/smoke.sh` runs the commands themselves, with the installed package.
"""

import re
import shlex
from itertools import pairwise
from types import SimpleNamespace

import pytest

from bias_tasks.commands.batch_requests.runner import parse_name_values
from bias_tasks.contract.metrics import find_metric_spec
from bias_tasks.families import FAMILY_NAMES, family_of_task, load_family
from tests.bias_tasks.paper_coverage import ROOT, check_command

README = (ROOT / "README.md").read_text(encoding="utf-8")
TASKS = (ROOT / "docs" / "tasks.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


COMMANDS = [
    line
    for block in [*blocks("sh"), *blocks("bash")]
    for line in block.replace("\\\n", " ").splitlines()
    if line not in {"make demo", "pip install ."}
]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_there_with_their_options(command):
    words = shlex.split(command)
    given = parse_name_values("-T", [value for flag, value in pairwise(words) if flag == "-T"])
    if words[0] != "inspect":
        check_command(SimpleNamespace(command=command))
    if words[:2] in (["inspect", "eval"], ["bias-tasks", "plan"]):
        task = words[2].removeprefix("bias_tasks/")
        family_of_task(task).tasks[task].values(given)


def test_the_python_example_runs(tmp_path, monkeypatch, capsys):
    [example] = blocks("python")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    exec(compile(example, "README.md", "exec"), {})
    said = capsys.readouterr().out
    assert re.search(r"conformity +moved_to_suggestion +0\.\d", said)
    assert re.search(r"vanilla +0\.\d", said)


def headlines(page):
    """The figures of a page's table of headlines, with their arrows."""
    return {
        name: arrow
        for names, arrow in re.findall(r"^\| ((?:`[\w/]+`(?:, )?)+) ([↑↓]) \|", page, re.M)
        for name in re.findall(r"`([\w/]+)`", names)
    }


def test_every_headline_says_what_its_values_mean():
    better = {
        task.headline[0]: find_metric_spec(task.headline[0], family.metrics).better
        for family in map(load_family, FAMILY_NAMES)
        for task in family.tasks.values()
    }
    arrows = {name: {"higher": "↑", "lower": "↓"}[way] for name, way in better.items()}
    assert headlines(TASKS).items() >= arrows.items()
    assert len(headlines(README)) == 7
    assert headlines(README).items() <= arrows.items()
    assert len(README.splitlines()) <= 130
