"""`bias-tasks data fetch`, and runs that lack data: from loopback, and without a network."""

import socket
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import datasets
import huggingface_hub
import pytest
from click.testing import CliRunner

from bias_tasks.commands.data.catalogue import SOURCES, catalogue
from bias_tasks.commands.data.command import data
from bias_tasks.data import cache
from bias_tasks.data import fetch as fetching
from bias_tasks.data.cache import UnreachableError
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import MissingError, fetch_missing, is_cached
from bias_tasks.families import PAPERS, load_family
from bias_tasks.names import PROTOCOLS
from tests.bias_tasks.contract.runs import SPECS

STARRED = {row["name"]: row["family"] for row in catalogue() if row["unnamed"]}
ON_PAPER = [
    (family, spec)
    for family, spec in SPECS
    if family in PAPERS and {"data", "dataset"} & {each.name for each in spec.parameters}
]


def run(*arguments):
    return CliRunner().invoke(data, ["fetch", *arguments])


@pytest.fixture
def empty(tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def fetched(empty, monkeypatch):
    """Names of the sources that were fetched; `fld` can't be had, `ib_judging` is another file."""
    names = []

    def fetch(source):
        if source.name == "fld":
            raise UnreachableError("cannot fetch fld")
        if source.name == "ib_judging":
            raise DataError("ib_judging is not the pinned file")
        names.append(source.name)

    monkeypatch.setattr(fetching, "fetch_source", fetch)
    return names


@pytest.fixture
def no_network(empty, monkeypatch):
    """No hub, and a port at which nothing listens; the files that were asked for."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        closed = unused.getsockname()[1]
    asked = []
    download = cache._download

    def counted(repository, commit, file):
        asked.append(file.path)
        download(repository, commit, file)

    def offline(*arguments, **options):
        raise OSError("no network")

    monkeypatch.setattr(cache, "_RAW_FILES", f"http://127.0.0.1:{closed}")
    monkeypatch.setattr(cache, "_download", counted)
    monkeypatch.setattr(huggingface_hub, "dataset_info", offline)
    monkeypatch.setattr(datasets, "load_dataset", offline)
    return asked


_BESIDE = {"complexeval_math": {"responses": "with_references.jsonl"}}
"""What a task needs beside the paper's data before it asks for them."""


def missing(family, spec, **given):
    """The names of the data sets that a task lacks in an empty cache."""
    by_rule = {"attacks": "rule"} if "attacks" in {p.name for p in spec.parameters} else {}
    values = spec.values(by_rule | given)
    with pytest.raises(DataError) as caught:
        load_family(family).plan(spec.name, values)
    told = str(caught.value)
    assert "\n" not in told
    assert "bias-tasks data fetch " in told
    assert "=synthetic" in told
    return told.split("`bias-tasks data fetch ")[1].split("`")[0].split()


def test_what_the_list_stars_is_what_the_tasks_fetch_unnamed(empty, monkeypatch):
    def unreachable(source):
        raise UnreachableError("no network")

    monkeypatch.setattr(fetching, "fetch_source", unreachable)
    lacking = [
        (family, name)
        for family, spec in ON_PAPER
        for protocol in PROTOCOLS
        for name in missing(family, spec, protocol=protocol, **_BESIDE.get(spec.name, {}))
    ]
    assert {name: family for family, name in lacking} == STARRED


def test_it_fetches_what_the_list_stars(fetched):
    assert run().exit_code == 0
    assert sorted(fetched) == sorted(STARRED)
    assert {SOURCES[name].facts["family"] for name in fetched} == set(PAPERS)


def test_it_fetches_what_is_starred_of_a_family(fetched):
    assert run("--family", "binary_qa").exit_code == 0
    assert fetched == [name for name, family in STARRED.items() if family == "binary_qa"]
    fetched.clear()
    assert run("--family", "complex_eval", "--family", "output_format", "folio").exit_code == 0
    two = {name for name, family in STARRED.items() if family in ("complex_eval", "output_format")}
    assert sorted(fetched) == sorted({*two, "folio"})
    assert run("--family", "binaryqa").exit_code == 2


def test_it_goes_on_after_a_failure_and_tells_each_at_the_end(fetched):
    result = run("fld", "folio", "ib_judging", "mmlu_pro")
    assert result.exit_code == 1
    assert fetched == ["folio", "mmlu_pro"]
    assert result.output.endswith(
        "Error: fld: cannot fetch fld\nib_judging: ib_judging is not the pinned file\n"
    )
    assert result.output.index("mmlu_pro: cached in") < result.output.index("cannot fetch")


def test_an_unknown_data_set_is_refused_before_anything_is_fetched(fetched):
    result = run("folio", "foli")
    assert result.exit_code == 2
    assert "unknown source 'foli' (did you mean 'folio'?); the sources are ib_c" in result.output
    assert fetched == []


def test_without_a_network_each_source_fails_in_one_line(no_network, empty):
    result = run()
    assert result.exit_code == 1
    lines = result.output.removeprefix("Error: ").splitlines()
    assert [line.partition(": ")[0] for line in lines] == list(STARRED)
    causes = ("(OSError: no network)", "(ConnectionError: ", "its place gave no answer")
    assert all(any(cause in line for cause in causes) for line in lines)
    assert list(empty.rglob("*.*")) == []


def test_a_place_that_gave_no_answer_is_not_asked_again(no_network):
    assert run("folio", "ib_choice", "boolq", "gsm8k").exit_code == 2  # of formats: format_gsm8k
    result = run("folio", "ib_choice", "boolq", "format_gsm8k")
    assert len(no_network) == 1
    assert "ib_choice: not asked for, since its place gave no answer" in result.output
    assert "boolq: cannot load google/boolq from the hub (OSError: no network)" in result.output
    assert "format_gsm8k: not asked for" in result.output


def test_a_place_that_answers_is_asked_for_each(no_network, monkeypatch):
    def not_there(repository, commit, file):
        no_network.append(file.path)
        raise UnreachableError("404", answered=True)

    monkeypatch.setattr(cache, "_download", not_there)
    assert run("folio", "ib_choice").exit_code == 1
    assert len(no_network) == 2


def test_a_run_without_a_network_is_told_all_that_it_lacks(no_network):
    with pytest.raises(MissingError) as caught:
        fetch_missing([SOURCES["folio"], SOURCES["ib_choice"]])
    told = str(caught.value)
    assert told.startswith("2 data sets are not in the cache: cannot fetch data/v0.0/folio-train")
    assert "run `bias-tasks data fetch folio ib_choice`, and set BIAS_TASKS_DATA to" in told
    assert "\n" not in told
    assert caught.value.names == ["folio", "ib_choice"]
    assert len(no_network) == 1


def test_another_content_than_the_pinned_one_stops_a_run_with_its_own_message(fetched):
    with pytest.raises(DataError, match=r"^ib_judging is not the pinned file$"):
        fetch_missing([SOURCES["fld"], SOURCES["ib_judging"]])


@pytest.fixture
def served(shared_data, tmp_path, monkeypatch):
    """The real files on loopback, and an empty cache; the names of the sets that are all there."""
    at_hand = [name for name, source in SOURCES.items() if not source.on_hub and is_cached(source)]
    handler = partial(SimpleHTTPRequestHandler, directory=str(shared_data))
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *arguments: None)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setattr(cache, "_RAW_FILES", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    yield at_hand
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_real_files_are_fetched_from_a_server_and_verified(served, shared_data, tmp_path):
    assert {"folio", "ib_choice", "rmb_chat", "format_gsm8k"} <= set(served)
    result = run(*served)
    assert result.exit_code == 0, result.output
    for name in served:
        assert is_cached(SOURCES[name])
        assert f"{name}: cached in {tmp_path}" in result.output
    copies = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".sha256"]
    for path in copies:
        original = shared_data / path.relative_to(tmp_path)
        assert path.read_bytes() == original.read_bytes()


def test_a_file_that_was_changed_on_the_way_is_not_kept(served, tmp_path, monkeypatch):
    def changed(self):
        body = b"something else"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    monkeypatch.setattr(SimpleHTTPRequestHandler, "do_GET", changed)
    result = run("folio")
    assert result.exit_code == 1
    assert "its content differs from" in result.output
    assert list(tmp_path.rglob("*.*")) == []
