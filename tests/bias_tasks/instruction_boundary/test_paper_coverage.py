"""The page's coverage of the paper: every command runs, and finds what the page says."""

import ast
import importlib.util
import json
import re
import shlex
from pathlib import Path

import click
import pytest

from bias_tasks.cli import main
from tests.bias_tasks.harness_runs import load

ROOT = Path(__file__).parents[3]


def tool():
    spec = importlib.util.spec_from_file_location("paper_rows", ROOT / "tools" / "paper_rows.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAPER_ROWS = tool()
PAGE = (ROOT / "docs" / "instruction_boundary.md").read_text(encoding="utf-8")
ROWS = list(PAPER_ROWS.rows(PAGE))
BY_INSPECT = [row for row in ROWS if row.command.startswith("inspect ")]
OTHERS = [row for row in ROWS if row.command and row not in BY_INSPECT]
TABLES_AND_FIGURES = [*(f"table {n}" for n in range(1, 9)), *(f"figure {n}" for n in range(1, 8))]
APPENDICES = [*"CEFGHJKLMN", "I"]
INSIGHTS = [f"insight {n}" for n in range(1, 9)]


def paper(row):
    """What a row says of the paper, its lists of figures and tables written out."""
    text = row.paper.lower().replace("figures", "figure")
    return re.sub(
        r"figure (\d)([^:;]*)",
        lambda m: m[0] + " figure " + " figure ".join(re.findall(r"\b\d\b", m[2])),
        text,
    )


@pytest.mark.parametrize("what", [*TABLES_AND_FIGURES, *INSIGHTS])
def test_no_table_figure_or_insight_is_without_a_row(what):
    assert any(re.search(rf"\b{what}\b", paper(row)) for row in ROWS)


@pytest.mark.parametrize("letter", APPENDICES)
def test_no_appendix_is_without_a_row(letter):
    assert any(
        re.search(rf"Appendi\w+ [^:]*\b{letter}\b|\b{letter}\.\d", row.paper) for row in ROWS
    )


def test_a_row_has_a_command_or_says_why_not():
    assert all(row.command or row.remark for row in ROWS)


@pytest.mark.parametrize("row", BY_INSPECT, ids=lambda row: row.paper)
def test_commands_of_inspect_find_what_the_page_says(row):
    assert row.figures
    found = PAPER_ROWS.measured(row.command)
    assert {name: f"{found[name]:.3f}" for name in row.figures} == row.figures


def metadata(words):
    return json.loads(words[words.index("--metadata") + 1])


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row.paper)
def test_other_commands_are_there(row):
    program, *words = shlex.split(row.command)
    if program == "lm_eval":
        given = metadata(words)
        first_round = given.pop("first_round", None)
        task = words[words.index("--tasks") + 1]
        if first_round is None:
            assert load(task, **given).task_docs
        else:
            with pytest.raises(ValueError, match=f"no such file or folder|{task}_round1"):
                load(task, **given, first_round="nowhere")
    elif program == "bias-tasks":
        command = main.commands[words[0]]
        command = command.commands[words[1]] if isinstance(command, click.Group) else command
        options = {name for each in command.params for name in each.opts}
        assert {word for word in words if word.startswith("--")} <= options
    else:
        assert program == "pytest"
        path = ROOT / words[0]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert any(node.name.startswith("test_") for node in tree.body if hasattr(node, "name"))


def test_values_are_written_where_they_stand():
    page = "## Coverage of the paper\n\n| a | b | c | d |\n| --- | --- | --- | --- |\n"
    line = "| Table 1 | `inspect eval bias_tasks/x --model m` | `judging/sr` 0, `or/a` 1 | rest |"
    [row] = PAPER_ROWS.rows(page + line + "\n")
    assert (row.paper, row.remark) == ("Table 1", "rest")
    assert row.figures == {"judging/sr": "0", "or/a": "1"}
    changed = PAPER_ROWS.with_values(row, {"judging/sr": 0.25, "or/a": float("nan")})
    assert changed == line.replace("`judging/sr` 0, `or/a` 1", "`judging/sr` 0.250, `or/a` nan")


def test_an_option_that_is_not_understood_is_an_error():
    with pytest.raises(ValueError, match=r"unknown options \['--limit'\]"):
        PAPER_ROWS.measured("inspect eval bias_tasks/vanilla --model simulated/coin --limit 3")
