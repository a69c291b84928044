"""Tables of pages that state calls, tokens or costs: they are generated, and what `plan` counts."""

import re
from importlib import import_module

import pytest

from tests.bias_tasks.paper_coverage import ROOT, tool

PAGES = {
    str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
GENERATED = re.compile(r"<!-- [\w ]+ -->\n.*?<!-- end -->", re.DOTALL)
HEAD = re.compile(r"^(\|.*\|)\n\| ?:?---", re.MULTILINE)
COUNTED = re.compile(r"\b(calls|tokens|max_gen_toks|price|cost|USD|dollars)\b", re.IGNORECASE)


@pytest.fixture
def plan_tables(monkeypatch):
    """The module of `make tables` that counts calls, without what it has counted."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    module = import_module("plan_tables")
    module.plan_by_default.cache_clear()
    yield module
    module.plan_by_default.cache_clear()


def test_every_table_of_calls_tokens_or_costs_is_generated():
    heads = [
        (page, head)
        for page, text in PAGES.items()
        for head in HEAD.findall(GENERATED.sub("", text))
        if COUNTED.search(head)
    ]
    assert heads == []
    n_generated = sum(
        bool(COUNTED.search(head))
        for text in PAGES.values()
        for block in GENERATED.findall(text)
        for head in HEAD.findall(block)
    )
    assert n_generated >= 4


def test_tables_are_those_of_today_s_plan(plan_tables, shared_data, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["tables.py", "--check"])
    status = tool("tables").main()
    assert (capsys.readouterr().out, status) == ("", 0)


def test_without_the_papers_data_their_rows_are_kept_and_nothing_is_fetched(
    plan_tables, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path / "data"))
    rows = plan_tables.planned_tasks()
    for task in ("vanilla", "complexeval_basic"):  # A row that is kept, and one that is counted.
        assert f"| `{task}` | {' | '.join(rows[task])} |" in PAGES["docs/reference/plan.md"]
    output = capsys.readouterr().out
    assert re.match("not counted, since their data are not in the cache: vanilla, ", output)
    assert "complexeval_basic" not in output
    assert not (tmp_path / "data").exists()
