"""Inspect's `eval-set` and `eval-retry` reuse what asked the same, and nothing else."""

import hashlib
import json

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry, eval_set
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import list_eval_logs, read_eval_log, write_eval_log

from bias_tasks.binary_qa.prompts import ask as binary_prompts
from bias_tasks.complex_eval.data.load import JUDGED_SOURCES
from bias_tasks.data.fetch import CACHE_VARIABLE, copy_path, pin_path
from bias_tasks.instruction_boundary.prompts import ask as setting_prompts
from bias_tasks.tasks.binary_qa import binaryqa_qa
from bias_tasks.tasks.complex_eval import complexeval_math
from bias_tasks.tasks.instruction_boundary import multi_turn, prompt_polishing, vanilla

PROCESSBENCH = next(s for s in JUDGED_SOURCES.values() if s.repository == "Qwen/ProcessBench")


def questions(path, word):
    """A user's file of four questions, with ids of its own."""
    rows = [
        {"id": f"q{n}", "question": f"Is {n} {word}?", "answer": "Yes" if n % 2 else "No"}
        for n in range(4)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def source(word):
    """The cached copy of a hub data set of no pinned revision, as a first load leaves it."""
    row = {"id": "o-1", "problem": f"Prove {word}.", "steps": ["One.", "Two."], "label": 1}
    copy = copy_path(PROCESSBENCH)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(json.dumps(row) + "\n", encoding="utf-8")
    sha256 = hashlib.sha256(copy.read_bytes()).hexdigest()
    pin = {"revision": hashlib.sha256(word.encode()).hexdigest()[:40], "sha256": sha256}
    pin_path(PROCESSBENCH).write_text(json.dumps(pin), encoding="utf-8")


def run_set(task, folder, **options):
    """The ids of the runs that `eval-set` has for the task, and how many logs stand there."""
    done, logs = eval_set(
        [task],
        log_dir=str(folder),
        model="simulated/coin",
        display="none",
        log_dir_allow_dirty=True,
        retry_attempts=1,
        **options,
    )
    assert done
    return [log.eval.eval_id for log in logs], len(list_eval_logs(str(folder)))


def test_an_unchanged_task_is_not_run_again_and_a_changed_data_file_is(tmp_path):
    path = tmp_path / "mine.jsonl"
    make = {"data": questions(path, "odd")}
    first, _ = run_set(binaryqa_qa(**make), tmp_path / "logs")
    again, logs = run_set(binaryqa_qa(**make), tmp_path / "logs")
    assert (again, logs) == (first, 1)
    questions(path, "prime")
    changed, logs = run_set(binaryqa_qa(**make), tmp_path / "logs")
    assert logs == 2
    assert changed != first
    questions(path, "odd")
    back, logs = run_set(binaryqa_qa(**make), tmp_path / "logs")
    assert (back, logs) == (first, 2)


def test_a_changed_right_answer_makes_a_new_run_although_every_prompt_is_the_same(tmp_path):
    path = tmp_path / "mine.jsonl"
    make = {"data": questions(path, "odd")}
    first, _ = run_set(binaryqa_qa(**make), tmp_path / "logs")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"No"', '"Yes"', 1), encoding="utf-8")
    changed, logs = run_set(binaryqa_qa(**make), tmp_path / "logs")
    assert logs == 2
    assert changed != first


def test_a_changed_template_makes_a_new_run(tmp_path, monkeypatch):
    make = {"data": "synthetic", "n": 4}
    first, _ = run_set(binaryqa_qa(**make), tmp_path)
    assert run_set(binaryqa_qa(**make), tmp_path) == (first, 1)
    original = binary_prompts.template
    monkeypatch.setattr(binary_prompts, "template", lambda path: original(path) + " Think first.")
    changed, logs = run_set(binaryqa_qa(**make), tmp_path)
    assert logs == 2
    assert changed != first


@pytest.mark.parametrize(
    ("task", "given", "changed"),
    [
        (multi_turn, {}, "multi_turn_next"),
        (prompt_polishing, {"polish": "live"}, "polish_request"),
        (vanilla, {}, "judge"),
    ],
)
def test_a_changed_template_of_what_is_asked_later_is_another_version(
    task, given, changed, monkeypatch
):
    make = {"data": "synthetic", "n": 4, "form": "judging", **given}
    before = task(**make).version
    assert task(**make).version == before
    original = setting_prompts.template
    for module in (setting_prompts,):
        monkeypatch.setattr(
            module,
            "template",
            lambda path: original(path) + (" Now." if f"/{changed}." in path else ""),
        )
    assert task(**make).version != before


def test_another_state_of_a_cached_source_makes_a_new_run(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    mine = tmp_path / "mine.jsonl"  # ProcessBench has no references, which the task needs
    given = {"id": "o-1", "response": "Step 0: One.\nStep 1: Two.", "reference": "Hence both."}
    mine.write_text(json.dumps(given), encoding="utf-8")
    make = {"sources": "processbench", "bias": "format", "responses": str(mine), "attacks": "rule"}
    source("it")
    first, _ = run_set(complexeval_math(**make), tmp_path / "logs")
    assert run_set(complexeval_math(**make), tmp_path / "logs") == (first, 1)
    source("that")
    changed, logs = run_set(complexeval_math(**make), tmp_path / "logs")
    assert logs == 2
    assert changed != first


def test_what_the_family_changes_makes_a_new_run(tmp_path, monkeypatch):
    make = {"data": "synthetic", "n": 4}
    first, _ = run_set(binaryqa_qa(**make), tmp_path)
    monkeypatch.setattr("bias_tasks.binary_qa.family.FAMILY.__class__.version", 99)
    changed, logs = run_set(binaryqa_qa(**make), tmp_path)
    assert logs == 2
    assert changed != first


def test_a_folder_of_another_state_is_refused_unless_it_may_hold_others(tmp_path):
    path = tmp_path / "mine.jsonl"
    make = {"data": questions(path, "odd")}
    run_set(binaryqa_qa(**make), tmp_path / "logs")
    questions(path, "prime")
    with pytest.raises(PrerequisiteError, match="not associated with a task"):
        eval_set([binaryqa_qa(**make)], log_dir=str(tmp_path / "logs"), model="simulated/coin")


def cut(log):
    """The log as it would stand had the run been cancelled before its last sample."""
    found = read_eval_log(log.location)
    found.samples, found.status, found.results = found.samples[:-1], "cancelled", None
    write_eval_log(found, log.location)
    return log.location


def retried(location, folder):
    [log] = eval_retry(location, log_dir=str(folder), display="none")
    return log


def test_a_retry_takes_over_answers_to_the_same_questions_alone(tmp_path):
    path = tmp_path / "mine.jsonl"
    data = questions(path, "odd")
    [log] = inspect_eval(
        "bias_tasks/binaryqa_qa",
        task_args={"data": data},
        model="simulated/coin",
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    location = cut(log)
    same = retried(location, tmp_path / "same")
    assert same.status == "success"
    assert same.results.completed_samples == 4
    questions(path, "prime")
    mixed = retried(location, tmp_path / "mixed")
    assert mixed.status == "error"
    assert "3 of 4 samples are of a run that asked something else" in mixed.error.message
    assert "inspect eval" in mixed.error.message
    assert len(mixed.samples) == 4
