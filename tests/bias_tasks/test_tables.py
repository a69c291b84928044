"""Tables of pages that state calls, tokens or costs: they are generated, and what `plan` counts."""

import os
import re
import subprocess
import sys

from bias_tasks.commands.plan import plan_task
from tests.bias_tasks.paper_coverage import ROOT

PAGES = {
    str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
GENERATED = re.compile(r"<!-- [\w ]+ -->\n.*?<!-- end -->", re.DOTALL)
HEAD = re.compile(r"^(\|.*\|)\n\| ?:?---", re.MULTILINE)
COUNTED = re.compile(r"\b(calls|tokens|max_gen_toks|price|cost|USD|dollars)\b", re.IGNORECASE)


def check_tables(data):
    command = [sys.executable, str(ROOT / "tools" / "tables.py"), "--check"]
    environment = {**os.environ, "BIAS_TASKS_DATA": str(data), "HF_HUB_OFFLINE": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


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


def test_tables_are_those_of_today_s_plan(shared_data):
    result = check_tables(shared_data)
    assert (result.returncode, result.stdout) == (0, ""), result.stdout + result.stderr


def test_without_the_papers_data_their_rows_are_kept_and_nothing_is_fetched(tmp_path):
    result = check_tables(tmp_path / "data")
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.match("not counted, since their data are not in the cache: vanilla, ", result.stdout)
    assert "complexeval_basic" not in result.stdout
    assert not (tmp_path / "data").exists()


def test_the_reference_has_the_plan_of_a_judge():
    plan = plan_task("complexeval_basic", {}, price_in=1, price_out=4, power=False)
    rows = PAGES["docs/reference/plan.md"].splitlines()
    listed = next(row for row in rows if row.startswith("| `complexeval_basic`"))
    _, items, calls, *_, cost = listed.strip("| ").split(" | ")
    assert items == f"{plan.items}"
    assert (calls, cost) == (f"{plan.calls.calls:,}", f"{plan.cost_usd:.2f}")
