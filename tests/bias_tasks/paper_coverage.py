"""A page's coverage of its paper: its rows, and whether their commands are there."""

import ast
import importlib.util
import json
import os
import re
import shlex
from inspect import signature
from itertools import pairwise
from pathlib import Path

import click
import pytest

import bias_tasks
from bias_tasks.cli import main
from tests.bias_tasks.harness_runs import load

ROOT = Path(__file__).parents[2]
EXACT = "BIAS_TASKS_EXACT_OUTPUTS" in os.environ
"""Ask as many items as the pages say, and compare numbers: `make outputs`."""
_NUMBER = r"\d+(?: \([a-z]+\))?"
"""The number of a table or a figure, and which part of it."""


def tool(name):
    """The module that a script in tools/ is."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAPER_ROWS = tool("paper_rows")


def rows_of(page):
    """The rows of a family's paper; those whose command is Inspect's, and those of another one."""
    found = PAPER_ROWS.page_of(page.removesuffix(".md"))
    rows = list(PAPER_ROWS.rows(found.read_text(encoding="utf-8")))
    by_inspect = [
        row
        for row in rows
        if row.command.startswith("inspect ") and not re.search(r"/make_|/grader_", row.command)
    ]
    return rows, by_inspect, [row for row in rows if row.command and row not in by_inspect]


def numbered(row):
    """What a row says of the paper in small letters, its lists and ranges of numbers written out.

    `Tables 2 to 4 and 6; figure 2` becomes `table 2 table 3 table 4 table 6; figure 2`.
    """
    return re.sub(
        rf"(table|figure)s? ({_NUMBER}(?:(?:, | and | to ){_NUMBER})*)",
        lambda m: " ".join(f"{m[1]} {number}" for number in _numbers(m[2])),
        row.paper.lower(),
    )


def _numbers(text):
    for part in re.split(r", | and ", re.sub(r" \([a-z]+\)", "", text)):
        first, _, last = part.partition(" to ")
        yield from range(int(first), int(last or first) + 1)


def names(rows, what):
    """Whether one of the rows is about `table 4`, say."""
    return any(re.search(rf"\b{re.escape(what)}(?![\d.]*\d)", numbered(row)) for row in rows)


def check_metrics(row):
    """The command finds what the row says."""
    assert row.metrics
    found = PAPER_ROWS.run_command(row.command)
    for name, told in row.metrics.items():
        # The last digit of a value half-way between two is the order of its sum's.
        assert f"{found[name]:.3f}" == told or abs(found[name] - float(told)) < 0.000501, name


def check_command(row):
    """The command is there, with the options that the row gives it."""
    program, *words = shlex.split(row.command)
    if program == "lm_eval":
        _check_harness(words)
    elif program == "bias-tasks":
        command = main.get_command(None, words[0])
        command = command.commands[words[1]] if isinstance(command, click.Group) else command
        options = {name for each in command.params for name in each.opts}
        assert {word for word in words if word.startswith("--")} <= options
    elif program == "inspect":
        task = getattr(bias_tasks, words[1].removeprefix("bias_tasks/"))
        given = [value.partition("=")[0] for flag, value in pairwise(words) if flag == "-T"]
        assert set(given) <= signature(task).parameters.keys()
    elif program == "python":
        path = words[1].replace(".", "/") + ".py" if words[0] == "-m" else words[0]
        assert (ROOT / path).is_file()
    else:
        assert program == "pytest"
        tree = ast.parse((ROOT / words[0]).read_text(encoding="utf-8"))
        assert any(node.name.startswith("test_") for node in tree.body if hasattr(node, "name"))


def _check_harness(words):
    given = json.loads(words[words.index("--metadata") + 1])
    first_round = given.pop("first_round", None)
    task = words[words.index("--tasks") + 1]
    if first_round is None:
        assert load(task, **given).task_docs
    else:
        with pytest.raises(ValueError, match=f"no such file or folder|{task}_round1"):
            load(task, **given, first_round="nowhere")
