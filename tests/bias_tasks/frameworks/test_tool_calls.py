"""A model that calls tools where there are none is asked once per planned call."""

from collections import Counter

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice, use_tools
from inspect_ai.tool import tool

from bias_tasks.binary_qa_tasks import binaryqa_qa
from bias_tasks.contract.unparsed_notice import unparsed_cause, unparsed_notice
from bias_tasks.families import load_family
from bias_tasks.instruction_boundary_tasks import multi_turn
from bias_tasks.judge_bias_tasks import self_preference
from bias_tasks.output_format_tasks import format_wrapping
from bias_tasks.probing_tasks import probe
from bias_tasks.scorers.any_task import label_rates
from bias_tasks.scorers.outcome import convert_output
from bias_tasks.solvers.any_task import suggest, with_setting
from tests.bias_tasks.inspect_runs import outcomes
from tests.bias_tasks.mocks import mock, output
from tests.bias_tasks.probing.probed import own

MAX_CALLS = 200
"""A loop ends here, so that a fault is an error and not a run without end."""


def tool_output(stop_reason="tool_calls"):
    result = ModelOutput.for_tool_call("mockllm", "answer", {"text": "Yes"}, content="Yes")
    result.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    result.choices[0].stop_reason = stop_reason
    return result


def run(task, folder, stop_reason="tool_calls", **options):
    """The log of a run with a model that always calls a tool, and the conversations that it got."""
    conversations = []

    def reply(messages, *_):
        conversations.append(list(messages))
        if len(conversations) > MAX_CALLS:
            raise RuntimeError("too many calls")
        return tool_output(stop_reason)

    model = get_model("mockllm/tools", custom_outputs=reply, memoize=False)
    run_options = {"log_dir": str(folder), "display": "none", "log_realtime": False}
    [log] = inspect_eval(task, model=model, **run_options, **options)
    assert log.status == "success", log.error
    return log, conversations


@pytest.mark.parametrize("stop_reason", ["tool_calls", "stop"])  # Some providers say `stop`.
def test_each_question_is_one_request_and_unparsed_with_its_own_reason(tmp_path, stop_reason):
    log, conversations = run(binaryqa_qa(data="core", n=2), tmp_path, stop_reason)
    assert len(conversations) == len(log.samples) == 2
    scored = outcomes(log).values()
    assert {(o["answer"], o["unparsed_reason"]) for o in scored} == {(None, "tool_call")}
    assert {o["explanation"] for o in scored} == {"it calls a tool instead of answering"}
    assert {o["reason"] for o in scored} == {"invalid_response_format"}


def test_the_notice_of_a_run_says_so():
    family = load_family("binary_qa")
    question = family.plan(
        "binaryqa_qa", family.tasks["binaryqa_qa"].values({"data": "core", "n": 1})
    ).questions[0]
    outcome = family.score_answer(question.scoring_data, convert_output(tool_output()))
    assert unparsed_cause(outcome) == "tool_call"
    notice = unparsed_notice(family, [outcome])
    assert "1 tool calls in place of an answer" in notice
    assert "turn tool calls off" in notice


@pytest.mark.parametrize("dialogue", [False, True])
def test_every_round_is_one_request(tmp_path, dialogue):
    task = multi_turn(data="core", form="judging", n=2, paired=False, rounds=3, dialogue=dialogue)
    log, conversations = run(task, tmp_path)
    assert len(conversations) == 2 * 3
    # A server rejects a conversation that goes on after a tool call without the tool's result.
    messages = [message for conversation in conversations for message in conversation]
    assert not any(getattr(message, "tool_calls", None) for message in messages)
    assert {o["extra"]["first_label"] for o in outcomes(log).values()} == {"unparsed"}
    assert all(sample.metadata["previous_answers"] == ["", ""] for sample in log.samples)


def test_the_tasks_of_other_families(tmp_path):
    log, conversations = run(format_wrapping(data="core", n=1), tmp_path)
    assert len(conversations) == len(log.samples)
    assert all(o["unparsed_reason"] == "tool_call" for o in outcomes(log).values())
    _, conversations = run(
        self_preference(data="core", n=1),
        tmp_path,
        model_roles={role: mock(lambda _: "An answer", role) for role in ("other", "jury")},
    )
    assert len(conversations) == 1  # An answer without a text is not compared.


def choice_task():
    sample = Sample(id=1, input="What is 1 + 1?", choices=["0", "2", "9"], target="B")
    return Task(dataset=[sample], solver=multiple_choice(), scorer=choice())


@pytest.mark.parametrize(
    ("setting", "arguments", "n_calls"),
    [
        ("suggest", {}, 1),
        ("terse", {}, 1),
        ("reflect", {"rounds": 3}, 3),
        ("format_instruction", {"format": "bolding"}, 1),
    ],
)
def test_solvers_for_any_task(tmp_path, setting, arguments, n_calls):
    _, conversations = run(choice_task(), tmp_path, solver=with_setting(setting, **arguments))
    assert len(conversations) == n_calls


def test_labels_of_any_task(tmp_path):
    task = Task(
        dataset=[Sample(id=1, input="Is it?", target="Yes")],
        scorer=label_rates(tense=["Yes", "No"], sparse=[]),
    )
    log, _ = run(task, tmp_path, solver=with_setting("suggest", answer="No"))
    [sample] = log.samples
    logged = sample.scores["label_rates"].metadata["label_rates"]
    assert (logged["answer"], logged["unparsed_reason"]) == (None, "tool_call")


def test_a_probed_task(tmp_path):
    log, conversations = run(
        probe(task=own("lettered_choices"), n=2, probes="system,reflect"), tmp_path
    )
    n_by_variant = Counter(o["variant"] for o in outcomes(log).values())
    assert len(conversations) == len(log.samples) + n_by_variant["reflect"]


def test_a_task_with_tools_calls_them(tmp_path):
    @tool
    def answer():
        async def execute(text: str) -> str:
            """Take the answer.

            Args:
                text: The answer.
            """
            return text

        return execute

    replies = [tool_output(), output("ANSWER: B")]
    model = get_model("mockllm/tools", custom_outputs=replies, memoize=False)
    run_options = {"log_dir": str(tmp_path), "display": "none", "log_realtime": False}
    solver = [use_tools(answer()), suggest(), multiple_choice()]
    [log] = inspect_eval(choice_task(), model=model, solver=solver, **run_options)
    assert log.results.scores[0].metrics["accuracy"].value == 1
