"""How long answers are is declared once: limits of lm-eval, the warning of Inspect, the plan."""

import logging

import pytest
from inspect_ai.model import ContentReasoning, ContentText, ModelUsage, get_model

from bias_tasks.binary_qa_tasks import binaryqa_qa
from bias_tasks.commands.plan import plan_task
from bias_tasks.contract.outcomes import can_be_cut
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.instruction_boundary_tasks import conformity, self_reflection
from bias_tasks.results.caveats import find_caveats
from bias_tasks.results.find import read_usable_runs
from bias_tasks.solvers.inspect_api import read_stop_reason
from tests.bias_tasks.harness_runs import Answering, load, run
from tests.bias_tasks.inspect_runs import evaluate, outcomes
from tests.bias_tasks.mocks import mock, output

PLAIN, REASONED, THINKING = 256, 1024, 8192
LIMITS = {
    "binaryqa_qa": 64,
    "ib_conformity_judging": PLAIN,
    "ib_multi_turn_choice_round1": REASONED,
    "complexeval_attention_limit": 4096,
}
CORE = {"data": "core", "n": 2}


def generation(task, **metadata):
    return load(task, **{**CORE, **metadata}).config.generation_kwargs


@pytest.mark.parametrize("task", LIMITS)
def test_lm_eval_asks_for_the_declared_length(task):
    settings = generation(task)
    assert (settings["max_gen_toks"], settings["until"]) == (LIMITS[task], [])
    assert generation(task, reasoning=True)["max_gen_toks"] == LIMITS[task] + THINKING


def test_a_parameter_changes_the_length():
    limits = {"zs": PLAIN, "zs_cot": REASONED, "zs,zs_cot": REASONED}
    for prompting, limit in limits.items():
        settings = generation("format_wrapping", prompting=prompting)
        assert settings["max_gen_toks"] == limit
    assert generation("binaryqa", affirmative_first=True)["max_gen_toks"] == PLAIN
    spec = load_family("output_format").tasks["format_wrapping"]
    both = spec.values({"prompting": "zs,zs_cot"})
    lengths = [spec.answer_length(f"{name}+bolding", both).limit for name in ("zs", "zs_cot")]
    assert lengths == [PLAIN, REASONED]


def test_likelihoods_have_no_limit_and_a_misspelt_parameter_is_refused():
    assert load("binaryqa_qa_ll", **CORE, reasoning=True).config.generation_kwargs is None
    with pytest.raises(ValueError, match="reasoning"):
        run(["binaryqa_qa"], Answering(lambda doc: "Yes"), **CORE, reasonning=True)


def test_gen_kwargs_override_the_limit():
    model = Answering(lambda doc: "Yes")
    done = run(["binaryqa_qa"], model, options={"gen_kwargs": "max_gen_toks=7"}, **CORE)
    assert {request.args[1]["max_gen_toks"] for request in model.requests} == {7}
    assert done["configs"]["binaryqa_qa"]["metadata"]["bias_tasks"]["answer_limit"] == 64


def test_every_variant_of_every_task_has_a_declared_length():
    for family in map(load_family, FAMILY_NAMES):
        for spec in family.tasks.values():
            length = spec.answer_length("any variant", spec.values({}))
            assert 0 < length.mean < length.limit


def test_a_plan_counts_each_variant_with_its_own_length():
    spec = load_family("instruction_boundary").tasks["self_reflection"]
    values = spec.values(CORE)
    means = [spec.answer_length(name, values).mean for name in ("vanilla", "self_reflection")]
    assert means[0] < means[1]
    plan = plan_task("self_reflection", CORE, power=False)
    assert plan.calls.tokens_out == 2 * sum(means)
    assert plan_task("self_reflection", CORE, power=False, answer_tokens=3).calls.tokens_out == 12


def low_limits(messages):
    return [message for message in messages if "may cut answers" in message]


def test_inspect_warns_once_before_the_first_call_and_in_the_results(tmp_path, caplog):
    warnings_at_calls = []

    def answer(prompt):
        warnings_at_calls.append(len(low_limits(caplog.messages)))
        return "1"

    with caplog.at_level(logging.WARNING):
        evaluate(self_reflection(**CORE), tmp_path / "low", mock(answer), max_tokens=150)
    assert set(warnings_at_calls) == {1}
    [message] = low_limits(caplog.messages)
    assert "150 tokens" in message
    assert "1,024" in message
    caplog.clear()
    limits = {"enough": {"max_tokens": 1024}, "none": {}}
    with caplog.at_level(logging.WARNING):
        evaluate(binaryqa_qa(**CORE), tmp_path / "plain", mock(lambda _: "Yes"), max_tokens=64)
        for name, options in limits.items():
            evaluate(self_reflection(**CORE), tmp_path / name, mock(answer), **options)
    assert low_limits(caplog.messages) == []
    for name, n_caveats in {"low": 1, "enough": 0, "none": 0}.items():
        [log_run] = read_usable_runs([tmp_path / name])
        assert len(low_limits(find_caveats(log_run))) == n_caveats


def stopped(text, used=None, reason="max_tokens"):
    result = output(text)
    result.usage = used and ModelUsage(output_tokens=used)
    result.choices[0].stop_reason = reason
    return result


def test_a_stop_reason_counts_only_near_the_limit():
    assert not can_be_cut(4, 200)
    assert can_be_cut(4, 8)
    assert (can_be_cut(31, None), can_be_cut(32, None)) == (False, True)
    assert read_stop_reason(stopped("2, 3"), 200) == "stop"
    assert read_stop_reason(stopped("2, 3"), 4) == "truncated"
    assert read_stop_reason(stopped("2, 3")) == "stop"
    assert read_stop_reason(stopped("x" * 100), 200) == "truncated"
    # Hidden reasoning may have used up the limit, and the context what is left of it.
    assert read_stop_reason(stopped("2, 3", used=200), 200) == "truncated"
    assert read_stop_reason(stopped("2, 3", reason="model_length"), 200) == "truncated"
    thought = stopped("")
    thought.choices[0].message.content = [
        ContentReasoning(reasoning="so " * 60),
        ContentText(text="2, 3"),
    ]
    assert read_stop_reason(thought, 200) == "truncated"


@pytest.mark.parametrize(("max_tokens", "is_parsed"), [(200, True), (None, True), (4, False)])
def test_a_whole_answer_far_below_the_limit_is_not_cut(max_tokens, is_parsed, tmp_path):
    def reply(messages, tools, tool_choice, config):
        return stopped("1, 2", used=2)

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    task = conformity(**CORE, form="choice")
    log = evaluate(task, tmp_path, model, max_tokens=max_tokens)
    answers = [outcome["answer"] for outcome in outcomes(log).values()]
    assert {answer is not None for answer in answers} == {is_parsed}
