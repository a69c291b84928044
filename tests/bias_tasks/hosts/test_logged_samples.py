"""What is read of an Inspect log is what Inspect reads of it, in whatever form the log is."""

import json
import zipfile

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

from bias_tasks.results import logged_samples
from bias_tasks.results.logged_samples import of_samples
from bias_tasks.tasks.binary_qa import binaryqa_prc

NEEDED = {"id", "epoch", "input", "output", "scores", "metadata", "error", "target"}


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> EvalLog:
    [log] = inspect_eval(
        binaryqa_prc(data="synthetic", n=4),
        model="simulated/wavering",
        epochs=2,
        log_dir=str(tmp_path_factory.mktemp("logs")),
        display="none",
    )
    assert log.status == "success", log.error
    return log


def read(path):
    return of_samples(path, lambda sample: sample.model_dump(include=NEEDED))


def by_inspect(path):
    return [sample.model_dump(include=NEEDED) for sample in read_eval_log(str(path)).samples]


@pytest.mark.parametrize("form", ["eval", "json"])
def test_samples_are_those_that_inspect_reads_in_its_order(form, log, tmp_path):
    path = tmp_path / f"log.{form}"
    write_eval_log(log, str(path))
    assert read(path) == by_inspect(path)
    assert len(read(path)) == 4 * 3 * 2


def test_transcripts_of_the_usual_form_are_never_checked(log, tmp_path):
    path = tmp_path / "log.eval"
    write_eval_log(log, str(path))
    rewritten(path, lambda row: {**row, "events": "no list of events"})
    assert len(read(path)) == 4 * 3 * 2
    with pytest.raises(ValueError, match="events"):
        read_eval_log(str(path))


def test_of_a_sample_that_was_asked_again_the_later_one_counts(log, tmp_path):
    path = tmp_path / "log.eval"
    write_eval_log(log, str(path))
    with zipfile.ZipFile(path, "a") as archive:
        name = next(each for each in archive.namelist() if each.startswith("samples/"))
        row = json.loads(archive.read(name))
        archive.writestr(name, json.dumps({**row, "metadata": {**row["metadata"], "later": True}}))
    assert read(path) == by_inspect(path)
    assert sum("later" in sample["metadata"] for sample in read(path)) == 1


def test_a_log_in_another_form_is_left_to_inspect(log, tmp_path):
    path = tmp_path / "log.eval"
    write_eval_log(log, str(path))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/another_epoch_1/sample.json", "{}")
    assert logged_samples._names(path) is None


def rewritten(path, change):
    """The log with each of its samples changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            inside = name.startswith("samples/")
            archive.writestr(name, json.dumps(change(json.loads(data))) if inside else data)
