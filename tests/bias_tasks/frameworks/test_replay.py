"""The solver that answers with recorded outputs."""

import json

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import exact

from bias_tasks.contract.questions import Question, ScoringData
from bias_tasks.solvers.replay import read_outputs, replay
from bias_tasks.solvers.sample_state import question_samples

ROWS = [{"id": "b/vanilla", "output": "2"}, {"id": "a/vanilla", "output": "1", "seen": True}]


def question(id):
    """One of ours, that asks for the target "1"."""
    item, _, variant = id.partition("/")
    return Question.from_scoring_data(
        ScoringData(item=item, cluster=item, variant=variant, gold="1"), "Say 1."
    )


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def replayed(tmp_path, rows, ids=("a/vanilla", "b/vanilla"), known_items=True, **options):
    """The log of a task whose samples all have the target "1": ours, or somebody else's."""
    any_task = [Sample("Say 1.", id=id, target="1") for id in ids]
    samples = question_samples(map(question, ids)) if known_items else any_task
    [log] = inspect_eval(
        Task(dataset=samples, scorer=exact()),
        solver=replay(write(tmp_path / "outputs.jsonl", rows)),
        model="none",
        log_dir=str(tmp_path / "logs"),
        display="none",
        log_realtime=False,
        **options,
    )
    return log


def test_recorded_outputs_are_scored_without_a_model_call(tmp_path):
    log = replayed(tmp_path, ROWS)
    assert log.status == "success"
    assert {s.id: s.output.completion for s in log.samples} == {"a/vanilla": "1", "b/vanilla": "2"}
    assert log.results.scores[0].metrics["mean"].value == 0.5
    assert [message.role for message in log.samples[0].messages] == ["user", "assistant"]
    assert not log.stats.model_usage
    assert not [event for event in log.samples[0].events if event.event == "model"]
    for part in (ROWS, ROWS[1:]):  # a limited run takes a whole recording or its part
        assert replayed(tmp_path, part, limit=1).status == "success"


def test_epochs_have_their_own_outputs_or_share_one(tmp_path):
    rows = [
        {"id": "a/vanilla", "output": "1", "epoch": 1},
        {"id": "a/vanilla", "output": "2", "epoch": 2},
        {"id": "b/vanilla", "output": ""},
    ]
    log = replayed(tmp_path, rows, epochs=2)
    found = sorted((each.id, each.epoch, each.output.completion) for each in log.samples)
    assert [text for *_, text in found] == ["1", "2", "", ""]
    log = replayed(tmp_path, rows, epochs=3)
    assert "lacks an output of a/vanilla for epoch 3" in log.error.message


def test_missing_and_surplus_ids_are_told(tmp_path):
    ids = [f"{n:02}/vanilla" for n in range(30)]
    log = replayed(tmp_path, [{"id": "00/vanilla", "output": "1"}], ids)
    assert "lacks outputs of 29 samples, such as 01/vanilla" in log.error.message
    log = replayed(tmp_path, [*ROWS, {"id": "y", "output": "1"}, {"id": "z", "output": "1"}])
    assert (
        "has outputs of 2 samples, such as y that are not in the run; remove them"
        in log.error.message
    )
    rows = [{"id": 1, "output": "1"}, {"id": "unknown", "output": "1"}]
    assert replayed(tmp_path, rows, (1,), known_items=False).status == "success"


def test_a_wrong_row_is_named_by_its_line(tmp_path):
    path = tmp_path / "outputs.jsonl"
    for line, message in (
        ('{"id": "a", "output": ', "line 2: .*JSON"),
        ('{"id": "a"}', "line 2: output Field required"),
        ('{"id": "a", "output": "1", "epoch": 0}', "line 2: epoch"),
        ("[" * 100_000, "line 2"),
        ('{"id": "first", "output": "2"}', "line 2: id first appears twice"),
    ):
        path.write_text('{"id": "first", "output": "1"}\n' + line + "\n")
        with pytest.raises(ValueError, match=f"outputs.jsonl, {message}") as error:
            read_outputs(str(path))
        assert len(str(error.value)) < 500
    path.write_text('{"id": "a", "output": "one\u2028two\x85three"}\n\n', encoding="utf-8")
    assert read_outputs(str(path)) == {("a", None): "one\u2028two\x85three"}
    with pytest.raises(ValueError, match="cannot read the outputs"):
        replay(str(tmp_path / "nowhere.jsonl"))
