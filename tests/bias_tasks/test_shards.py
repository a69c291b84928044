"""Parts of a run: every item whole in one of them, the same in both hosts."""

import pytest

import bias_tasks
from bias_tasks.contract.record import RECORD
from bias_tasks.contract.shards import shard_number
from bias_tasks.solvers.inspect_api import TaskError
from tests.bias_tasks import harness_runs


def test_which_part_it_is_never_changes():
    # Merging logs of two versions stands on these.
    assert [shard_number(f"item-{n}", 16) for n in range(6)] == [11, 13, 7, 1, 7, 15]
    assert 1 <= shard_number("\ud800", 16) <= 16


def test_parts_hold_each_item_whole_and_once():
    whole = bias_tasks.conformity(data="synthetic", n=20)
    parts = [bias_tasks.conformity(data="synthetic", n=20, shard=f"{k}/4") for k in range(1, 5)]
    asked = [sample.id for part in parts for sample in part.dataset]
    assert sorted(asked) == sorted(sample.id for sample in whole.dataset)
    items = [{sample.metadata["item"] for sample in part.dataset} for part in parts]
    assert sum(map(len, items)) == len(set().union(*items)) == 20
    places = {sample.id: place for place, sample in enumerate(whole.dataset)}
    assert places == {each.id: each.metadata["position"] for part in parts for each in part.dataset}

    # Each is known from the whole and from other parts.
    records = [part.metadata[RECORD] for part in parts]
    record = whole.metadata[RECORD]
    assert len({record["digest"], *(each["digest"] for each in records)}) == 5
    assert {each["shard"]["whole"]["digest"] for each in records} == {record["digest"]}
    assert records[0]["shard"]["held"] == [each["questions"] for each in records]
    assert "shard" not in record


def test_both_hosts_cut_alike():
    part = bias_tasks.binaryqa(data="synthetic", n=12, shard="2/3")
    docs = harness_runs.load("binaryqa", data="synthetic", n=12, shard="2/3").test_docs()
    asked = [(sample.id, sample.metadata["position"]) for sample in part.dataset]
    assert [(doc["id"], doc["position"]) for doc in docs] == asked


def test_what_is_no_part_or_has_no_items_is_refused():
    for shard in ("0/4", "5/4", "3", "a/b", "1/0", "-1/4", "1/4/2", 3, 0.75, ""):
        with pytest.raises(TaskError, match="which part of how many, such as 3/16"):
            bias_tasks.conformity(data="synthetic", n=4, shard=shard)
    with pytest.raises(TaskError, match="shard=1/900000: no item of the run belongs to it"):
        bias_tasks.conformity(data="synthetic", n=4, shard="1/900000")
