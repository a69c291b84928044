"""The pinned data sets: declared counts and hashes, and items that never change.

An id that changes makes recorded answers unusable.
"""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from bias_tasks.binary_qa.data.paper import load_paper
from bias_tasks.commands.data import SOURCES
from bias_tasks.complex_eval.data.converters import convert_records
from bias_tasks.data.fetch import CachedFile, fetch_source
from bias_tasks.data.sources import PinnedFile
from bias_tasks.digests import digest
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.output_format.data.load import load_formats

DIGESTS = yaml.safe_load(Path(__file__).with_name("item_digests.yaml").read_text(encoding="utf-8"))
"""Digest of the ids and clusters of each available data set, by name and protocol."""


def load(source, protocol):
    """The items of a data set, in any order."""
    if source.family == "instruction_boundary":
        return load_items(sources=source.name, protocol=protocol).items
    if source.family == "output_format":
        return load_formats(source.dataset, protocol=protocol).items
    if source.family == "binary_qa":
        return load_paper(None, [source.name])[0]
    return list({i.id: i for i in convert_records(source.name, fetch_source(source)[0])}.values())


def digest_items(items):
    """Digest of ids, which are hashes of contents, and of clusters."""
    return digest(sorted((item.id, item.cluster) for item in items))


@pytest.mark.parametrize("name", DIGESTS)
def test_items_have_their_declared_counts_and_never_change(shared_data, name):
    source = SOURCES[name]
    for protocol, expected in DIGESTS[name].items():
        items = load(source, protocol)
        n_items = source.items if isinstance(source.items, int) else source.items[protocol]
        assert len(items) == len({item.id for item in items}) == n_items
        assert digest_items(items) == expected
        if protocol == "corrected" and source.labels:
            labels = (getattr(item, "label", item.answer) for item in items)
            assert Counter(labels) == source.labels
        # Repeated records, whose ids end in ~2, are in the cluster of the first.
        first = {item.id: item for item in items}
        assert all(item.cluster == first[item.id.split("~")[0]].cluster for item in items)


@pytest.mark.parametrize("name", DIGESTS)
def test_files_have_their_pinned_hashes(shared_data, name):
    source = SOURCES[name]
    paths, origin = fetch_source(source)
    assert [file["sha256"] for file in origin["files"]] == [file.sha256 for file in source.files]
    for file, path in zip(source.files, paths, strict=True):
        assert path == shared_data / source.repository / source.revision / file.path
        by_git = PinnedFile(file.path, git_blob=file.git_blob)
        assert CachedFile(path, path, by_git, source.revision).matches()


def test_every_available_data_set_is_pinned(shared_data):
    available = {
        source.name
        for source in SOURCES.values()
        if source.files
        and all(
            (shared_data / source.repository / str(source.revision) / file.path).is_file()
            for file in source.files
        )
    }
    assert available == set(DIGESTS)
