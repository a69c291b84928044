"""What is fetched is fetched once and verified always; what can't be had is told in one line."""

import hashlib
import json
import subprocess

import datasets
import huggingface_hub
import pooch
import pytest
import requests
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.commands.data import SOURCES, catalogue
from bias_tasks.data import fetch as fetching
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import (
    UnreachableError,
    cached_files,
    fetch_missing,
    fetch_source,
    is_cached,
)
from bias_tasks.data.sources import PinnedFile, Source
from bias_tasks.families import PAPERS, load_family
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.names import PROTOCOLS
from tests.bias_tasks.contract.runs import SPECS

CONTENT = b"[1, 2, 3]\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = "a folder/my file.json"
BY_SHA256 = PinnedFile(NAME, sha256=SHA256)
BY_GIT = PinnedFile(NAME, git_blob="b5d8bb58d9bc3a8d1d15f2248c74b2f406e56746")
UNKNOWN = PinnedFile(NAME)
STARRED = {row["name"]: row["family"] for row in catalogue() if row["unnamed"]}


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def network(empty, monkeypatch):
    """Stands in for the network: `content` is what it serves, or its error; `urls` were asked."""

    class Network:
        content = CONTENT
        urls = ()

        def __init__(self, **options):
            assert sum(options["timeout"]) <= 15

        def __call__(self, url, output_file, downloads):
            Network.urls += (url,)
            if isinstance(Network.content, Exception):
                raise Network.content
            with open(output_file, "wb") as stream:
                stream.write(Network.content)

    monkeypatch.setattr(pooch, "HTTPDownloader", Network)
    return Network


def fetch(file):
    told = dict.fromkeys(("name", "family", "description", "licence"), "x")
    source = Source(**told, repository="owner/name", revision="c0ffee", files=(file,))
    [path], origin = fetch_source(source)
    return path, origin


@pytest.mark.parametrize("file", [BY_SHA256, BY_GIT, UNKNOWN])
def test_a_file_is_fetched_once_from_the_commit_and_never_written_to_again(empty, network, file):
    path, origin = fetch(file)
    assert path == empty / "owner/name/c0ffee" / NAME
    assert path.read_bytes() == CONTENT
    path.parent.chmod(0o555)
    try:
        assert fetch(file) == (path, origin)
    finally:
        path.parent.chmod(0o755)
    (url,) = network.urls
    assert url.endswith("/owner/name/c0ffee/a%20folder/my%20file.json")
    hashes = {"git_blob": BY_GIT.git_blob} if file is BY_GIT else {"sha256": SHA256}
    assert origin["files"] == [{"path": NAME, **hashes}]
    assert (origin["repository"], origin["revision"]) == ("owner/name", "c0ffee")
    hashed = subprocess.run(["git", "hash-object", "--no-filters", path], capture_output=True)
    assert hashed.stdout.decode().strip() == BY_GIT.git_blob


@pytest.mark.parametrize("file", [BY_SHA256, BY_GIT])
def test_other_content_is_refused_and_not_kept_and_ones_own_left_alone(empty, network, file):
    network.content = CONTENT + b"x"
    with pytest.raises(DataError, match=r"my file\.json.*content differs"):
        fetch(file)
    assert [path for path in empty.rglob("*") if path.is_file()] == []
    path = empty / "owner/name/c0ffee" / NAME
    path.write_bytes(b"mine")
    with pytest.raises(DataError, match="Delete it to fetch it again"):
        fetch(file)
    assert path.read_bytes() == b"mine"


def test_a_file_without_a_known_hash_is_held_to_what_was_first_loaded(network):
    path, _ = fetch(UNKNOWN)
    path.write_bytes(b"changed")
    with pytest.raises(DataError, match="is not the pinned file"):
        fetch(UNKNOWN)
    for damaged in (b"", b"\xff", b"[1]", b'{"revision": "c0ffee"}'):
        path.with_name(f"{path.name}.pin.json").write_bytes(damaged)
        with pytest.raises(DataError, match="is damaged; delete it to record the hash anew"):
            fetch(UNKNOWN)


REVISION = "0123456789abcdef"
LABELS = ["PROVED"] * 160 + ["DISPROVED"] * 160 + ["UNKNOWN"] * 320
RECORDS = [
    {"hypothesis": f"Statement {i}.", "context": f"Fact {i // 2}.", "proof_label": label}
    for i, label in enumerate(LABELS)
]


@pytest.fixture
def the_hub(empty, monkeypatch):
    """Stands in for the hub; counts its calls."""

    class Hub:
        revision = REVISION
        calls = ()

    def dataset_info(repository, revision, timeout):
        assert timeout <= 10
        return type("Info", (), {"sha": Hub.revision})

    def load_dataset(repository, config, *, split, revision):
        Hub.calls += ((repository, config, split, revision),)
        return datasets.Dataset.from_list(RECORDS)

    monkeypatch.setattr(huggingface_hub, "dataset_info", dataset_info)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    return Hub


