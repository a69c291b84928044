"""Half of a surrogate pair in an answer: nothing stops, nothing is cut, and hosts agree."""

import json

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from bias_tasks.family import Answer
from bias_tasks.solvers.replay import read_outputs
from bias_tasks.solvers.settings import polish, reflect
from bias_tasks.tasks import instruction_boundary as tasks
from tests.bias_tasks.harness_runs import gold, load, log, run
from tests.bias_tasks.mocks import mock, output

HALF, SHOWN = "\ud800", "\ufffd"
ANSWER = f"Final Answer: 2\n{HALF} so it is \ud83d\ude00"
CLEAN = f"Final Answer: 2\n{SHOWN} so it is \N{GRINNING FACE}"


def sending(answer, name="model"):
    """A model asked through a client: its requests are encoded on the way."""
    requests = []

    def reply(messages, tools, tool_choice, config):
        requests.append([message.text for message in messages])
        json.dumps(requests[-1], ensure_ascii=False).encode()
        return output(answer)

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False), requests


def evaluate(task, model, tmp_path, **options):
    [result] = inspect_eval(
        task,
        model=model,
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
        **options,
    )
    assert result.status == "success", result.error
    return result


def test_an_answer_can_be_encoded_and_a_good_one_stays():
    assert Answer(ANSWER).text == CLEAN
    assert Answer(CLEAN).text is CLEAN


def test_inspect_shows_the_answer_again(tmp_path):
    model, requests = sending(ANSWER)
    result = evaluate(tasks.multi_turn(data="synthetic", n=2, rounds=3), model, tmp_path)
    again = [request for request in requests if "Your previous answer:" in request[-1]]
    assert len(again) == 4
    assert all(CLEAN in request[-1] for request in again)
    turned = [sample for sample in result.samples if sample.id.endswith("/multi_turn")]
    assert [sample.metadata["previous_answers"] for sample in turned] == [[CLEAN, CLEAN]] * 2
    assert all(sample.output.completion == CLEAN for sample in turned)


def test_inspect_goes_on_with_a_conversation_of_another_task(tmp_path):
    samples = [Sample(id=1, input="What is 1 + 1?", choices=["0", "2"], target="B")]
    task = Task(dataset=samples, solver=multiple_choice(), scorer=choice())
    model, requests = sending(f"ANSWER: B\n{HALF}")
    result = evaluate(task, model, tmp_path, solver=reflect())
    assert requests[1][1] == f"ANSWER: B\n{SHOWN}"
    assert result.results.scores[0].metrics["accuracy"].value == 1


def test_inspect_sends_the_answer_to_a_judge(tmp_path):
    judge, requests = sending(f'{HALF}{{"verdict": "__PROVED__"}}', "judge")
    task = tasks.vanilla(data="synthetic", n=2, form="judging")
    evaluate(task, mock([f"Well, {HALF}."] * 2), tmp_path, model_roles={"grader": judge})
    assert f"Well, {SHOWN}." in requests[0][-1]


def test_inspect_asks_what_a_polisher_wrote(tmp_path):
    def rewrite(request):
        return request.partition("<prompt>")[2] + HALF

    samples = [Sample(id=1, input="What is 1 + 1?", target="2")]
    model, requests = sending("2")
    evaluate(
        Task(dataset=samples),
        model,
        tmp_path,
        solver=polish(),
        model_roles={"polisher": mock(rewrite, "polisher")},
    )
    assert requests[0][-1].endswith(SHOWN)


@pytest.fixture(scope="module")
def first_round(tmp_path_factory):
    results = run(["ib_multi_turn_judging_round1"], lambda doc: ANSWER, data="synthetic", n=3)
    folder = tmp_path_factory.mktemp("first")
    return results, log(results, "ib_multi_turn_judging_round1", folder)


def test_the_harness_writes_every_sample(first_round):
    _, path = first_round
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["resps"] for row in rows] == [[[CLEAN]]] * 3
    assert [row["filtered_resps"] for row in rows] == [[CLEAN]] * 3


def test_the_harness_shows_the_answer_again(first_round, tmp_path):
    _, path = first_round
    escaped = path.read_text(encoding="utf-8").replace(SHOWN, "\\ud800")  # as others write it
    rewritten = tmp_path / path.name
    rewritten.write_text(escaped, encoding="utf-8")
    for samples in (path, rewritten):
        task = load("ib_multi_turn_judging", data="synthetic", n=3, first_round=str(samples))
        asked = [doc for doc in task.task_docs if doc["id"].endswith("/multi_turn")]
        assert all(CLEAN in doc["prompt"] for doc in asked)
    results = run(
        ["ib_multi_turn_judging"], gold, data="synthetic", n=3, first_round=str(rewritten)
    )
    assert log(results, "ib_multi_turn_judging", tmp_path / "second")


def test_both_hosts_read_the_answer_alike(first_round, tmp_path):
    results, _ = first_round
    in_harness = {
        sample["doc"]["id"]: sample["outcome"]
        for sample in results["samples"]["ib_multi_turn_judging_round1"]
    }
    task = tasks.multi_turn(data="synthetic", n=3, form="judging", paired=False)
    in_inspect = evaluate(task, mock([ANSWER] * 6), tmp_path)
    assert len(in_inspect.samples) == 3
    for sample in in_inspect.samples:
        (score,) = sample.scores.values()
        assert score.metadata["outcome"] == in_harness[sample.id]


def test_a_recorded_output_is_replayed(tmp_path):
    path = tmp_path / "outputs.jsonl"
    path.write_text(json.dumps({"id": "a", "output": ANSWER}) + "\n", encoding="utf-8")
    assert read_outputs(str(path)) == {("a", None): CLEAN}
