"""The binary question tasks in Inspect, in process; lm-eval has the same metrics."""

import math

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import CachePolicy

from bias_tasks import binary_qa_tasks as tasks
from bias_tasks.binary_qa.items import REFORMULATIONS
from bias_tasks.binary_qa.prompts.render import reformulation_request
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks import harness_runs
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock

SIMULATED = {"accuracy": 0.7, "no_lean": 0.2, "negation": 0.3, "abstention": 0.1, "seed": 5}


def run(task, tmp_path, model="simulated/steadfast", **options):
    quiet = {"display": "none", "log_realtime": False, "score_display": False}
    [log] = inspect_eval(task, model=model, log_dir=str(tmp_path), **quiet, **options)
    assert log.status == "success", log.error
    return log


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
    log = run(task, tmp_path, model, model_roles=roles, max_connections=1, max_samples=1)
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


@pytest.mark.parametrize("cache", [True, CachePolicy(per_epoch=False)])
def test_repeats_reach_the_model_whatever_is_cached(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    for cached in (0, 60):  # the 70 simulated items repeat 10 of the 60 originals
        task = tasks.binaryqa_sc(data="synthetic", n=70, domains="reading")
        log = run(task, tmp_path, "simulated/coin", cache=cache)
        calls = [e for sample in log.samples for e in sample.events if e.event == "model"]
        assert len(calls) == 210
        assert sum(event.cache == "read" for event in calls) == cached
        assert values(log)["sc"] < 0.6


def test_an_answer_cut_at_its_token_limit_is_unparsed(tmp_path):
    log = run(tasks.binaryqa_qa(n=4), tmp_path, model="simulated/long", max_tokens=5)
    assert values(log)["unparsed"] == 1
    scores = [sample.scores["outcome"] for sample in log.samples]
    assert all(score.value == 0 and score.answer is None for score in scores)


def run_both(tmp_path, **parameters):
    """Return the metrics of a simulated model after comparing Inspect with lm-eval."""
    log = run(tasks.binaryqa(**parameters), tmp_path / "logs", model_args=SIMULATED)
    results = harness_runs.run(["binaryqa"], SimulatedLM("steadfast", **SIMULATED), **parameters)
    record = log.eval.metadata["bias_tasks"]
    lm_eval_record = results["configs"]["binaryqa"]["metadata"]["bias_tasks"]
    assert record["parameters"].items() >= parameters.items()
    assert record["digest"] == lm_eval_record["digest"]
    assert record["notes"] == lm_eval_record["notes"]
    in_inspect, in_lm_eval = values(log), harness_runs.values(results, "binaryqa")
    assert in_inspect == pytest.approx(in_lm_eval, abs=1e-9, nan_ok=True)
    return in_inspect


def test_the_frameworks_agree(tmp_path):
    """They agree for questions without rewordings, too; `test_metrics` counts their metrics."""
    metrics = run_both(tmp_path, n=60, seed=3, protocol="published")
    assert 0 < metrics["f1"] < 1
    assert not math.isnan(metrics["mbs"])
    rows = []
    for n in range(12):
        some = [kind for index, kind in enumerate(REFORMULATIONS) if n % (index + 2)]
        row = {"id": f"q{n}", "question": f"Is item {n} here?", "answer": ("Yes", "No")[n % 2]}
        row["reformulations"] = {kind: f"{kind} of {n}?" for kind in some}
        rows.append(row | {"domain": "ab"[n % 4 // 2]})
    path = write_jsonl(tmp_path / "mine.jsonl", rows)
    metrics = run_both(tmp_path, data=str(path))
    # Of six synonyms two have an unparsed answer, or an original that has one.
    assert (metrics["coverage/synonym"], metrics["coverage/false"]) == (4 / 12, 9 / 12)
    assert math.isnan(metrics["mbs"])
