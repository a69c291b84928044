"""Fetching, verifying and failing, without a network."""

import hashlib
import subprocess

import pooch
import pytest
import requests

from bias_tasks.data import cache
from bias_tasks.data.errors import DataError
from bias_tasks.data.pinned import PinnedFile
from tests.bias_tasks.data.places import PLACES, told

CONTENT = b"[1, 2, 3]\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
BLOB = "b5d8bb58d9bc3a8d1d15f2248c74b2f406e56746"
BY_SHA256 = PinnedFile("a folder/my file.json", sha256=SHA256)
UNKNOWN = PinnedFile(BY_SHA256.path)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def network(monkeypatch):
    """Stands in for the network: set `content` to what it serves, or to an error."""

    class Network:
        content = CONTENT
        urls = ()
        options = None

        def __init__(self, **options):
            Network.options = options

        def __call__(self, url, output_file, downloads):
            Network.urls += (url,)
            if isinstance(Network.content, Exception):
                raise Network.content
            with open(output_file, "wb") as stream:
                stream.write(Network.content)

    monkeypatch.setattr(pooch, "HTTPDownloader", Network)
    return Network


@pytest.fixture
def no_network(monkeypatch):
    def fail(*args, **kwargs):
        raise AssertionError("asked the network for a file that is cached")

    monkeypatch.setattr(pooch, "Pooch", fail)


@pytest.mark.parametrize("file", [BY_SHA256, PinnedFile(BY_SHA256.path, git_blob=BLOB)])
def test_a_file_is_fetched_once_from_the_commit(folder, network, file):
    path = cache.fetch("owner/name", "c0ffee", file)
    assert path == folder / "owner/name/c0ffee/a folder/my file.json"
    assert path.read_bytes() == CONTENT
    assert cache.fetch("owner/name", "c0ffee", file) == path
    (url,) = network.urls
    assert url.endswith("/owner/name/c0ffee/a%20folder/my%20file.json")
    assert network.options["progressbar"] is True
    assert sum(network.options["timeout"]) <= 15


def test_a_file_that_never_comes_leaves_no_folder(folder, network):
    network.content = OSError("no route to host")
    (folder / "owner/name").mkdir(parents=True)
    (folder / "owner/name/kept").touch()
    with pytest.raises(DataError, match="no route to host"):
        cache.fetch("owner/name", "c0ffee", BY_SHA256)
    assert [path.name for path in (folder / "owner/name").iterdir()] == ["kept"]


def test_the_git_blob_id_is_gits(tmp_path):
    path = tmp_path / "content"
    path.write_bytes(CONTENT)
    told = subprocess.run(
        ["git", "hash-object", "--no-filters", path], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == BLOB


@pytest.mark.parametrize("file", [BY_SHA256, PinnedFile(BY_SHA256.path, git_blob=BLOB)])
def test_a_cached_file_needs_no_network_and_no_writing(folder, no_network, file):
    path = cache.cached_path("owner/name", "c0ffee", file)
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    path.parent.chmod(0o555)
    before = path.stat()
    try:
        assert cache.fetch("owner/name", "c0ffee", file) == path
        assert (path.stat().st_mtime_ns, list(path.parent.iterdir())) == (
            before.st_mtime_ns,
            [path],
        )
    finally:
        path.parent.chmod(0o755)


@pytest.mark.parametrize("file", [BY_SHA256, PinnedFile(BY_SHA256.path, git_blob=BLOB)])
def test_other_content_is_refused_and_not_kept(folder, network, file):
    network.content = CONTENT + b"x"
    with pytest.raises(DataError, match=r"my file\.json.*content differs"):
        cache.fetch("owner/name", "c0ffee", file)
    assert [path for path in folder.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("file", [BY_SHA256, UNKNOWN])
@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_does_not_pass_for_one(folder, no_network, place, file):
    path = cache.cached_path("owner/name", "c0ffee", file)
    path.parent.mkdir(parents=True)
    PLACES[place](path)
    with pytest.raises(DataError) as caught:
        cache.fetch("owner/name", "c0ffee", file)
    what = f"cannot read {path}: it is {told(place)}, not a file."
    assert str(caught.value) == f"{what} Take it away to have the file made anew"


@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_does_not_pass_for_a_recorded_hash(folder, no_network, place):
    path = cache.cached_path("owner/name", "c0ffee", UNKNOWN)
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    record = path.with_name(f"{path.name}.sha256")
    PLACES[place](record)
    with pytest.raises(DataError) as caught:
        cache.fetch("owner/name", "c0ffee", UNKNOWN)
    what = f"cannot read {record}: it is {told(place)}, not a file."
    assert str(caught.value) == f"{what} Take it away to have the file made anew"


@pytest.mark.parametrize("record", [b"", b"\xff", SHA256[:-1].encode(), b"a\n" * 40])
def test_a_damaged_record_is_named(folder, no_network, record):
    path = cache.cached_path("owner/name", "c0ffee", UNKNOWN)
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    path.with_name(f"{path.name}.sha256").write_bytes(record)
    with pytest.raises(DataError) as caught:
        cache.fetch("owner/name", "c0ffee", UNKNOWN)
    assert str(caught.value) == f"{path}.sha256 is damaged; delete it to record the hash anew"


def test_a_file_in_the_place_of_a_folder(folder):
    (folder / "owner").write_bytes(b"")
    with pytest.raises(DataError, match="cannot fetch") as caught:
        cache.fetch("owner/name", "c0ffee", BY_SHA256)
    assert "\n" not in str(caught.value)


def test_a_damaged_cached_file_is_named_and_left_alone(folder, no_network):
    path = cache.cached_path("owner/name", "c0ffee", BY_SHA256)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"mine")
    with pytest.raises(DataError, match="not the pinned file") as caught:
        cache.fetch("owner/name", "c0ffee", BY_SHA256)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == b"mine"


@pytest.mark.parametrize(
    "error",
    [
        requests.exceptions.ConnectionError("no route " * 100),
        requests.exceptions.HTTPError("404 Client Error: Not Found"),
        requests.exceptions.Timeout("too slow"),
        PermissionError("read-only"),
    ],
)
def test_a_failed_fetch_names_the_file_and_the_cause_alone(folder, network, error):
    network.content = error
    with pytest.raises(cache.UnreachableError) as caught:
        cache.fetch("owner/name", "c0ffee", BY_SHA256)
    told = str(caught.value)
    assert told.startswith("cannot fetch a folder/my file.json of owner/name (")
    assert type(error).__name__ in told
    assert "\n" not in told
    assert len(told) < 400
    assert caught.value.__suppress_context__  # the network's own chain of errors is not printed


def test_a_place_that_answers_is_told_from_one_that_does_not(folder, network):
    for error, answered in [
        (requests.exceptions.ConnectionError(), False),
        (requests.exceptions.ConnectTimeout(), False),
        (requests.exceptions.HTTPError("404"), True),
        (PermissionError("read-only"), True),
    ]:
        network.content = error
        with pytest.raises(cache.UnreachableError) as caught:
            cache.fetch("owner/name", "c0ffee", BY_SHA256)
        assert caught.value.answered is answered


def test_without_the_variable_the_systems_cache_folder_is_used(monkeypatch):
    monkeypatch.delenv("BIAS_TASKS_DATA", raising=False)
    assert cache.cache_folder() == pooch.os_cache("bias-tasks")
