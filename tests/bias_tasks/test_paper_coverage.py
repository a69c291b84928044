"""Pages' coverage of their papers: rows for all they print, whose commands find what they say."""

import pytest

from tests.bias_tasks.paper_coverage import ROOT, check_command, check_metrics, names, rows_of

PAGES = ("instruction_boundary", "binary_qa", "output_format", "complex_eval")
ROWS = {page: rows_of(f"{page}.md") for page in PAGES}
PRINTED = {
    "instruction_boundary": {"table": 8, "figure": 7, "insight": 8},
    "binary_qa": {"table": 6, "figure": 1},
    "output_format": {"table": 18, "figure": 6},
    "complex_eval": {"table": 6, "figure": 6},
}
"""How many of each the paper has."""
SHOWN = [(page, row) for page in PAGES if page != "output_format" for row in ROWS[page][1][::9]]
SHOWN.append(("output_format", ROWS["output_format"][1][0]))


@pytest.mark.parametrize("page", PAGES)
def test_no_table_or_figure_of_the_paper_is_without_a_row(page):
    rows = ROWS[page][0]
    parts = [f"{kind} {n}" for kind, last in PRINTED[page].items() for n in range(1, last + 1)]
    assert not [part for part in parts if not names(rows, part)]
    assert all(row.command or row.remark for row in rows)


@pytest.mark.parametrize(("page", "row"), SHOWN, ids=lambda each: getattr(each, "paper", each))
def test_some_commands_of_inspect_find_what_the_page_says(page, row, monkeypatch):
    """`tools/paper_rows.py` writes what all of them find; a ninth of them is run here."""
    monkeypatch.chdir(ROOT)  # the pages' commands name files from there
    check_metrics(row)


@pytest.mark.parametrize("page", PAGES)
def test_other_commands_are_there(page):
    for row in ROWS[page][2]:
        check_command(row)
