"""`bias-tasks data list` and `bias-tasks list`."""

import json
import re
from pathlib import Path

from bias_tasks.commands.data import SOURCES
from bias_tasks.families import FAMILY_NAMES, tasks_of
from tests.bias_tasks.command_line import typed

PAGES = (Path(__file__).parents[3] / "mkdocs.yml").read_text(encoding="utf-8")


def test_list_describes_every_data_set(tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    result = typed("data", "list")
    assert result.exit_code == 0
    for source in SOURCES.values():
        assert source.name in result.output
        assert f"licence: {source.licence}" in result.output
        assert (source.revision or "that the first load resolves") in result.output
    rows = {row["name"]: row for row in json.loads(typed("data", "list", "--json").output)}
    assert set(rows) == {*SOURCES, "core", "synthetic"}
    row = rows["ib_choice"]
    assert (row["records"], row["published"], row["corrected"]) == (450, 450, 373)
    assert row["labels"] == {"single": 73, "multiple": 150, "none": 150}
    assert [name for name, row in rows.items() if row["cached"]] == ["core", "synthetic"]
    assert rows["fld"]["revision"] is None


def test_every_task_is_listed_in_its_suite_with_its_calls_cost_and_data(monkeypatch):
    output = typed("list", columns=200).output
    lines = {line.split()[0]: line.split() for line in output.splitlines() if line.strip()}
    assert {task for name in FAMILY_NAMES for task in tasks_of(name)} < lines.keys()
    assert lines["binaryqa"][-4:] == ["mbs", "8", "0.08", "core"]
    assert lines["binaryqa_sc"][-4:] == ["sc", "3", "0.03", "core"]
    assert lines["conformity"][-3] == "2"
    assert lines["probe"][-2:] == ["-", "-"]
    suites = re.findall(
        r"- (.*): (?:instruction_b|binary|output|complex|judge_|probe).*\.md", PAGES
    )
    headings = [line.strip() for line in output.splitlines() if line.strip() in suites]
    assert len(headings) == len(FAMILY_NAMES) + 1
    assert headings == suites
    monkeypatch.setattr("bias_tasks.commands.plan._SUITES", {"binary_qa": "Binary"})
    dearer = typed("list", "--price-in", "2", "--price-out", "8", columns=200).output
    assert re.search(r"^binaryqa .* 0\.17  core", dearer, re.MULTILINE)


def test_profile_counts_gold_labels_and_names_sparse_ones(tmp_path):
    path = tmp_path / "mine.jsonl"
    rows = [
        {"question": f"Q{i}?", "options": ["a", "b", option], "answer": answer}
        for i, (option, answer) in enumerate(
            [
                ("c", "a"),
                ("None of the above", "C"),
                ("neither of these", [2]),
                ("all of the above", "C"),  # refers to options, but does not say none
                ("None of the above", [0]),
                ("all other options are false", [2]),
                ("c", [0, 1]),
                ("c", []),
            ]
        )
    ]
    rows += [
        {"question": f"S{i}.", "context": "Facts.", "answer": "Unknown" if i < 1 else "True"}
        for i in range(4)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = typed("data", "profile", str(path))
    assert result.exit_code == 0, result.output
    table = [line.split("  ") for line in result.output.splitlines()]
    table = [[cell.strip() for cell in row if cell.strip()] for row in table]
    assert [row[:3] + row[-1:] for row in table if row and row[0] in ("judging", "choice")] == [
        ["judging", "True", "3", "no"],
        ["judging", "False", "0", "no"],
        ["judging", "Unknown", "1", "yes"],
        ["choice", "single", "6", "no"],
        ["choice", "multiple", "1", "yes"],
        ["choice", "none", "1", "yes"],
        ["choice", "none of the above", "3", "yes"],
    ]
    path.write_text('{"question": "Q?", "answer": "True"}\n', encoding="utf-8")
    assert "context" in typed("data", "profile", str(path)).output
