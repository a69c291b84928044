"""The page's coverage of the paper: every command runs, and finds what the page says."""

import re

import pytest

from tests.bias_tasks.paper_coverage import check_command, check_figures, names, rows_of

ROWS, BY_INSPECT, OTHERS = rows_of("instruction_boundary.md")
PARTS = [*(f"table {n}" for n in range(1, 9)), *(f"figure {n}" for n in range(1, 8))]
PARTS += [f"insight {n}" for n in range(1, 9)]


def test_nothing_of_the_paper_is_without_a_row():
    assert [part for part in PARTS if not names(ROWS, part)] == []
    for letter in "CEFGHIJKLMN":
        appendix = rf"Appendi\w+ [^:]*\b{letter}\b|\b{letter}\.\d"
        assert any(re.search(appendix, row.paper) for row in ROWS), letter
    assert all(row.command or row.remark for row in ROWS)


@pytest.mark.parametrize("row", BY_INSPECT[::6], ids=lambda row: row.paper)
def test_some_commands_of_inspect_find_what_the_page_says(row):
    """`tools/paper_rows.py` writes what all of them find; a sixth of them is run here."""
    check_figures(row)


def test_other_commands_are_there():
    for row in OTHERS:
        check_command(row)
