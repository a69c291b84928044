"""A model that calls tools where there are none is asked once per planned call."""

import pytest
from inspect_ai import Task
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
from tests.bias_tasks.builders import questions
from tests.bias_tasks.inspect_runs import evaluate, outcomes
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
    return evaluate(task, folder, model, **options), conversations


def choice_task():
    sample = Sample(id=1, input="What is 1 + 1?", choices=["0", "2", "9"], target="B")
    return Task(dataset=[sample], solver=multiple_choice(), scorer=choice())


def rounds(**parameters):
    return multi_turn(data="core", form="judging", n=2, paired=False, rounds=3, **parameters)


ROLES = {role: mock(lambda _: "An answer", role) for role in ("other", "jury")}
CASES = {
    "one call": (lambda: binaryqa_qa(data="core", n=2), {}, 2),
    "rounds": (rounds, {}, 2 * 3),
    "dialogue": (lambda: rounds(dialogue=True), {}, 2 * 3),
    "formats": (lambda: format_wrapping(data="core", n=1, formats="bolding"), {}, 1),
    # An answer without a text is not compared.
    "comparison": (lambda: self_preference(data="core", n=1), {"model_roles": ROLES}, 1),
    "suggest": (choice_task, {"solver": with_setting("suggest")}, 1),
    "terse": (choice_task, {"solver": with_setting("terse")}, 1),
    "reflect": (choice_task, {"solver": with_setting("reflect", rounds=3)}, 3),
    "format": (choice_task, {"solver": with_setting("format_instruction", format="bolding")}, 1),
    "probe": (lambda: probe(own("lettered_choices"), n=2, probes="system", repeats=1), {}, 6),
    "probe of two calls": (lambda: probe(own("lettered_choices"), n=1, probes="reflect"), {}, 5),
}
"""A task, options of its run, and the planned calls."""


@pytest.mark.parametrize("name", CASES)
def test_every_planned_call_is_one_request(name, tmp_path):
    make, options, n_calls = CASES[name]
    log, conversations = run(make(), tmp_path, **options)
    assert len(conversations) == n_calls
    # A server rejects a conversation that goes on after a tool call without the tool's result.
    messages = [message for conversation in conversations for message in conversation]
    assert not any(getattr(message, "tool_calls", None) for message in messages)
    if "solver" not in options:
        assert {o["answer"] for o in outcomes(log).values()} == {None}
    if name in ("rounds", "dialogue"):
        assert {o["extra"]["first_label"] for o in outcomes(log).values()} == {"unparsed"}
        assert all(sample.metadata["previous_answers"] == ["", ""] for sample in log.samples)


@pytest.mark.parametrize("stop_reason", ["tool_calls", "stop"])  # Some providers say `stop`.
def test_a_tool_call_is_unparsed_with_its_own_reason(tmp_path, stop_reason):
    log, _ = run(binaryqa_qa(data="core", n=2), tmp_path, stop_reason)
    scored = outcomes(log).values()
    assert {(o["answer"], o["unparsed_reason"]) for o in scored} == {(None, "tool_call")}
    assert {o["explanation"] for o in scored} == {"it calls a tool instead of answering"}
    assert {o["reason"] for o in scored} == {"invalid_response_format"}


def test_the_notice_of_a_run_says_so():
    [question] = questions("binaryqa_qa", data="core", n=1)
    family = load_family("binary_qa")
    outcome = family.score_answer(question.scoring_data, convert_output(tool_output()))
    assert unparsed_cause(outcome) == "tool_call"
    notice = unparsed_notice(family, [outcome])
    assert "1 tool calls in place of an answer" in notice
    assert "turn tool calls off" in notice


def test_labels_of_any_task(tmp_path):
    scorer = label_rates(tense=["Yes", "No"], sparse=[])
    task = Task(dataset=[Sample(id=1, input="Is it?", target="Yes")], scorer=scorer)
    [sample] = run(task, tmp_path, solver=with_setting("suggest", answer="No"))[0].samples
    logged = sample.scores["label_rates"].metadata["label_rates"]
    assert (logged["answer"], logged["unparsed_reason"]) == (None, "tool_call")


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
    solver = [use_tools(answer()), suggest(), multiple_choice()]
    log = evaluate(choice_task(), tmp_path, model, solver=solver)
    assert log.results.scores[0].metrics["accuracy"].value == 1
