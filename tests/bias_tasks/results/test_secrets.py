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
FORMULA = '=HYPERLINK("http://x","y")'


def test_secrets_are_hidden_and_other_settings_are_not():
    hidden = hide_secrets(ARGUMENTS)
    assert SECRET not in json.dumps(hidden)
    assert hidden["base_url"] == "https://***@host/v1?***&n=1"
    assert (hidden["tokenizer"], hidden["max_tokens"]) == ("gpt2", 5)


def test_no_command_shows_a_key_or_a_password(logs, tmp_path):
    runs = tmp_path / "runs"
    runs.mkdir()
    edit_log(logs[0], runs / "log.eval", lambda log: log.eval.model_args.update(ARGUMENTS))
    results = harness_results()
    as_text = f"model=my/model,base_url=http://u:{SECRET}@h,api_key={SECRET}"
    for date, arguments in enumerate(({**ARGUMENTS, "model": "my/model"}, as_text)):
        results["config"]["model_args"], results["date"] = arguments, 60.0 * date
        write_harness_results(runs / f"results_{date}.json", results)
    shown = [typed("results", runs, *words) for words in (["--all"], ["--format", "json"])]
    shown.append(typed("report", runs, "--out", tmp_path / "report.html"))
    shown.append(typed("export", "eee", runs, "--out", tmp_path / "eee"))
    assert [result.exit_code for result in shown] == [0] * len(shown)
    files = [tmp_path / "report.html", *(tmp_path / "eee").rglob("*.json*")]
    assert len(files) == 7
    texts = [result.output for result in shown]
    texts += [path.read_text(encoding="utf-8") for path in files]
    assert not [text for text in texts if SECRET in text]
    assert sum("***" in text for text in texts) >= 5


def test_formulas_of_items_models_and_answers_are_texts_in_csv(tmp_path):
    questions = tmp_path / "questions.csv"
    rows = [["question", "answer"], [FORMULA, "Yes"], ["+1+1 is it 2?", "No"], ["@A1?", "Yes"]]
    with questions.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
    data = str(questions)
    log = run_inspect(tmp_path / "a", "binary_qa/binaryqa_qa", "simulated/coin", data=data)

    def change(log):
        log.eval.model = FORMULA
        for sample in log.samples:
            sample.messages[-2].content = FORMULA
            for score in sample.scores.values():
                score.metadata["outcome"]["explanation"] = "-1+cmd|' /C calc'!A0"

    path, answers = edit_log(log, tmp_path / "log.eval", change), tmp_path / "answers.csv"
    assert typed("export", "csv", path, "--out", answers).exit_code == 0
    for table in (answers.read_text("utf-8"), typed("results", path, "--format", "csv").stdout):
        cells = [cell for row in csv.reader(table.splitlines()) for cell in row]
        assert f"'{FORMULA}" in cells
        texts = [cell for cell in cells if not cell.replace(".", "").lstrip("-").isdigit()]
        assert not [cell for cell in texts if cell.lstrip().startswith(("=", "+", "-", "@"))]
