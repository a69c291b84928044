"""Half of a surrogate pair in an answer: nothing stops, nothing is cut, and hosts agree."""

import json

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from bias_tasks import instruction_boundary_tasks as tasks
from bias_tasks.contract.outcomes import Answer
from bias_tasks.solvers.follow_up import reflect
from tests.bias_tasks.harness_runs import load, log, run
from tests.bias_tasks.inspect_runs import evaluate, outcomes
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


def test_an_answer_can_be_encoded_and_a_good_one_stays():
    assert Answer(ANSWER).text == CLEAN
    assert Answer(CLEAN).text is CLEAN


def test_inspect_shows_the_answer_again(tmp_path):
    model, requests = sending(ANSWER)
    result = evaluate(tasks.multi_turn(data="synthetic", n=2, rounds=3), tmp_path, model)
    again = [request for request in requests if "Your previous answer:" in request[-1]]
    assert len(again) == 4
    assert all(CLEAN in request[-1] for request in again)
    turned = [sample for sample in result.samples if sample.id.endswith("/multi_turn")]
    assert [sample.metadata["previous_answers"] for sample in turned] == [[CLEAN, CLEAN]] * 2
    samples = [Sample(id=1, input="What is 1 + 1?", choices=["0", "2"], target="B")]
    task = Task(dataset=samples, solver=multiple_choice(), scorer=choice())
    model, requests = sending(f"ANSWER: B\n{HALF}")
    result = evaluate(task, tmp_path, model, solver=[multiple_choice(), reflect()])
    assert requests[1][1] == f"ANSWER: B\n{SHOWN}"
    assert result.results.scores[0].metrics["accuracy"].value == 1


def test_the_harness_writes_every_sample_shows_it_again_and_reads_it_as_inspect_does(tmp_path):
    task = "ib_multi_turn_judging_round1"
    results = run([task], lambda doc: ANSWER, data="synthetic", n=3)
    path = log(results, task, tmp_path / "first")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["resps"] for row in rows] == [[[CLEAN]]] * 3
    escaped = path.read_text(encoding="utf-8").replace(SHOWN, "\\ud800")  # as others write it
    (tmp_path / path.name).write_text(escaped, encoding="utf-8")
    for samples in (path, tmp_path / path.name):
        again = load("ib_multi_turn_judging", data="synthetic", n=3, first_round=str(samples))
        asked = [doc for doc in again.task_docs if doc["id"].endswith("/multi_turn")]
        assert all(CLEAN in doc["prompt"] for doc in asked)
    in_harness = {row["doc"]["id"]: row["doc"]["outcome"] for row in results["samples"][task]}
    ours = tasks.multi_turn(data="synthetic", n=3, form="judging", paired=False)
    in_inspect = evaluate(ours, tmp_path, mock([ANSWER] * 6))
    in_last_round = outcomes(in_inspect)
    for outcome in in_last_round.values():
        assert outcome["extra"].pop("first_label") == outcome["extra"]["label"]
        assert outcome["extra"].pop("first_correct") == (outcome["score"] == 1)
        assert outcome["extra"].pop("later_rounds") == 1
        assert outcome["extra"].pop("first_flip") == 0
    assert in_last_round == in_harness
