"""What the registry says is true, and what nobody could pin is recorded at the first load."""

import errno
import hashlib
import json
from pathlib import Path

import datasets
import huggingface_hub
import pooch
import pytest
from click.testing import CliRunner

from bias_tasks.binary_qa.data.converters import CONVERTERS
from bias_tasks.binary_qa.data.paper import BINARY_SOURCES, DOMAIN_SOURCES, MOST_PER_ANSWER
from bias_tasks.binary_qa.items import PAPER_DOMAINS
from bias_tasks.commands.data import command as commands
from bias_tasks.commands.data.catalogue import SOURCES
from bias_tasks.complex_eval.data.sources import JUDGED_SOURCES
from bias_tasks.data import cache, hub
from bias_tasks.data.errors import DataError
from bias_tasks.data.pinned import PinnedFile
from bias_tasks.instruction_boundary.data.load import INSTRUCTION_BOUNDARY, load_items
from bias_tasks.judging.data.sources import JUDGING_SOURCES
from bias_tasks.output_format.data.sources import FORMAT_SOURCES

CONTENT = b"one\ntwo\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
UNHASHED = PinnedFile("folder/marks.tsv")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def network(monkeypatch):
    served = {"content": CONTENT}

    def download(url, output_file, downloads):
        with open(output_file, "wb") as stream:
            stream.write(served["content"])

    monkeypatch.setattr(pooch, "HTTPDownloader", lambda **options: download)
    return served


def test_one_registry_holds_every_family():
    families = (
        INSTRUCTION_BOUNDARY,
        BINARY_SOURCES,
        FORMAT_SOURCES,
        JUDGED_SOURCES,
        JUDGING_SOURCES,
    )
    assert {name: source for family in families for name, source in family.items()} == SOURCES
    assert len(SOURCES) == sum(map(len, families))
    assert set(CONVERTERS) == set(BINARY_SOURCES)
    with pytest.raises(DataError, match="unknown source 'boolq'; the sources are ib_choice"):
        load_items(sources="boolq")


def test_a_paper_domain_has_100_questions_of_each_answer():
    for domain in PAPER_DOMAINS:
        sources = [BINARY_SOURCES[name] for name in DOMAIN_SOURCES[domain]]
        assert sum(sum(source.quotas.values()) for source in sources) == MOST_PER_ANSWER
        assert all(source.questions == 2 * sum(source.quotas.values()) for source in sources)
    named = {name for names in DOMAIN_SOURCES.values() for name in names}
    assert set(BINARY_SOURCES) - named == {"hotpotqa_formateval", "wmt_ted_ende"}


def test_pinned_hashes_are_those_of_the_real_files(shared_data):
    checked = 0
    for source in BINARY_SOURCES.values():
        for file in source.files:
            path = shared_data / source.repository / source.revision / file.path
            if file.sha256 is not None:
                assert cache.matches(path, PinnedFile(file.path, sha256=file.sha256))
                assert cache.matches(path, PinnedFile(file.path, git_blob=file.git_blob))
                checked += 1
    assert checked == 6


def test_an_unknown_hash_is_recorded_at_the_first_load(folder, network):
    path = cache.fetch("owner/name", "c0ffee", UNHASHED)
    assert path.read_bytes() == CONTENT
    assert (path.parent / "marks.tsv.sha256").read_text() == f"{SHA256}\n"
    assert cache.as_recorded("owner/name", "c0ffee", UNHASHED).sha256 == SHA256
    path.write_bytes(b"other")
    with pytest.raises(DataError, match=f"content differs from sha256 {SHA256}"):
        cache.fetch("owner/name", "c0ffee", UNHASHED)


def test_a_lost_file_is_held_to_the_recorded_hash(folder, network):
    cache.fetch("owner/name", "c0ffee", UNHASHED).unlink()
    network["content"] = b"other"
    with pytest.raises(DataError, match="content differs"):
        cache.fetch("owner/name", "c0ffee", UNHASHED)
    network["content"] = CONTENT
    assert cache.fetch("owner/name", "c0ffee", UNHASHED).read_bytes() == CONTENT


def test_a_file_put_there_by_hand_is_recorded_too(folder):
    path = cache.cached_path("owner/name", "c0ffee", UNHASHED)
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    cache.fetch("owner/name", "c0ffee", UNHASHED)
    assert cache.as_recorded("owner/name", "c0ffee", UNHASHED).sha256 == SHA256