def test_the_revision_of_the_hub_is_recorded_and_reused(the_hub):
    loaded = load_items(sources="fld")
    labels = [item.label for item in loaded.items]
    assert [labels.count(label) for label in ("True", "False", "Unknown")] == [150, 150, 300]
    (origin,) = loaded.provenance
    assert (origin["repository"], origin["revision"]) == ("hitachi-nlp/FLD.v2", REVISION)
    [cached] = cached_files(SOURCES["fld"])
    pin = json.loads(cached.pin.read_text())
    assert pin == {"revision": REVISION, "sha256": origin["files"][0]["sha256"]}
    the_hub.revision = "a newer one"
    assert load_items(sources="fld") == loaded
    assert the_hub.calls == (("hitachi-nlp/FLD.v2", "default", "test", REVISION),)
    cached.path.unlink()
    assert load_items(sources="fld") == loaded
    assert the_hub.calls[1:] == the_hub.calls[:1]  # a lost copy comes at the recorded revision


def test_a_copy_recorded_at_another_revision_is_loaded_again_and_others_are_refused(the_hub):
    boolq = SOURCES["boolq"]
    fetch_source(boolq)
    [cached] = cached_files(boolq)
    record = json.loads(cached.pin.read_text())
    cached.pin.write_text(json.dumps(record | {"revision": "older"}))
    assert not is_cached(boolq)
    fetch_source(boolq)
    assert (is_cached(boolq), len(the_hub.calls)) == (True, 2)
    cached.path.write_text("{}\n")
    with pytest.raises(DataError, match="is not the pinned file"):
        fetch_source(boolq)
    cached.pin.write_text("[" * 5000)
    with pytest.raises(DataError, match=r"default-validation\.json is damaged; delete it"):
        fetch_source(boolq)
    listed = CliRunner().invoke(main, ["data", "list"])
    assert (listed.exit_code, listed.output.count("\n")) == (1, 1)


def run(*arguments):
    return CliRunner().invoke(main, ["data", "fetch", *arguments])


def test_the_command_fetches_what_is_starred_or_named_and_goes_on_after_a_failure(monkeypatch):
    fetched = []

    def fetch(source):
        if source.name in ("fld", "ib_judging"):
            kind = UnreachableError if source.name == "fld" else DataError
            raise kind(f"no {source.name}")
        fetched.append(source.name)

    monkeypatch.setattr("bias_tasks.commands.data.fetch_source", fetch)
    assert run().exit_code == 0
    assert sorted(fetched) == sorted(STARRED)
    assert {SOURCES[name].family for name in fetched} == set(PAPERS)
    fetched.clear()
    result = run("fld", "folio", "ib_judging", "mmlu_pro")
    assert result.output.endswith("Error: fld: no fld\nib_judging: no ib_judging\n")
    assert (result.exit_code, fetched) == (1, ["folio", "mmlu_pro"])
    assert run("folio", "foli").exit_code != 0


_UNATTACKED = {name: family for name, family in STARRED.items() if family != "complex_eval"}
"""Those of judges take attacked responses, which the paper's data have not, before a run."""


def test_what_the_list_stars_is_what_the_tasks_fetch_unnamed(empty, monkeypatch):
    def unreachable(source):
        raise UnreachableError("no network")

    monkeypatch.setattr(fetching, "fetch_source", unreachable)
    lacking = {}
    for family, spec in SPECS:
        for protocol in PROTOCOLS if family in _UNATTACKED.values() else ():
            values = spec.values({"data": "paper", "protocol": protocol})
            with pytest.raises(DataError, match=r"data fetch .*=(core|synthetic)") as caught:
                load_family(family).plan(spec.name, values)
            names = str(caught.value).split("`bias-tasks data fetch ")[1].split("`")[0]
            lacking |= dict.fromkeys(names.split(), family)
    assert lacking == _UNATTACKED


def test_without_a_network_a_run_names_what_it_lacks(empty, monkeypatch):
    """After one attempt; the command tries every data set."""
    asked = []

    def offline(address, **options):
        asked.append(address)
        raise requests.exceptions.ConnectionError("no network")

    def no_hub(*arguments, **options):
        raise OSError("no network")

    monkeypatch.setattr(pooch, "retrieve", offline)
    monkeypatch.setattr(huggingface_hub, "dataset_info", no_hub)
    with pytest.raises(UnreachableError) as caught:
        fetch_missing([SOURCES["folio"], SOURCES["ib_choice"]])
    told = str(caught.value)
    assert told.startswith("2 data sets are not in the cache: cannot fetch data/v0.0/folio-train")
    assert "run `bias-tasks data fetch folio ib_choice`, and set BIAS_TASKS_DATA to" in told
    assert len(asked) == 1
    result = run("folio", "ib_choice", "boolq")
    assert (result.exit_code, len(asked)) == (1, 3)
    assert "ib_choice: cannot fetch src/dataset/choice_tfu_format_dataset.json" in result.output
    assert "boolq: cannot load google/boolq from the hub (OSError: no network)" in result.output
