"""The page's coverage of the paper: every command runs, and finds what the page says."""

import re

import pytest

from tests.bias_tasks.paper_coverage import ROOT, check_command, check_figures, names, rows_of

ROWS, BY_INSPECT, OTHERS = rows_of("output_format.md")
TABLES_AND_FIGURES = [*(f"table {n}" for n in range(1, 19)), *(f"figure {n}" for n in range(1, 7))]
SECTIONS = ["1", "2", "3.1", "3.2", "3.3", "4", "5.1", "5.2", "5.3", "5.4", "6", "7"]
APPENDICES = ["B.1", "B.2", *(f"C.{n}" for n in range(1, 6)), "D.1", "D.2"]


@pytest.mark.parametrize("what", TABLES_AND_FIGURES)
def test_no_table_or_figure_is_without_a_row(what):
    assert names(ROWS, what)


@pytest.mark.parametrize("number", SECTIONS)
def test_no_section_is_without_a_row(number):
    told = " ".join(row.paper for row in ROWS)
    assert re.search(rf"[Ss]ections? (?:[\d.]+ and )?{re.escape(number)}(?![.\d])", told)


@pytest.mark.parametrize("part", [*APPENDICES, "ppendix A", "ppendix E"])
def test_no_appendix_is_without_a_row(part):
    told = " ".join(row.paper for row in ROWS)
    ranged = re.sub(r"C\.1 to C\.4", "C.1 C.2 C.3 C.4", told)
    assert re.search(rf"{re.escape(part)}\b", ranged)


def test_no_equation_is_without_a_row():
    told = " ".join(row.paper for row in ROWS)
    assert all(words in told for words in ("equations 1 to 5", "equations 6 and 7", "equation 8"))


def test_a_row_has_a_command_or_says_why_not():
    assert all(row.command or row.remark for row in ROWS)


@pytest.mark.parametrize("row", BY_INSPECT, ids=lambda row: row.paper)
def test_commands_of_inspect_find_what_the_page_says(row, monkeypatch):
    monkeypatch.chdir(ROOT)  # the page's commands name files from there
    check_figures(row)


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row.paper)
def test_other_commands_are_there(row):
    check_command(row)
