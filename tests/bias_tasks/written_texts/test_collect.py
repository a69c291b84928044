"""`bias-tasks collect`, and what Inspect's command line does with the tasks that write texts."""

import re
from pathlib import Path

from click.testing import CliRunner
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai._cli.main import inspect as inspect_command
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log

from bias_tasks.scorers.valid_texts import valid_texts
from bias_tasks.simulated.roles import Rewriter
from bias_tasks.solvers.until_valid import until_valid
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.commands.rows import read
from tests.bias_tasks.written_texts.writing import collect

SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"


REWORD = ["eval", "bias_tasks/make_rewordings", "-T", f"task={SUMS}", "-T", "n=2"]
SIMULATED = ["--model", "simulated/rewriter"]


def run_inspect(out, *words):
    """Run a command of Inspect, and return the logs so far."""
    words = [*words, "--log-dir", str(out.parent), "--display", "none"]
    CliRunner().invoke(inspect_command, words)
    return [read_eval_log(str(path)) for path in sorted(out.parent.glob("*.eval"))]


def test_simulated_models_write_texts_offline(out):
    [log] = run_inspect(out, *REWORD, "-T", "language=Backwards", *SIMULATED)
    done, rows = collect(log, to=out)
    assert done.exit_code == 0, done.output
    assert len(rows) == 4
    done, same = collect(log, to=out)
    assert "exists, and may have your edits" in done.output
    assert same == rows


def test_a_model_that_attacks_nothing_is_named(out):
    words = ["bias_tasks/make_attacks", "-T", "data=core", "-T", "n=2"]
    [log] = run_inspect(out, "eval", *words, *SIMULATED)
    assert log.results.scores[0].metrics["mean"].value == 0
    done, rows = collect(log, to=out)
    assert done.exit_code == 1
    assert "2 x too few of the words are left" in done.output
    assert "no text is valid; the table shows the reasons" in done.output
    assert [row["attacked"] for row in rows] == [{}, {}]


def test_a_failed_item_is_named_and_retried(out, monkeypatch):
    respond, prompts = Rewriter.respond, []

    def fail_once(model, prompt, question):
        prompts.append(prompt)
        return 1 / 0 if len(prompts) == 1 else respond(model, prompt, question)

    monkeypatch.setattr(Rewriter, "respond", fail_once)
    [log] = run_inspect(out, *REWORD, *SIMULATED)
    done, rows = collect(log, to=out)
    assert done.exit_code == 1
    failure = r"[12] items? failed or not finished: run `inspect eval-retry`"
    assert re.search(failure, done.output)
    log, retried = run_inspect(out, "eval-retry", log.location)
    done, rows = collect(log, retried, to=out.with_name("retried.jsonl"))
    assert done.exit_code == 0, done.output
    assert len(rows) == 2
    of_folder = out.with_name("of_folder.jsonl")
    assert typed("collect", out.parent, "--to", of_folder).exit_code == 0
    assert read(of_folder) == rows


def test_wrong_arguments_are_one_line(out, tmp_path):
    [other] = (Path(__file__).parents[1] / "results" / "recorded_logs").glob("inspect/*.eval")
    broken = tmp_path / "a.eval"
    broken.write_bytes(b"PK")
    (empty := tmp_path / "empty").mkdir()
    for words, message in (
        ([other, "--to", out], "writes no texts; give a log of make_*"),
        ([broken, "--to", out], "cannot be read as an Inspect log"),
        ([broken, "--to", out.with_suffix(".csv")], "must end in .jsonl"),
        ([tmp_path / "none.eval", "--to", out], "does not exist"),
        ([empty, "--to", out], "has no Inspect log"),
    ):
        done = typed("collect", *words, columns=300)
        assert done.exit_code != 0
        assert message in done.output
    assert not out.exists()


def test_only_tasks_that_write_texts_have_something_to_write(tmp_path):
    task = Task([Sample("Is it true?")], solver=until_valid(), scorer=valid_texts())
    [log] = inspect_eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none")
    assert log.status == "error"
    assert "supports only samples of the tasks that write texts" in log.error.message
