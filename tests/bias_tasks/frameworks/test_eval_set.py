"""Inspect's `eval-set` and `eval-retry` reuse what asked the same, and nothing else."""

import json

from inspect_ai import eval_retry, eval_set
from inspect_ai.log import list_eval_logs, read_eval_log, write_eval_log

from bias_tasks.binary_qa_tasks import binaryqa_qa
from tests.bias_tasks.inspect_runs import evaluate


def questions(path, word, right="Yes"):
    """A user's file of four questions, with ids of its own."""
    rows = [
        {"id": f"q{n}", "question": f"Is {n} {word}?", "answer": right if n % 2 else "No"}
        for n in range(4)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return {"data": str(path)}


def run_set(task, folder):
    """The ids of the runs that `eval-set` has for the task, and how many logs stand there."""
    done, logs = eval_set(
        [task],
        log_dir=str(folder),
        model="simulated/coin",
        display="none",
        log_dir_allow_dirty=True,
        retry_attempts=1,
    )
    assert done
    return [log.eval.eval_id for log in logs], len(list_eval_logs(str(folder)))


def test_an_unchanged_task_is_not_run_again_and_a_changed_one_is(tmp_path, monkeypatch):
    path, logs = tmp_path / "mine.jsonl", tmp_path / "logs"
    first, _ = run_set(binaryqa_qa(**questions(path, "odd")), logs)
    assert run_set(binaryqa_qa(data=str(path)), logs) == (first, 1)
    other, count = run_set(binaryqa_qa(**questions(path, "odd", right="No")), logs)
    assert (other != first, count) == (True, 2)  # although every prompt is the same
    assert run_set(binaryqa_qa(**questions(path, "odd")), logs) == (first, 2)
    monkeypatch.setattr("bias_tasks.binary_qa.family.FAMILY.__class__.version", 99)
    other, count = run_set(binaryqa_qa(data=str(path)), logs)
    assert (other != first, count) == (True, 3)


def test_a_retry_takes_over_answers_to_the_same_questions_alone(tmp_path):
    path = tmp_path / "mine.jsonl"
    task, args = "bias_tasks/binaryqa_qa", questions(path, "odd")
    log = evaluate(task, tmp_path / "logs", "simulated/coin", task_args=args)
    found = read_eval_log(log.location)  # as it would stand had it been cancelled before the last
    found.samples, found.status, found.results = found.samples[:-1], "cancelled", None
    write_eval_log(found, log.location)
    [same] = eval_retry(log.location, log_dir=str(tmp_path / "same"), display="none")
    assert (same.status, same.results.completed_samples) == ("success", 4)
    questions(path, "prime")
    [mixed] = eval_retry(log.location, log_dir=str(tmp_path / "mixed"), display="none")
    assert mixed.status == "error"
    assert "3 of 4 samples belong to a run with other prompts" in mixed.error.message
