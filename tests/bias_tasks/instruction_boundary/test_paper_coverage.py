"""The page's coverage of the paper: every command runs, and finds what the page says."""

import re

import pytest

from tests.bias_tasks.paper_coverage import (
    check_command,
    check_figures,
    names,
    rows_of,
)

ROWS, BY_INSPECT, OTHERS = rows_of("instruction_boundary.md")
TABLES_AND_FIGURES = [*(f"table {n}" for n in range(1, 9)), *(f"figure {n}" for n in range(1, 8))]
APPENDICES = [*"CEFGHJKLMN", "I"]
INSIGHTS = [f"insight {n}" for n in range(1, 9)]


@pytest.mark.parametrize("what", [*TABLES_AND_FIGURES, *INSIGHTS])
def test_no_table_figure_or_insight_is_without_a_row(what):
    assert names(ROWS, what)


@pytest.mark.parametrize("letter", APPENDICES)
def test_no_appendix_is_without_a_row(letter):
    assert any(
        re.search(rf"Appendi\w+ [^:]*\b{letter}\b|\b{letter}\.\d", row.paper) for row in ROWS
    )


def test_a_row_has_a_command_or_says_why_not():
    assert all(row.command or row.remark for row in ROWS)


@pytest.mark.parametrize("row", BY_INSPECT[::6], ids=lambda row: row.paper)
def test_some_commands_of_inspect_find_what_the_page_says(row):
    """`tools/paper_rows.py` writes what all of them find; a sixth of them is run here."""
    check_figures(row)


def test_other_commands_are_there():
    for row in OTHERS:
        check_command(row)
