"""What can't be probed in the harness is refused before anything is asked, with what would work."""

import json

import pytest
import yaml

from bias_tasks.data.errors import DataError
from tests.bias_tasks.probing.harness_tasks import TASKS, Scripted, run, write, write_lettered

CAN = "what can be probed are single tasks with output_type multiple_choice or generate_until"


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, "mmlu", 4)
    write(tmp_path, "gsm8k", 8)
    write_lettered(tmp_path, 4)
    group = {"group": "several", "task": ["mmlu", "gsm8k"]}
    (tmp_path / "several.yaml").write_text(yaml.safe_dump(group))
    write(tmp_path, "arc_easy", 4, tag="tagged")
    write(tmp_path, "piqa", 4, output_type="loglikelihood", metric_list=[{"metric": "acc"}])
    return tmp_path


@pytest.mark.parametrize("data", ["", "[]", "\n"])
def test_data_without_a_document_are_named(data, tmp_path):
    write_lettered(tmp_path, 1)
    (tmp_path / "lettered.jsonl").write_text(data)
    with pytest.raises(DataError, match=r"lettered .*can't be loaded: its data have no document"):
        run(tmp_path, "lettered", Scripted())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"task": None}, f"say which task is probed; {CAN}"),
        ({"task": "mmul"}, r"task='mmul' \(did you mean 'mmlu'\?\): the harness knows no such"),
        ({"task": "several"}, f"is a group of tasks.* such as mmlu, gsm8k; {CAN}"),
        ({"task": "tagged"}, f"is a group of tasks.* such as arc_easy; {CAN}"),
        ({"task": "piqa"}, f"task='piqa' has output_type loglikelihood; {CAN}"),
        ({"task": "no.yaml"}, "no.yaml'.*there is no such file"),
        ({"task": "mmlu", "include_path": "nowhere"}, "include_path='nowhere': there is no such"),
        ({"task": "mmlu", "probes": "ordre"}, "did you mean 'order'"),
        ({"task": "mmlu", "probes": "format"}, "format needs a written answer, and this task"),
        ({"task": "gsm8k", "probes": "reflect"}, "asks a model again.*run it in Inspect"),
        ({"task": "gsm8k", "probes": "polish"}, "asks a model for another.*run it in Inspect"),
        ({"task": "gsm8k", "formats": "jsn"}, "formats='jsn'.*json"),
        ({"task": "gsm8k", "formats": "sep"}, "formats='sep'.*one of character"),
        ({"task": "gsm8k", "probes": "typo", "formats": "json"}, "those of the probe format"),
        ({"task": "mmlu", "formats": "json"}, "those of the probe format, which is not asked"),
        ({"task": "mmlu", "metric": "acc_nrm"}, "metric='acc_nrm'.*: expected .* acc"),
        ({"task": "mmlu", "repeats": 0}, "repeats=0: expected a whole number from 1 to 50"),
        ({"task": "mmlu", "probe": "order"}, "unknown parameter 'probe': did you mean 'probes'"),
    ],
)
def test_it_is_said_in_one_line(given, told, folder):
    with pytest.raises(ValueError, match=told):
        run(folder, model=Scripted(), **given)


def test_data_that_can_t_be_had_are_named_with_the_task(folder):
    write(folder, "sciq", 4, dataset_kwargs={"data_files": {"test": "nowhere.jsonl"}})
    with pytest.raises(DataError, match="the task sciq that is to be probed can't be loaded"):
        run(folder, "sciq", Scripted())


@pytest.mark.parametrize("text", ["task: [", "- a list", "task: mine\ndataset_path: json\n", ""])
def test_a_yaml_file_that_is_no_task_is_told_in_one_error(text, folder):
    file = folder / "mine.yaml"
    file.write_text(text)
    with pytest.raises((DataError, ValueError), match=r"mine\.yaml"):
        run(folder, str(file), Scripted())


def test_a_python_class_of_its_own_is_refused(folder):
    (folder / "own_class.py").write_text("class Own:\n    task_name = 'own'\n")
    own = "task: own\nclass: !function own_class.Own\n"
    (folder / "own.yaml").write_text(own)
    with pytest.raises(ValueError, match=f"written as a Python class of its own; {CAN}"):
        run(folder, "own", Scripted())


def test_a_task_may_be_named_by_its_file_or_stand_in_a_folder_of_its_own(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    path = write(elsewhere, "openbookqa", 4)
    for given in (
        {"task": str(path)},
        {"task": "openbookqa", "include_path": str(elsewhere)},
    ):
        results = run(folder, model=Scripted(lambda *_: 0), n=2, **given)
        rows = results["samples"]["bias_probe"]
        assert {row["outcome"]["item"].rpartition("-")[0] for row in rows} == {"openbookqa"}


def test_another_metric_of_the_task_can_be_the_score(folder):
    """Of equal likelihoods the first counts, or the longest for each of its characters."""
    write(folder, "openbookqa", 8)
    equal = Scripted(lambda *_: -1)
    answers = {}
    for metric in ("acc", "acc_norm"):
        results = run(folder, "openbookqa", equal, n="all", probes="system", metric=metric)
        rows = results["samples"]["bias_probe"][::2]
        answers[metric] = [(row["outcome"]["answer"], row["outcome"]["score"]) for row in rows]
    assert [each for each, _ in answers["acc"]] == ["#0"] * 8
    # dark violet, dark saddle, dark granite, dark willow: the third is longest, and right
    assert answers["acc_norm"][6] == ("#2", 1.0)
    assert answers["acc"][6] == ("#0", 0.0)


def test_a_metric_of_other_values_scores_nothing_and_says_so(folder, caplog):
    write_lettered(
        folder, 4, metric_list=[{"metric": "bleu", "aggregation": "bleu", "higher_is_better": True}]
    )
    results = run(folder, "lettered", Scripted(text=lambda _: "A"), n=2, probes="system")
    rows = results["samples"]["bias_probe"]
    assert {row["outcome"]["score"] for row in rows} == {None}
    assert all("no number between 0 and 1" in row["outcome"]["why"] for row in rows)
    assert "8 of 8 answers have no score" in caplog.text
    assert json.dumps(rows[0]["outcome"])


def test_other_filters_are_named(folder):
    results = run(folder, "gsm8k", Scripted(text=lambda _: "so 7"), n=2, probes="system")
    notes = results["configs"]["bias_probe"]["metadata"]["bias_tasks"]["notes"]
    assert "scored by the task's filter strict-match, not by flexible-extract" in notes
    rows = results["samples"]["bias_probe"]
    assert {row["outcome"]["answer"] for row in rows} == {None}
    assert TASKS.is_dir()
