"""The tasks of output formats through Inspect, with simulated models."""

import re

import pytest
from inspect_ai.model import get_model

from bias_tasks import output_format_tasks as tasks
from bias_tasks.output_format.data.load import training_items
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.plan import select_demonstrations
from bias_tasks.solvers.inspect_api import TaskError
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.inspect_runs import outcomes
from tests.bias_tasks.mocks import output
from tests.bias_tasks.output_format.runs import evaluated


def run(task, tmp_path, *model, **options):
    log = evaluated(task, tmp_path, *model, **options)
    assert log.status == "success", log.error
    return log


def users_file(folder, **row):
    rows = [{"id": f"q{i}", "input": f"What is {i} + 1?", "answer": str(i + 1)} for i in range(4)]
    rows = [{"answer_type": "number"} | values | row for values in rows]
    return str(write_jsonl(folder / "mine.jsonl", rows))


def test_a_truncated_answer_follows_if_its_wrapping_is_closed(tmp_path):
    def reply(messages, tools, tool_choice, config):
        truncated = output("**2** because" if "What is 1" in messages[-1].text else "so it is **2")
        truncated.choices[0].stop_reason = "max_tokens"
        return truncated

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    task = tasks.format_wrapping(users_file(tmp_path), formats="bolding")
    log = run(task, tmp_path, model, max_tokens=5)
    scores = {sample.id: sample.scores["outcome"] for sample in log.samples}
    logged = outcomes(log)
    assert (scores["q1/bolding"].value, logged["q1/bolding"]["extra"]["follows"]) == (1, True)
    assert (scores["q2/bolding"].value, logged["q2/bolding"]["extra"]["follows"]) == (0, False)
    assert all("token limit" in score.explanation for score in scores.values())


def test_demonstrations_have_the_requested_format_and_are_never_the_item():
    params = FAMILY.tasks["format_bias"].values({"demos": 2, "data": "synthetic", "n": 21})
    plan = FAMILY.plan("format_bias", params)
    items = {q.item: q.scoring_data.to_item() for q in plan.questions}
    evaluated = {item.input for item in items.values()}
    training = training_items("synthetic", formats=list(FORMATS), evaluated=items.values())
    assert training
    assert not evaluated & {demo.input for demo in training}
    for question in plan.questions:
        item, prompt = items[question.item], question.prompt
        demos = select_demonstrations(item, training, 2)
        assert len(demos) == 2
        for demo in demos:
            answer = FORMATS[question.variant].render(demo.answer, demo)
            assert f"{demo.input}\n{answer}" in prompt
            assert demo.answer_type == item.answer_type
        assert prompt.index(demos[-1].input) < prompt.index(item.input)


def test_wrong_parameters_give_one_clear_error(tmp_path):
    path = users_file(tmp_path)
    for parameters, message in (
        ({"demos_from": "synthetic"}, "has no effect without demos="),
        ({"moe": 5}, "moe=5: expected a number between 0 and 1"),
        ({"formats": "bolding,json"}, "formats='json'"),
        ({"data": path, "demos": 1, "demos_from": path}, "contains items that are evaluated: q"),
    ):
        with pytest.raises(TaskError, match=re.escape(message)):
            tasks.format_wrapping(**{"data": "synthetic"} | parameters)
