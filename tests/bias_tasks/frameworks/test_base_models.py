"""With `base_model`, prompts end in a cue, and answers end before another question."""

from dataclasses import replace

import pytest

from bias_tasks.instruction_boundary.prompts.render import render_next_round
from bias_tasks.prompts.templates import STOP_SEQUENCES, with_cue
from tests.bias_tasks.builders import plan, questions
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small
from tests.bias_tasks.harness_runs import Answering, run
from tests.bias_tasks.inspect_runs import evaluate
from tests.bias_tasks.mocks import mock

TAKING = [
    (family, spec.name)
    for family, spec in SPECS
    if any(parameter.name == "base_model" for parameter in spec.parameters)
]


def test_every_prompt_ends_in_one_cue_and_is_the_default_s_but_for_it():
    assert {family for family, _ in TAKING} == {"binary_qa", "instruction_boundary"}
    for family, task in TAKING:
        given = small(f"{family}/{task}")
        default, cued = plan(task, **given), plan(task, **given, base_model=True)
        assert (default.stop_sequences, cued.stop_sequences) == ((), STOP_SEQUENCES)
        for asked, behind in zip(default.questions, cued.questions, strict=True):
            assert behind.prompt == with_cue(asked.prompt)
            assert behind.prompt.endswith("\nAnswer:")
            assert not behind.prompt.removesuffix("\nAnswer:").rstrip().endswith("Answer:")
            assert (behind.id, behind.gold) == (asked.id, asked.gold)
    question = questions("multi_turn", data="synthetic", form="judging", n=2)[0].source
    params = replace(question.params, base_model=True)
    plain = render_next_round(question.item, question.params, "3")
    assert render_next_round(question.item, params, "3") == f"{plain}\nAnswer:"


@pytest.mark.parametrize("base", [True, False])
def test_hosts_ask_alike(base, tmp_path):
    given = small("binary_qa/binaryqa_sc", 3) | ({"base_model": True} if base else {})
    prompts = []
    model = mock(lambda prompt: prompts.append(prompt) or " Yes")
    log = evaluate(inspect_task("binary_qa/binaryqa_sc", **given), tmp_path, model)
    assert log.plan.config.stop_seqs == (list(STOP_SEQUENCES) if base else None)
    model = Answering(lambda doc: " Yes")
    run(["binaryqa_sc"], model, **given)
    assert sorted(request.args[0] for request in model.requests) == sorted(prompts)
    for request in model.requests:
        until = request.args[1]["until"]
        # A repeat stops at a text of its own, too, which keeps caches apart.
        assert (
            until[: len(STOP_SEQUENCES)] == list(STOP_SEQUENCES)
            if base
            else not set(until) & set(STOP_SEQUENCES)
        )
