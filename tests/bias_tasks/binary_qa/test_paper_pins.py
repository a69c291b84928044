"""What the registry says is true, and what nobody could pin is recorded at the first load."""

import hashlib

import pytest

from bias_tasks.binary_qa.data.converters import CONVERTERS
from bias_tasks.binary_qa.data.paper import BINARY_SOURCES, DOMAIN_SOURCES, MOST_PER_ANSWER
from bias_tasks.binary_qa.items import PAPER_DOMAINS
from bias_tasks.commands.data import SOURCES
from bias_tasks.complex_eval.data.load import JUDGED_SOURCES
from bias_tasks.data import fetch
from bias_tasks.data.errors import DataError
from bias_tasks.data.sources import PinnedFile
from bias_tasks.instruction_boundary.data.load import INSTRUCTION_BOUNDARY, load_items
from bias_tasks.judging.data.load import JUDGING_SOURCES
from bias_tasks.output_format.data.sources import FORMAT_SOURCES

CONTENT = b"one\ntwo\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
UNHASHED = PinnedFile("folder/marks.tsv")


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
                assert fetch.matches(path, PinnedFile(file.path, sha256=file.sha256))
                assert fetch.matches(path, PinnedFile(file.path, git_blob=file.git_blob))
                checked += 1
    assert checked == 6


def test_what_is_not_pinned_by_a_hash_says_so():
    for source in BINARY_SOURCES.values():
        by_hash = bool(source.files) and all(file.sha256 for file in source.files)
        assert by_hash or any("hash" in issue and "load" in issue for issue in source.issues)
