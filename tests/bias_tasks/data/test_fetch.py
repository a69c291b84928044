"""Data sets are fetched once and always verified; an unreachable one is reported in one line."""

import hashlib
import json
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import datasets
import huggingface_hub
import pooch
import pytest
import requests
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.commands.data import SOURCES, describe_sources
from bias_tasks.data import fetch as fetching
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import (
    UnreachableError,
    cached_files,
    fetch_missing,
    fetch_source,
    is_cached,
)
from bias_tasks.data.files import open_to_replace
from bias_tasks.data.sources import PinnedFile, Source
from bias_tasks.families import PAPERS, load_family
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.protocols import PROTOCOLS
from tests.bias_tasks.contract.runs import SPECS

CONTENT = b"[1, 2, 3]\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = "a folder/my file.json"
BY_SHA256 = PinnedFile(NAME, sha256=SHA256)
BY_GIT = PinnedFile(NAME, git_blob="b5d8bb58d9bc3a8d1d15f2248c74b2f406e56746")
UNKNOWN = PinnedFile(NAME)
STARRED = {row["name"]: row["family"] for row in describe_sources() if row["unnamed"]}


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def network(empty, monkeypatch):
    """A simulated network: `content` is what it serves, or its error; `urls` are its requests."""

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
    texts = dict.fromkeys(("name", "family", "description", "licence"), "x")
    source = Source(**texts, repository="owner/name", revision="c0ffee", files=(file,))
    [path], origin = fetch_source(source)
    return path, origin


@pytest.mark.parametrize("file", [BY_SHA256, BY_GIT, UNKNOWN])
def test_a_file_is_fetched_once_from_its_commit_and_never_changed(empty, network, file):
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
    blob = {"git_blob": BY_GIT.git_blob} if file is BY_GIT else {}
    assert origin["files"] == [{"path": NAME, "sha256": SHA256, **blob}]
    assert (origin["repository"], origin["revision"]) == ("owner/name", "c0ffee")
    hashed = subprocess.run(["git", "hash-object", "--no-filters", path], capture_output=True)
    assert hashed.stdout.decode().strip() == BY_GIT.git_blob


@pytest.mark.parametrize("file", [BY_SHA256, BY_GIT, UNKNOWN])
def test_two_processes_can_fill_one_cache(empty, network, file, monkeypatch):
    both = threading.Barrier(2, timeout=20)
    download, digest = network.__call__, fetching._digest

    def wait_and_download(*arguments):
        both.wait()
        download(*arguments)

    def wait_and_digest(*arguments):
        both.wait()
        return digest(*arguments)

    monkeypatch.setattr(network, "__call__", wait_and_download)
    monkeypatch.setattr(fetching, "_digest", wait_and_digest)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(fetch, [file, file])
    assert first == second
    assert first[0].read_bytes() == CONTENT
    assert not list(empty.rglob("*.tmp"))


def test_writers_of_one_file_do_not_share_a_temporary_file(tmp_path):
    path = tmp_path / "file"
    with open_to_replace(path) as outer:
        with open_to_replace(path) as inner:
            inner.write(b"inner")
        assert path.read_bytes() == b"inner"
        outer.write(b"outer")
    assert path.read_bytes() == b"outer"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("file", [BY_SHA256, BY_GIT])
def test_other_content_is_refused_and_deleted_unless_it_was_cached(empty, network, file):
    network.content = CONTENT + b"x"
    with pytest.raises(DataError, match=r"my file\.json.*content does not have the hash"):
        fetch(file)
    assert not [path for path in empty.rglob("*") if path.is_file()]
    path = empty / "owner/name/c0ffee" / NAME
    path.write_bytes(b"mine")
    with pytest.raises(DataError, match="Delete it to fetch it again"):
        fetch(file)
    assert path.read_bytes() == b"mine"


def test_a_file_pinned_by_its_blob_has_its_sha256_recorded_at_the_first_verified_load(network):
    path, _ = fetch(BY_GIT)
    pin = path.with_name(f"{path.name}.pin.json")
    assert json.loads(pin.read_bytes()) == {"revision": "c0ffee", "sha256": SHA256}
    pin.write_text(json.dumps({"revision": "c0ffee", "sha256": hashlib.sha256(b"x").hexdigest()}))
    with pytest.raises(DataError, match="is not the pinned file"):
        fetch(BY_GIT)  # the blob id would still match
    path.write_bytes(b"other")
    pin.unlink()
    with pytest.raises(DataError, match=f"does not have the hash {BY_GIT.git_blob}"):
        fetch(BY_GIT)
    assert not pin.exists()


