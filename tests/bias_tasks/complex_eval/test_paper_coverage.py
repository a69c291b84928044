"""The page's coverage of the paper: every command runs, and finds what the page says."""

import re

import pytest

from tests.bias_tasks.paper_coverage import ROOT, check_command, check_figures, names, rows_of

ROWS, BY_INSPECT, OTHERS = rows_of("complex_eval.md")
TABLES_AND_FIGURES = [f"{what} {n}" for what in ("table", "figure") for n in range(1, 7)]
SECTIONS = ["1", "2.1", "2.2", "2.3", "3.1", "3.2", "4.1", "4.2", "4.3", "5.1", "5.2", "5.3"]
SECTIONS += ["5.3.1", "5.3.2", *(f"5.4 ({n})" for n in range(1, 5)), "6"]
APPENDICES = ["A.1", "A.2", "A.3.1", "A.3.2", "B.1", "B.2", *(f"ppendix {x}" for x in "CDE")]
_SECTIONS = re.compile(r"[Ss]ections? ([\d.]+(?: \(\d\))?(?:(?:, | and )[\d.]+)*)")
PARAMETERS = ["aux", "attack", "caution", "theta", "bias", "beta", "dimensions", "k", "mode"]


def test_no_part_of_the_paper_is_without_a_row_and_what_it_varies_is_varied():
    sections = {
        part
        for row in ROWS
        for told in _SECTIONS.findall(row.paper)
        for part in re.split(r", | and ", told)
    }
    parts = [part for part in APPENDICES if not any(_says(row.paper, part) for row in ROWS)]
    varied = " ".join(row.command for row in BY_INSPECT)
    missing = [each for each in TABLES_AND_FIGURES if not names(ROWS, each)] + parts
    missing += [each for each in SECTIONS if each not in sections]
    missing += [each for each in PARAMETERS if f" -T {each}=" not in varied]
    assert missing == []
    assert all(row.command or row.remark for row in ROWS)


def _says(text, part):
    return re.search(rf"{re.escape(part)}(?![.\w])", text) is not None


@pytest.mark.parametrize("row", BY_INSPECT, ids=lambda row: row.paper)
def test_commands_of_inspect_find_what_the_page_says(row, monkeypatch):
    monkeypatch.chdir(ROOT)  # the page's commands name files from there
    check_figures(row)


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row.paper)
def test_other_commands_are_there(row, monkeypatch):
    monkeypatch.chdir(ROOT)
    check_command(row)
