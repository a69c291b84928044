"""The YAML tasks, run by lm-eval itself and by its command."""

import json

from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import typed as typed_lm_eval


def test_the_command_prints_the_headline_and_results_reads_its_output(tmp_path):
    tasks = "ib_conformity_choice,ib_multi_turn_judging_round1"
    process = typed_lm_eval(
        *("run", "--model", "dummy", "--tasks", tasks, "--limit", "4", "--log_samples"),
        *("--metadata", '{"data": "synthetic", "n": 8}', "--output_path", str(tmp_path)),
    )
    assert process.returncode == 0, process.stderr
    for name in (
        "moved_to_suggestion",
        "delta_acc",
        "adopted_suggestion",
        "vanilla/rs",
        "unparsed",
    ):
        assert f"|{name}" in process.stdout
    path = next(tmp_path.rglob("samples_ib_conformity_choice_*.jsonl"))
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["resps"] for row in rows] == [[["lol"]]] * 4
    output = typed("results", "--format=json", "--all", tmp_path).stdout
    rows = json.loads(output)
    assert [*dict.fromkeys(row["task"] for row in rows)] == ["conformity", "multi_turn"]
    metrics = {row["metric"]: row for row in rows if row["task"] == "conformity"}
    run = metrics["unparsed"]
    assert (run["framework"], run["data"], run["items"]) == ("lm-eval", "synthetic", 2)
    settings = json.loads(run["settings"])
    assert (settings["limit"], settings["temperature"]) == (4, 0)
    assert (run["value"], run["n"]) == (1, 2)
    # Both answers are unparsed, so that a change is unknown.
    for name in ("adopted_suggestion", "delta_acc", "moved_to_suggestion"):
        assert (metrics[name]["value"], metrics[name]["n"]) == (None, 0)
