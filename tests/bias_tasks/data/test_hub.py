"""A hub data set is resolved once and then comes from the cache, without a network."""

import json

import datasets
import huggingface_hub
import pytest
from click.testing import CliRunner
from huggingface_hub import errors

from bias_tasks.commands.data.command import data
from bias_tasks.data import hub
from bias_tasks.data.errors import DataError
from bias_tasks.instruction_boundary.data.load import load_items
from tests.bias_tasks.data.places import PLACES, told

REVISION = "0123456789abcdef"
LABELS = ["PROVED"] * 160 + ["DISPROVED"] * 160 + ["UNKNOWN"] * 320
RECORDS = [
    {"hypothesis": f"Statement {i}.", "context": f"Fact {i // 2}.", "proof_label": label}
    for i, label in enumerate(LABELS)
]


@pytest.fixture
def the_hub(tmp_path, monkeypatch):
    """Stands in for the hub; counts its calls."""

    class Hub:
        revision = REVISION
        records = RECORDS
        calls = ()

    def dataset_info(repository, revision, timeout):
        assert timeout <= 10
        Hub.calls += (("info", repository, revision),)
        return type("Info", (), {"sha": Hub.revision})

    def load_dataset(repository, config, *, split, revision):
        Hub.calls += (("load", repository, config, split, revision),)
        return datasets.Dataset.from_list(Hub.records)

    monkeypatch.setattr(huggingface_hub, "dataset_info", dataset_info)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    return Hub


def test_the_resolved_revision_is_recorded_and_reused(the_hub, tmp_path):
    loaded = load_items(sources="fld")
    labels = [item.label for item in loaded.items]
    assert [labels.count(label) for label in ("True", "False", "Unknown")] == [150, 150, 300]
    (origin,) = loaded.provenance
    assert (origin["repository"], origin["revision"]) == ("hitachi-nlp/FLD.v2", REVISION)
    assert origin["n"] == 600
    pin = json.loads((tmp_path / "hitachi-nlp/FLD.v2/default-test.json").read_text())
    assert pin == {"revision": REVISION, "sha256": origin["files"][0]["sha256"]}
    assert the_hub.calls == (
        ("info", "hitachi-nlp/FLD.v2", None),
        ("load", "hitachi-nlp/FLD.v2", "default", "test", REVISION),
    )
    the_hub.revision = "a newer one"
    assert load_items(sources="fld") == loaded
    assert len(the_hub.calls) == 2


def test_a_lost_copy_is_loaded_again_at_the_recorded_revision(the_hub):
    loaded = load_items(sources="fld")
    hub.copy_path("hitachi-nlp/FLD.v2", "default", "test").unlink()
    the_hub.revision = "a newer one"
    assert load_items(sources="fld") == loaded
    assert the_hub.calls[-1][-1] == REVISION


def test_a_changed_copy_is_refused(the_hub):
    load_items(sources="fld")
    copy = hub.copy_path("hitachi-nlp/FLD.v2", "default", "test")
    copy.write_text(copy.read_text() + "\n")
    with pytest.raises(DataError, match="is not what was first loaded"):
        load_items(sources="fld")


def test_a_damaged_record_is_named(the_hub):
    load_items(sources="fld")
    hub.pin_path("hitachi-nlp/FLD.v2", "default", "test").write_text("{}")
    with pytest.raises(DataError, match=r"default-test\.json is damaged; delete it"):
        load_items(sources="fld")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("where", [hub.copy_path, hub.pin_path])
def test_what_is_no_file_does_not_pass_for_one(the_hub, place, where):
    load_items(sources="fld")
    path = where("hitachi-nlp/FLD.v2", "default", "test")
    path.unlink()
    PLACES[place](path)
    with pytest.raises(DataError) as caught:
        load_items(sources="fld")
    assert str(caught.value).startswith(f"cannot read {path}: it is {told(place)}, not a file. ")
    assert len(the_hub.calls) == 2


def test_a_damaged_record_is_named_by_the_command_that_lists_the_data_sets(the_hub):
    load_items(sources="fld")
    hub.pin_path("hitachi-nlp/FLD.v2", "default", "test").write_text("[" * 5000)
    listed = CliRunner().invoke(data, ["list"])
    assert (listed.exit_code, listed.output.count("\n")) == (1, 1)
    assert "is damaged; delete it" in listed.output


@pytest.mark.parametrize("error", [errors.HTTPError("no route"), OSError("full"), ValueError("x")])
def test_a_failed_load_names_both_ways_out(the_hub, monkeypatch, error, tmp_path):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(huggingface_hub, "dataset_info", fail)
    with pytest.raises(DataError) as caught:
        load_items(sources="fld")
    ways_out = ("bias-tasks data fetch fld`", "data=synthetic", "BIAS_TASKS_DATA")
    for named in ("hitachi-nlp/FLD.v2", *ways_out, str(error)):
        assert named in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_too_few_records_are_an_error(the_hub):
    the_hub.records = RECORDS[:200]
    with pytest.raises(DataError, match="150 items with the label False are wanted, 40 are there"):
        load_items(sources="fld")
