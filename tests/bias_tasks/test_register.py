"""What registers of evaluations read: `eval.yaml`, their entries, and tasks named by files."""

from pathlib import Path

import yaml
from inspect_ai import eval as run_tasks
from inspect_ai import list_tasks
from inspect_evals.metadata import ExternalEvalMetadata, InternalEvalMetadata

from bias_tasks.families import FAMILY_NAMES, PROBING, load_family

ROOT = Path(__file__).parents[2]


def test_entries_and_the_listing_are_valid_and_name_tasks_that_files_have():
    listing = yaml.safe_load((ROOT / "src/bias_tasks/eval.yaml").read_text("utf-8"))
    evaluation = InternalEvalMetadata(**listing, id="bias_tasks")
    samples = {task.name: task.dataset_samples for task in evaluation.tasks}
    assert [name for name, n in samples.items() if not n] == ["probe"]
    in_files = {
        (f"src/bias_tasks/{family}_tasks.py", name)
        for family in (*FAMILY_NAMES, PROBING)
        for name in load_family(family).tasks
    }
    found = {(info.file, info.name) for info in list_tasks("src/bias_tasks", root_dir=ROOT)}
    assert in_files <= found
    entries = yaml.safe_load((ROOT / "docs/register.yaml").read_text("utf-8"))
    assert len(entries) == 22
    for name, entry in entries.items():
        [task] = ExternalEvalMetadata(**entry, id=name).tasks
        assert (task.task_path, task.name) in in_files
        assert task.dataset_samples == samples[task.name]
        assert len(entry["description"].split()) <= 80  # as the register demands


def test_a_task_runs_from_its_file_and_the_viewer_shows_what_was_parsed_from_where(tmp_path):
    task = ROOT / "src/bias_tasks/instruction_boundary_tasks.py"
    parameters = {"data": "core", "n": 2, "form": "choice"}
    [log] = run_tasks(
        f"{task}@conformity",
        task_args=parameters,
        model="simulated/perfect",
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"
    view = log.eval.viewer.task_samples_view
    assert [column.id for column in view.columns][1:5] == [
        "sampleId",
        "target",
        "answer",
        "score__outcome__outcome",
    ]
    for sample in log.samples:
        score = sample.scores["outcome"]
        assert score.explanation.startswith(f"parsed as {score.answer}; choice question; ")
        line = sample.output.completion.splitlines()[-1]
        assert score.explanation.endswith(f"; in the line {line!r}")
        assert "parsed as" not in score.metadata["outcome"]["explanation"]