@pytest.mark.parametrize("file", [UNKNOWN, BY_GIT])
def test_a_file_without_a_pinned_sha256_must_match_the_first_load(network, file):
    path, _ = fetch(file)
    path.write_bytes(b"changed")
    with pytest.raises(DataError, match="is not the pinned file"):
        fetch(file)
    for damaged in (b"", b"\xff", b"[1]", b'{"revision": "c0ffee"}'):
        path.with_name(f"{path.name}.pin.json").write_bytes(damaged)
        with pytest.raises(DataError, match="is damaged; delete it to record the hash again"):
            fetch(file)


REVISION = "0123456789abcdef"
LABELS = ["PROVED"] * 160 + ["DISPROVED"] * 160 + ["UNKNOWN"] * 320
RECORDS = [
    {"hypothesis": f"Statement {i}.", "context": f"Fact {i // 2}.", "proof_label": label}
    for i, label in enumerate(LABELS)
]


@pytest.fixture
def the_hub(empty, monkeypatch):
    """A simulated hub that records its calls."""

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


def test_the_revision_of_a_hub_data_set_is_recorded_and_reused(the_hub):
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
    assert (
        the_hub.calls[1:] == the_hub.calls[:1]
    )  # a deleted copy is loaded at the recorded revision


def test_a_revision_that_a_user_names_is_recorded(the_hub):
    assert run("fld", "--revision", "fedcba").exit_code == 0
    load_items(sources="fld")
    [cached] = cached_files(SOURCES["fld"])
    assert (cached.revision, the_hub.calls[0][-1], len(the_hub.calls)) == ("fedcba", "fedcba", 1)
    refused = run("folio", "--revision", "fedcba")
    assert "folio: its revision is pinned to" in refused.output
    assert refused.exit_code == 1


def test_a_copy_of_another_revision_is_reloaded_and_a_changed_copy_is_refused(the_hub):
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


def test_the_command_fetches_starred_or_named_data_sets_and_continues_after_a_failure(monkeypatch):
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
"""Starred data sets except those of complex_eval, whose tasks need attacked responses first."""


def test_the_starred_data_sets_are_those_that_tasks_fetch_by_default(empty, monkeypatch):
    def unreachable(source):
        raise UnreachableError("no network")

    monkeypatch.setattr(fetching, "fetch_source", unreachable)
    missing = {}
    for family, spec in SPECS:
        # These tasks are not the papers', and cannot repeat them.
        is_ours = spec.name in ("pushback", "format_structured")
        protocols = PROTOCOLS[:1] if is_ours else PROTOCOLS
        for protocol in protocols if family in _UNATTACKED.values() else ():
            values = spec.values({"data": "paper", "protocol": protocol})
            with pytest.raises(DataError, match=r"data fetch .*=(core|synthetic)") as caught:
                load_family(family).plan(spec.name, values)
            names = str(caught.value).split("`bias-tasks data fetch ")[1].split("`")[0]
            missing |= dict.fromkeys(names.split(), family)
    assert missing == _UNATTACKED


def test_without_a_network_a_run_names_its_missing_data_sets(empty, monkeypatch):
    """A run stops after one attempt; the command tries every data set."""
    addresses = []

    def offline(address, **options):
        addresses.append(address)
        raise requests.exceptions.ConnectionError("no network")

    def no_hub(*arguments, **options):
        raise OSError("no network")

    monkeypatch.setattr(pooch, "retrieve", offline)
    monkeypatch.setattr(huggingface_hub, "dataset_info", no_hub)
    with pytest.raises(UnreachableError) as caught:
        fetch_missing([SOURCES["folio"], SOURCES["ib_choice"]])
    message = str(caught.value)
    assert message.startswith(
        "2 data sets are not in the cache: cannot fetch data/v0.0/folio-train"
    )
    assert "run `bias-tasks data fetch folio ib_choice`, and set BIAS_TASKS_DATA to" in message
    assert len(addresses) == 1
    with pytest.raises(UnreachableError) as again:  # no second attempt in this process
        fetch_missing([SOURCES["folio"], SOURCES["ib_choice"]])
    assert (str(again.value), len(addresses)) == (message, 1)
    result = run("folio", "ib_choice", "boolq")
    assert (result.exit_code, len(addresses)) == (1, 3)
    assert "ib_choice: cannot fetch src/dataset/choice_tfu_format_dataset.json" in result.output
    assert "boolq: cannot load google/boolq from the hub (OSError: no network)" in result.output
