"""Files with a user's yes/no questions, of every type."""

import pytest

from bias_tasks.binary_qa.data.files import read_binary_file, record_to_dict
from bias_tasks.digests import content_hash
from tests.bias_tasks.data.tables import KINDS, write_table

REWORDED = {
    "synonym": "Is it raining?",
    "polite": "Would you say it rains?",
    "contradictory": "Does it not rain?",
    "false": "Is it false that it rains?",
}
WITHOUT_ID = {
    "question": "Does it rain?",
    "context": "It pours.",
    "answer": "Yes",
    "domain": "weather",
}
FULL = {"id": "mine", **WITHOUT_ID, "reformulations": REWORDED}
BARE = {"question": "Is 2 even?", "answer": "Yes"}


@pytest.fixture(params=KINDS)
def path(request, tmp_path):
    return tmp_path / f"mine.{request.param}"


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_each_rewording_can_have_its_own_column(tmp_path, kind):
    columns = {f"reformulations.{name}": text for name, text in REWORDED.items() if name != "false"}
    ((record,), _) = read_binary_file(
        write_table(tmp_path / f"mine.{kind}", [{**WITHOUT_ID, **columns}])
    )
    assert record.reformulations == {k: REWORDED[k] for k in REWORDED if k != "false"}


def test_records_are_read_as_written_and_edited_rewordings_count_as_given(path):
    provenance = {
        "synonym": {"by": "grammar", "output": REWORDED["synonym"]},  # of an older version
        "polite": {"by": "model", "output": REWORDED["polite"], "model": "m", "prompt": "p"},
        "contradictory": {"by": "model", "output": "Is it dry?"},
        "false": {"by": "refused", "reason": "it leaks the answer", "output": "No?"},
    }
    rows = [{**FULL, "cluster": "c", "source": "boolq", "provenance": provenance}, BARE]
    records, _ = read_binary_file(write_table(path, rows))
    copy = write_table(path.with_suffix(".jsonl"), [record_to_dict(record) for record in records])
    assert read_binary_file(copy)[0] == records
    assert records[0].provenance == provenance
    assert [records[0].maker(kind) for kind in REWORDED] == ["grammar", "model", "given", "given"]
    assert records[1].maker("polite") is None


def test_questions_about_one_context_are_a_cluster(tmp_path):
    rows = [WITHOUT_ID, {**WITHOUT_ID, "question": "Is it wet?"}, BARE, {**FULL, "cluster": "c"}]
    rows[3] |= {"question": "Does it snow?"}
    (first, second, bare, own), _ = read_binary_file(write_table(tmp_path / "mine.jsonl", rows))
    assert first.cluster == second.cluster == f"file-{content_hash('It pours.')}"
    assert (bare.cluster, own.cluster) == (bare.id, "c")
