"""What can't be probed in the harness is refused before anything is asked, with what would work."""

from pathlib import Path

import lm_eval.tasks
import pytest
import yaml
from lm_eval.tasks import TaskManager
from lm_eval.tasks._index import TaskIndex

from bias_tasks.data.errors import DataError
from bias_tasks.harness import probed_task
from bias_tasks.harness.link import task_configs_folder
from tests.bias_tasks.probing.harness_tasks import Scripted, run, write, write_lettered

CAN = "supported are single tasks with output_type multiple_choice or generate_until"


@pytest.fixture(autouse=True)
def few_tasks_of_lm_eval(monkeypatch):
    """Of lm-eval's own tasks, whose thousands of files take seconds to read, those of ARC."""
    own, build = Path(lm_eval.tasks.__file__).parent, TaskIndex.build

    def build_few(paths):
        return build([path / "arc" if path == own else path for path in paths])

    monkeypatch.setattr(TaskIndex, "build", staticmethod(build_few))
    monkeypatch.setattr(probed_task, "_load_default_manager", lambda: TaskManager())


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, "mmlu", 4)
    write(tmp_path, "gsm8k", 8)
    write_lettered(tmp_path, 4)
    group = {"group": "several", "task": ["mmlu", "gsm8k"]}
    (tmp_path / "several.yaml").write_text(yaml.safe_dump(group))
    write(tmp_path, "arc_easy", 4, tag="tagged")
    write(tmp_path, "winogrande", 4, output_type="loglikelihood", metric_list=[{"metric": "acc"}])
    return tmp_path


def test_a_task_can_be_a_file_or_in_another_folder(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    path = write(elsewhere, "arc_easy", 4)
    for given in ({"task": str(path)}, {"task": "arc_easy", "include_path": str(elsewhere)}):
        results = run(folder, model=Scripted(lambda *_: 0), n=2, **given)
        rows = results["samples"]["bias_probe"]
        assert {row["doc"]["outcome"]["item"].rpartition("-")[0] for row in rows} == {"arc_easy"}


def test_the_folders_of_the_run_are_searched(folder, tmp_path_factory):
    """As with `lm_eval --include_path FOLDER`, or several folders in Python."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere, "arc_easy", 4).rename(elsewhere / "own.yaml")
    ours, metadata = task_configs_folder(), {"task": "arc_easy", "probes": "system", "n": 2}
    path = str(ours / "probing" / "bias_probe.yaml")
    for include_path in (str(elsewhere), [ours, folder, elsewhere]):
        manager = TaskManager(include_path=include_path, include_defaults=False, metadata=metadata)
        [task] = manager.load([path])["tasks"].values()
        assert task.probed.config.task == "arc_easy"
    metadata |= {"task": "my_own"}
    manager = TaskManager(include_path=folder, include_defaults=False, metadata=metadata)
    with pytest.raises(ValueError, match=r"my_own.*give --include_path"):
        manager.load([path])


def test_a_metric_with_other_values_leaves_answers_unscored_with_a_warning(folder, caplog):
    write_lettered(
        folder, 4, metric_list=[{"metric": "bleu", "aggregation": "bleu", "higher_is_better": True}]
    )
    results = run(folder, "lettered", Scripted(text=lambda _: "A"), n=2, probes="system")
    rows = results["samples"]["bias_probe"]
    assert {row["doc"]["outcome"]["score"] for row in rows} == {None}
    assert all(
        "not a number between 0 and 1" in row["doc"]["outcome"]["explanation"] for row in rows
    )
    assert "8 of 8 answers have no score" in caplog.text


def test_one_error_explains_what_cannot_be_probed_or_is_mistyped(folder):
    write(folder, "race", 4, dataset_kwargs={"data_files": {"test": "nowhere.jsonl"}})
    (folder / "own_class.py").write_text("class Own:\n    task_name = 'own'\n")
    (folder / "own.yaml").write_text("task: own\nclass: !function own_class.Own\n")
    (folder / "mine.yaml").write_text("task: [")
    (folder / "lettered.jsonl").write_text("")
    cases = [
        ({"task": None}, f"name the task to probe; {CAN}"),
        ({"task": "mmul"}, "task='mmul' (did you mean 'mmlu'?): lm-eval has no such"),
        ({"task": "several"}, f"probe one of its tasks; {CAN}"),
        ({"task": "tagged"}, "is a group"),
        ({"task": "ai2_arc"}, "task='ai2_arc' is a group"),  # of lm-eval itself
        ({"task": "winogrande"}, f"task='winogrande' has output_type loglikelihood; {CAN}"),
        ({"task": "own"}, "a Python class of its own"),
        ({"task": "no.yaml"}, "there is no such file; give --include_path"),
        ({"task": str(folder / "mine.yaml")}, "mine.yaml"),
        ({"task": "race"}, "the probed task race cannot be loaded"),
        ({"task": "lettered"}, "the probed task lettered cannot be loaded"),
        (
            {"task": "mmlu", "include_path": "nowhere"},
            "include_path='nowhere': this folder does not exist",
        ),
        ({"task": "mmlu", "probes": "format"}, "format needs a written answer, and this task"),
        ({"task": "gsm8k", "probes": "reflect"}, "run it in Inspect"),
        ({"task": "gsm8k", "probes": "pushback"}, "pushback needs a second model call"),
        ({"task": "gsm8k", "formats": "sep"}, "formats='sep'"),
        ({"task": "mmlu", "formats": "json"}, "formats: none of the selected probes uses it"),
        ({"task": "mmlu", "metric": "acc_nrm"}, "metric='acc_nrm'"),
        ({"task": "mmlu", "probe": "order"}, "unknown parameter 'probe': did you mean 'probes'"),
    ]
    found = []
    for given, told in cases:
        with pytest.raises((DataError, ValueError)) as error:
            run(folder, model=Scripted(), **given)
        if told not in str(error.value):
            found.append((given, str(error.value)))
    assert found == []
