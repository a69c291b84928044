"""The binary question tasks in Inspect: live rewordings, and repeats that no cache answers."""

import pytest
from inspect_ai.model import CachePolicy

from bias_tasks import binary_qa_tasks as tasks
from bias_tasks.binary_qa.prompts.render import reformulation_request
from tests.bias_tasks import harness_runs
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.inspect_runs import evaluate, values
from tests.bias_tasks.mocks import mock


def test_missing_rewordings_are_made_during_the_run(tmp_path):
    """The reformulator's first reply is not a question; the model answers the question only."""
    row = {"id": "a", "question": "Is it so?", "answer": "Yes"}
    row["reformulations"] = {"synonym": "Is it thus?"}
    path = write_jsonl(tmp_path / "bare.jsonl", [row])
    replies = iter(["No.", '"Is it otherwise?"', "Is it false that it is so?"])
    requests = []
    task = tasks.binaryqa_nrc(data=str(path), reformulate="live")
    reformulator = mock(lambda prompt: requests.append(prompt) or next(replies))
    model = mock(lambda prompt: "Yes" if "Is it so?" in prompt else "No")
    roles = {"reformulator": reformulator}
    log = evaluate(task, tmp_path, model, model_roles=roles, max_connections=1, max_samples=1)
    assert [prompt.count("Is it so?") for prompt in requests] == [1, 1, 1]
    assert requests[0] == requests[1] == reformulation_request("Is it so?", "contradictory")
    contradictory = next(sample for sample in log.samples if sample.id == "a/contradictory")
    assert "Is it otherwise?" in contradictory.messages[0].text
    assert "Is it so?" not in contradictory.messages[0].text
    assert values(log)["nrc"] == 1
    assert log.eval.metadata["bias_tasks"]["notes"][0].startswith("no one reviewed the rewordings")
    with pytest.raises(ValueError, match="needs Inspect's model roles"):
        harness_runs.load("binaryqa_nrc", data=str(path), reformulate="live")
    kept = tasks.binaryqa_prc(data=str(path), reformulate="live").dataset
    assert "Is it thus?" in next(sample.input for sample in kept if sample.id == "a/synonym")


def test_repeats_reach_the_model_whatever_is_cached(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    for cached in (0, 12):
        task = tasks.binaryqa_sc(data="core", n=12)
        log = evaluate(task, tmp_path, "simulated/coin", cache=CachePolicy(per_epoch=False))
        calls = [e for sample in log.samples for e in sample.events if e.event == "model"]
        assert len(calls) == 3 * 12
        assert sum(event.cache == "read" for event in calls) == cached
        assert values(log)["sc"] < 0.6