def test_a_hash_that_cannot_be_recorded_is_told(folder, monkeypatch):
    path = cache.cached_path("owner/name", "c0ffee", UNHASHED)
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)

    def full(*written, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(DataError, match=f"cannot record the hash of .*write {SHA256} to"):
        cache.fetch("owner/name", "c0ffee", UNHASHED)


@pytest.fixture
def the_hub(folder, monkeypatch):
    """Stands in for the hub, and counts what it was asked for."""
    calls = []

    def dataset_info(repository, revision, timeout):
        calls.append(revision)
        return type("Info", (), {"sha": "newest"})

    def load_dataset(repository, config, *, split, revision):
        calls.append((config, split, revision))
        rows = [{"type": t, "answer": a} for t in ("comparison", "bridge") for a in ("yes", "x")]
        return datasets.Dataset.from_list(rows)

    monkeypatch.setattr(huggingface_hub, "dataset_info", dataset_info)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    return calls


def test_a_pinned_revision_is_the_one_that_is_loaded(the_hub):
    path, pin = hub.fetch_hub("owner/name", "", "train", "pinned")
    assert the_hub == ["pinned", (None, "train", "pinned")]
    assert pin.revision == "pinned"
    assert path.name == "default-train.jsonl"
    assert hub.fetch_hub("owner/name", "", "train", "pinned") == (path, pin)
    assert len(the_hub) == 2


def test_another_pin_than_the_recorded_one_is_loaded_anew(the_hub):
    hub.fetch_hub("owner/name", "", "train", "older")
    _, pin = hub.fetch_hub("owner/name", "", "train", "newer")
    assert pin.revision == "newer"
    assert hub.recorded_pin("owner/name", "", "train") == pin


def test_the_copy_holds_the_kept_records_alone(the_hub):
    keep = {"type": ("comparison",), "answer": ("yes", "no")}
    path, pin = hub.fetch_hub("owner/name", "c", "train", None, keep)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert rows == [{"type": "comparison", "answer": "yes"}]
    assert pin.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert not list(path.parent.glob("*.part"))


def _listed(*arguments):
    return CliRunner().invoke(commands.data, ["list", *arguments])


def test_the_list_tells_domains_and_what_runs_unnamed(folder):
    facts = {row["name"]: row for row in json.loads(_listed("--json").output)}
    row = facts["hotpotqa"]
    assert (row["family"], row["domain"], row["form"]) == ("binary_qa", "multi_hop", None)
    assert (row["corrected"], row["labels"]) == (200, {"Yes": 100, "No": 100})
    assert row["revision"] == "1908d6afbbead072334abe2965f91bd2709910ab"
    assert any("train split" in issue for issue in row["issues"])
    unnamed = {
        name
        for name, row in facts.items()
        if row["unnamed"] and row["family"] in ("instruction_boundary", "binary_qa")
    }
    paper = {name for domain in PAPER_DOMAINS for name in DOMAIN_SOURCES[domain]}
    assert unnamed == {"ib_choice", "folio", "mmlu_pro", "mmlu_pro_public"} | paper
    assert facts["ethics_justice"]["revision"] is None
    assert facts["folio"]["family"] == "instruction_boundary"
    assert "multi_hop" in _listed().output


def test_the_list_says_which_hub_copies_are_there(the_hub):
    def cached():
        return {row["name"] for row in json.loads(_listed("--json").output) if row["cached"]}

    source = BINARY_SOURCES["boolq"]
    hub.fetch_hub(source.repository, source.config, source.split, "another revision")
    assert cached() == {"synthetic"}
    hub.fetch_hub(source.repository, source.config, source.split, source.revision)
    assert cached() == {"boolq", "synthetic"}


def test_fetch_takes_the_sources_of_either_family(the_hub):
    result = CliRunner().invoke(commands.data, ["fetch", "boolq", "fld"])
    assert result.exit_code == 0
    assert "boolq: cached in" in result.output
    assert "fld: cached in" in result.output
    assert BINARY_SOURCES["boolq"].revision in the_hub


def test_what_is_not_pinned_by_a_hash_says_so():
    for source in BINARY_SOURCES.values():
        by_hash = bool(source.files) and all(file.sha256 for file in source.files)
        assert by_hash or any("hash" in issue and "load" in issue for issue in source.issues)
