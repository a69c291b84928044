"""With `base` prompts end in a cue and answers before another question, alike in both hosts."""

from dataclasses import replace

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.families import load_family
from bias_tasks.instruction_boundary.prompts.ask import ask_again
from bias_tasks.prompts.cued import STOPS, with_cue
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small
from tests.bias_tasks.harness_runs import Answering, load, run, values
from tests.bias_tasks.mocks import mock

TAKING = [
    (family, spec.name)
    for family, spec in SPECS
    if any(parameter.name == "base" for parameter in spec.parameters)
]


def plan(family, task, **given):
    brought = load_family(family)
    return brought.plan(task, brought.tasks[task].values(small(f"{family}/{task}") | given))


def test_the_tasks_that_take_it():
    assert {family for family, _ in TAKING} == {"binary_qa", "instruction_boundary"}
    assert len(TAKING) == sum(len(load_family(name).tasks) for name in dict(TAKING))


@pytest.mark.parametrize(("family", "task"), TAKING)
def test_every_prompt_ends_in_one_cue_and_is_the_default_s_but_for_it(family, task):
    default, cued = plan(family, task), plan(family, task, base=True)
    assert (default.stops, cued.stops) == ((), STOPS)
    for asked, behind in zip(default.questions, cued.questions, strict=True):
        assert behind.prompt == with_cue(asked.prompt)
        assert behind.prompt.endswith("\nAnswer:")
        assert not behind.prompt.removesuffix("\nAnswer:").rstrip().endswith("Answer:")
        assert (behind.id, behind.gold) == (asked.id, asked.gold)


def test_likelihoods_need_no_stops():
    brought = load_family("binary_qa")
    asked = brought.tasks["binaryqa_qa"].values({"data": "synthetic", "n": 2, "base": True})
    plain = brought.tasks["binaryqa_qa"].values({"data": "synthetic", "n": 2})
    cued = brought.plan("binaryqa_qa", asked, likelihoods=True)
    assert cued.stops == ()
    assert cued.questions == brought.plan("binaryqa_qa", plain, likelihoods=True).questions


def test_the_next_round_of_a_setting_ends_in_a_cue():
    question = plan("instruction_boundary", "multi_turn", form="judging", n=2).questions[0].source
    params = replace(question.params, base=True)
    plain = ask_again(question.item, question.params, "3")
    assert ask_again(question.item, params, "3") == f"{plain}\nAnswer:"


def test_a_prompt_polished_live_ends_in_a_cue(tmp_path):
    asked = []

    def answer(prompt):
        asked.append(prompt)
        return "1"

    def polished(request):
        return request.partition("\n\n")[2].removesuffix("Answer:").rstrip() or request

    task = inspect_task(
        "instruction_boundary/prompt_polishing",
        **{"data": "synthetic", "form": "judging", "n": 2, "polish": "live", "base": True},
        paired=False,
    )
    [log] = inspect_eval(
        task,
        model=mock(answer),
        model_roles={"polisher": mock(polished, "polisher")},
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    assert len(asked) == 2
    assert all(prompt.endswith("\nAnswer:") for prompt in asked)


HOSTS = [
    ("binary_qa/binaryqa_sc", "binaryqa_sc", {}),
    ("instruction_boundary/vagueness", "ib_vagueness_judging", {"form": "judging"}),
]


@pytest.mark.parametrize(("name", "in_lm_eval", "more"), HOSTS)
@pytest.mark.parametrize("base", [True, False])
def test_hosts_ask_alike(name, in_lm_eval, more, base, tmp_path):
    given = small(name, 3) | ({"base": True} if base else {})
    prompts = []

    def answer(prompt):
        prompts.append(prompt)
        return " Yes"

    [log] = inspect_eval(
        inspect_task(name, **given, **more),
        model=mock(answer),
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
    )
    assert log.plan.config.stop_seqs == (list(STOPS) if base else None)
    model = Answering(lambda doc: " Yes")
    found = values(run([in_lm_eval], model, **given), in_lm_eval)
    assert sorted(request.args[0] for request in model.requests) == sorted(prompts)
    for request in model.requests:
        until = request.args[1]["until"]
        # A repeat stops at a text of its own, too, which keeps caches apart.
        assert until[: len(STOPS)] == list(STOPS) if base else not set(until) & set(STOPS)
    figures = inspect_runs.values(log)
    assert found == pytest.approx({key: figures[key] for key in found}, nan_ok=True)


def test_arguments_of_the_command_line_stand_above_the_stops():
    task = load("binaryqa_qa", data="synthetic", n=2, base=True)
    assert task.config.generation_kwargs["until"] == list(STOPS)
    assert task.config.generation_kwargs["max_gen_toks"] == 2048
    task.set_config(key="generation_kwargs", value={"until": ["\n"]}, update=True)
    task.build_all_requests(limit=1)
    assert task.instances[0].args[1]["until"] == ["\n"]
