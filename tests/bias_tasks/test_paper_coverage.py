"""Pages' coverage of their papers: nothing is without a row, and commands find what a row says."""

import re

import pytest

from tests.bias_tasks.paper_coverage import ROOT, check_command, check_figures, names, rows_of

PAGES = ("instruction_boundary", "binary_qa", "output_format")
ROWS = {page: rows_of(f"{page}.md") for page in PAGES}
PRINTED = {
    "instruction_boundary": {"table": 8, "figure": 7, "insight": 8},
    "binary_qa": {"table": 6, "figure": 1},
    "output_format": {"table": 18, "figure": 6},
}
"""How many of each the paper has."""
SECTIONS = {
    "binary_qa": "1 2.1 2.2 2.3 2.4 2.5 3.1 3.2 3.3 4 5",
    "output_format": "1 2 3.1 3.2 3.3 4 5.1 5.2 5.3 5.4 6 7",
}
ELSE = {
    "instruction_boundary": [
        rf"Appendi\w+ [^:]*\b{letter}\b|\b{letter}\.\d" for letter in "CEFGHIJKLMN"
    ],
    "binary_qa": [rf"equations? (?:\d and )?{number}\b" for number in (1, 2, 3)],
    "output_format": [
        *(rf"\b{part}\b" for part in ("A", "E", r"B\.1", r"B\.2", r"C\.5", r"D\.1", r"D\.2")),
        *(r"\bC\.1 to C\.4\b", "equations 1 to 5", "equations 6 and 7", "equation 8"),
    ],
}
SHOWN = [(page, row) for page in PAGES[:2] for row in ROWS[page][1][::9]]
SHOWN.append(("output_format", ROWS["output_format"][1][0]))


@pytest.mark.parametrize("page", PAGES)
def test_nothing_of_the_paper_is_without_a_row(page):
    rows = ROWS[page][0]
    told = [row.paper.replace("5.1 to 5.4", "5.1 and 5.2 Sections 5.3 and 5.4") for row in rows]
    parts = [f"{kind} {n}" for kind, last in PRINTED[page].items() for n in range(1, last + 1)]
    assert not [part for part in parts if not names(rows, part)]
    section = r"[Ss]ections? (?:[\d.]+ and )?{}(?![.\d])"
    wanted = [section.format(re.escape(number)) for number in SECTIONS.get(page, "").split()]
    wanted += ELSE[page]
    assert not [each for each in wanted if not any(re.search(each, text) for text in told)]
    assert all(row.command or row.remark for row in rows)


@pytest.mark.parametrize(("page", "row"), SHOWN, ids=lambda each: getattr(each, "paper", each))
def test_some_commands_of_inspect_find_what_the_page_says(page, row, monkeypatch):
    """`tools/paper_rows.py` writes what all of them find; a ninth of them is run here."""
    monkeypatch.chdir(ROOT)  # the pages' commands name files from there
    check_figures(row)


@pytest.mark.parametrize("page", PAGES)
def test_other_commands_are_there(page):
    for row in ROWS[page][2]:
        check_command(row)
