"""Keys and passwords in settings, and formulas in texts, do not leave the logs."""

import csv
import json

from bias_tasks.results.text import hide_secrets
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import (
    edit_log,
    harness_results,
    run_inspect,
    write_harness_results,
)

SECRET = "sesame"
ARGUMENTS = {
    "api_key": SECRET,
    "hf_token": SECRET,
    "base_url": f"https://user:{SECRET}@host/v1?api-key={SECRET}&n=1",
    "extra_headers": {"Authorization": f"Bearer {SECRET}"},
    "proxies": [f"http://u:{SECRET}@proxy"],
    "tokenizer": "gpt2",
    "max_tokens": 5,
}


def test_secrets_are_hidden_and_other_settings_are_not():
    hidden = hide_secrets(ARGUMENTS)
    assert SECRET not in json.dumps(hidden)
    assert hidden["base_url"] == "https://***@host/v1?***&n=1"
    assert (hidden["tokenizer"], hidden["max_tokens"]) == ("gpt2", 5)


def test_no_command_shows_a_key_or_a_password(tmp_path):
    log = run_inspect(
        tmp_path / "a", "binary_qa/binaryqa_qa", "simulated/coin", data="synthetic", n=4
    )
    runs = tmp_path / "runs"
    runs.mkdir()
    edit_log(log, runs / "log.eval", lambda log: log.eval.model_args.update(ARGUMENTS))
    results = harness_results()
    results["config"]["model_args"] = {**ARGUMENTS, "model": "my/model"}
    write_harness_results(runs / "results_x.json", results)
    results["config"]["model_args"] = (
        f"model=my/model,base_url=http://u:{SECRET}@h,api_key={SECRET}"
    )
    results["date"] = 60.0
    write_harness_results(runs / "results_y.json", results)
    shown = [typed("results", runs, *words) for words in (["--all"], ["--format", "json"])]
    shown += [
        typed("report", runs, "--out", tmp_path / "report.html"),
        typed("export", "eee", runs, "--out", tmp_path / "eee"),
    ]
    assert [result.exit_code for result in shown] == [0] * len(shown)
    texts = [result.output for result in shown]
    files = [tmp_path / "report.html", *(tmp_path / "eee").rglob("*.json*")]
    assert len(files) == 7
    texts += [path.read_text(encoding="utf-8") for path in files]
    assert not [text for text in texts if SECRET in text]
    assert sum("***" in text for text in texts) >= 5


def test_formulas_of_items_models_and_answers_are_texts_in_csv(tmp_path):
    formula = '=HYPERLINK("http://x","y")'
    questions = tmp_path / "questions.csv"
    rows = [["question", "answer"], [formula, "Yes"], ["+1+1 is it 2?", "No"], ["@A1?", "Yes"]]
    with questions.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
    log = run_inspect(
        tmp_path / "a", "binary_qa/binaryqa_qa", "simulated/coin", data=str(questions)
    )

    def change(log):
        log.eval.model = formula
        for sample in log.samples:
            sample.messages[-2].content = formula
            for score in sample.scores.values():
                score.metadata["outcome"]["explanation"] = "-1+cmd|' /C calc'!A0"

    (tmp_path / "b").mkdir()
    path = edit_log(log, tmp_path / "b" / "log.eval", change)
    answers = tmp_path / "answers.csv"
    assert typed("export", "csv", path, "--out", answers).exit_code == 0
    tables = [answers.read_text(encoding="utf-8"), typed("results", path, "--format", "csv").stdout]
    for table in tables:
        cells = [cell for row in csv.reader(table.splitlines()) for cell in row]
        assert f"'{formula}" in cells
        texts = [cell for cell in cells if not cell.replace(".", "").lstrip("-").isdigit()]
        assert not [cell for cell in texts if cell.lstrip().startswith(("=", "+", "-", "@"))]
