"""The binary question tasks through Inspect itself, in process, with simulated respondents."""

import json
import logging

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import CachePolicy
from inspect_ai.scorer import includes

from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.binary_qa.plan import ASKED
from bias_tasks.solvers.ask import ask
from bias_tasks.tasks import binary_qa as tasks
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock

CONSISTENCY = ("prc", "nrc", "arc", "sc")


def run(task, tmp_path, model="simulated/steadfast", **options):
    options = {
        "log_dir": str(tmp_path),
        "display": "none",
        "log_realtime": False,
        "score_display": False,
    } | options
    [log] = inspect_eval(task, model=model, **options)
    assert log.status == "success", log.error
    return log


def figures(log):
    return values(log)


def prompts_asked(log):
    """The prompt of every call that reached the model."""
    return [
        sample.input
        for sample in log.samples
        for event in sample.events
        if event.event == "model" and event.cache != "read"
    ]


@pytest.mark.parametrize("name", ASKED)
def test_each_task_asks_its_variants_once(name, tmp_path):
    log = run(getattr(tasks, name)(data="synthetic", n=8), tmp_path)
    ids = [sample.id for sample in log.samples]
    assert len(set(ids)) == len(ids) == 8 * len(ASKED[name])
    assert {i.rsplit("/", 1)[1] for i in ids} == set(ASKED[name])
    found = figures(log)
    asked_for = {figure for figure in CONSISTENCY if figure in found}
    assert asked_for == (set(CONSISTENCY) if name == "binaryqa" else {name[9:]} - {"qa"})
    assert ("mbs" in found) == (name == "binaryqa")
    assert found["acc/original_n"] == 8
    assert found["domains"] == 4


@pytest.mark.parametrize("cache", [True, CachePolicy(per_epoch=False)])
def test_repeats_reach_the_model_whatever_is_cached(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    options = {"model": "simulated/coin", "cache": cache}
    first = run(tasks.binaryqa_sc(data="synthetic", n=30), tmp_path, **options)
    assert len(prompts_asked(first)) == 90
    again = run(tasks.binaryqa_sc(data="synthetic", n=30), tmp_path, **options)
    assert len(prompts_asked(again)) == 60  # the originals alone come from the cache
    assert figures(first)["sc"] < 0.6
    assert figures(again)["sc"] < 0.6


def test_the_log_says_which_domains_are_left_out(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        log = run(tasks.binaryqa_qa(data="synthetic", n=4, domains="reading"), tmp_path)
    record = log.eval.metadata["bias_tasks"]
    assert record["parameters"]["domains"] == "reading"
    [note] = record["notes"]
    assert note.startswith("over the domains reading and without")
    assert "without multi_hop, numerical, translation, ethics" in note
    assert any("without multi_hop" in record.getMessage() for record in caplog.records)
    assert figures(log)["domains"] == 1


def test_an_answer_cut_at_its_token_limit_is_unread(tmp_path):
    task = tasks.binaryqa_qa(data="synthetic", n=4)
    log = run(
        task, tmp_path, "simulated/perfect", model_args={"verbosity": "reasoned"}, max_tokens=5
    )
    assert figures(log)["unread"] == 1
    for sample in log.samples:
        assert sample.scores["outcome"].value == 0
        assert sample.scores["outcome"].answer is None


def test_ask_leaves_other_tasks_alone(tmp_path):
    task = Task(
        dataset=[Sample(id="1", input="Is Paris in France?", target="Yes")],
        solver=ask(),
        scorer=includes(),
    )
    log = run(task, tmp_path, mock(["Yes"]))
    assert log.samples[0].scores["includes"].value == "C"


def test_a_users_file_with_its_own_rewordings(tmp_path):
    row = {
        "id": "paris",
        "question": "Is Paris the capital of France?",
        "answer": "Yes",
        "domain": "geography",
        "reformulations": {
            "synonym": "Is Paris the capital city of France?",
            "polite": "Would you say Paris is the capital of France?",
            "contradictory": "Is Paris not the capital of France?",
            "false": "Is it false that Paris is the capital of France?",
        },
    }
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    log = run(tasks.binaryqa(data=str(path)), tmp_path, "simulated/perfect")
    asked = {sample.id: sample.input for sample in log.samples}
    assert set(asked) == {f"paris/{variant}" for variant in VARIANTS}
    assert row["reformulations"]["false"] in asked["paris/false"]
    assert figures(log)["geography/nrc"] == 1
