"""The pinned hashes are those of the real files, and the stated facts are theirs."""

import subprocess
import sys
from collections import Counter

import pytest

from bias_tasks.commands.data import SOURCES
from bias_tasks.data import fetch
from bias_tasks.data import sources as pins
from bias_tasks.data.errors import DataError
from bias_tasks.data.sources import PinnedFile
from bias_tasks.families import FAMILY_NAMES, PROBING
from bias_tasks.instruction_boundary.data.converters import CONVERTERS
from bias_tasks.instruction_boundary.data.load import DEFAULT_SOURCES, load_source
from bias_tasks.names import content_hash

AT_HAND = ("ib_choice", "ib_choice_2700", "folio", "mmlu_pro")


@pytest.mark.parametrize("name", AT_HAND)
def test_the_pinned_hashes_are_those_of_the_real_files(shared_data, name):
    source = SOURCES[name]
    for file in source.files:
        path = shared_data / source.repository / source.revision / file.path
        assert fetch.matches(path, PinnedFile(file.path, sha256=file.sha256))
        assert fetch.matches(path, PinnedFile(file.path, git_blob=file.git_blob))
        assert fetch.fetch_file(source.repository, source.revision, file) == path


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("name", AT_HAND)
def test_the_stated_counts_are_those_of_the_items(shared_data, name, protocol):
    items, _ = load_source(SOURCES[name], protocol)
    assert len(items) == SOURCES[name].items[protocol]
    assert len({item.id for item in items}) == len(items)
    assert {item.source for item in items} == {name}
    if protocol == "corrected":
        assert Counter(item.label for item in items) == SOURCES[name].labels


@pytest.mark.parametrize(("name", "records"), [("ib_choice", 450), ("folio", 1208)])
def test_the_stated_records_are_those_of_the_files(shared_data, name, records):
    source = SOURCES[name]
    paths = [fetch.fetch_file(source.repository, source.revision, file) for file in source.files]
    assert len(list(CONVERTERS[name](paths))) == records == source.records


def test_ten_option_questions_of_mmlu_pro(shared_data):
    source = SOURCES["mmlu_pro"]
    paths = [fetch.fetch_file(source.repository, source.revision, file) for file in source.files]
    ids = [item.id for item in CONVERTERS["mmlu_pro"](paths)]
    assert (len(ids), len(ids) - len(set(ids))) == (9982, 153)  # as the source's issues say


def test_published_choice_items_keep_their_repeats(shared_data):
    items, _ = load_source(SOURCES["ib_choice"], "published")
    assert Counter(item.label for item in items) == {"single": 150, "multiple": 150, "none": 150}
    repeats = [item for item in items if "~" in item.id]
    assert len(repeats) == 77
    assert {item.label for item in repeats} == {"single"}
    first = {item.id: item for item in items}
    for item in repeats:
        assert item.cluster == first[item.id.split("~")[0]].cluster


# An id that moves makes recorded answers unusable, so a few are pinned.
def test_ids_are_stable(shared_data):
    pinned = {
        "ib_choice": {"ib_choice-ab467f01e9", "ib_choice-9e67b14a93"},
        "folio": {"folio-2cf9dbcd1f"},
        "mmlu_pro": {"mmlu_pro-0016df99d8"},
    }
    for name, ids in pinned.items():
        items, _ = load_source(SOURCES[name], "corrected")
        assert ids <= {item.id for item in items}


def test_a_choice_item_without_a_passage(shared_data):
    item = _item("ib_choice", "ib_choice-ab467f01e9")
    assert item.question == "Which of these things did Susan B. Anthony fight for?"
    assert item.options[3] == "women's right to vote"
    assert item.printed_options[3] == "3. women's right to vote"
    assert (item.answer, item.context, item.cluster) == ((3,), None, item.id)


def test_a_choice_item_with_a_passage(shared_data):
    item = _item("ib_choice", "ib_choice-9e67b14a93")
    assert item.context.startswith("Sent 1: The Creed family moves into a new home ,")
    assert item.context.endswith("who died in service during World War II .")
    assert item.answer == (1, 3)
    assert item.options == item.printed_options  # MultiRC's are printed without numbers
    assert item.options[1] == "On the road in front of the Creed home"


def test_questions_about_one_passage_share_a_cluster(shared_data):
    items, _ = load_source(SOURCES["ib_choice"], "corrected")
    for item in items:
        expected = item.id if item.context is None else f"ib_choice-{content_hash(item.context)}"
        assert item.cluster == expected


def test_a_judging_item(shared_data):
    item = _item("folio", "folio-2cf9dbcd1f")
    assert item.context.splitlines() == [
        "Naive cynicism was proposed by Justin Kruger and a colleague.",
        "Thomas Gilovich is a colleague of Justin Kruger.",
        "Naive cynicism is a philosophy of mind.",
    ]
    assert item.question == "Justin Kruger propose a philosophy of mind."
    assert item.answer == "True"
    assert item.cluster == f"folio-{content_hash(item.context)}"


def test_a_ten_option_item(shared_data):
    items, _ = load_source(SOURCES["mmlu_pro"], "corrected")
    assert {len(item.options) for item in items} == {10}


def test_nothing_unpinned_is_a_default():
    for name in [name for names in DEFAULT_SOURCES.values() for name in names]:
        assert SOURCES[name].revision is not None
        assert all(file.sha256 is not None for file in SOURCES[name].files)


def _item(source, identifier):
    items, _ = load_source(SOURCES[source], "corrected")
    return next(item for item in items if item.id == identifier)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"licence": "MIT", "license": "MIT"}, r"one.repository: Field required.*one.license: "),
        ({"files": [{"path": "a", "md5": "b"}]}, r"one.files.0.md5: Unexpected keyword argument"),
    ],
)
def test_a_wrong_row_of_a_table_is_told(monkeypatch, row, told):
    monkeypatch.setattr(pins, "read_yaml", lambda *names: {"sources": {"one": row}})
    table = pins.source_table("a.package", pins.Source)
    with pytest.raises(DataError, match=rf"^sources.yaml of a.package: .*{told}"):
        len(table)


def test_no_table_is_read_before_it_is_needed():
    """A task's signature is declared in its family's `tasks.yaml`; nothing else is read."""
    code = (
        "from bias_tasks.data import files; read = files.read_yaml.__wrapped__;"
        "files.read_yaml = lambda *names: print(*names) or read(*names);"
        "import bias_tasks._registry"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    declared = {f"bias_tasks.{family} tasks" for family in (*FAMILY_NAMES, PROBING)}
    assert set(run.stdout.splitlines()) == declared
