"""The simulated models as a model of each host, without a network."""

import asyncio
from dataclasses import replace

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import exact
from inspect_ai.solver import generate
from lm_eval.api.instance import Instance
from lm_eval.api.registry import get_model as get_harness_model

from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.simulated.persona import make_respondent
from bias_tasks.solvers.sample_state import asked_samples

ITEMS = load_items("synthetic", form="judging", n=60).items
GOLD = [{"True": "1", "False": "2", "Unknown": "3"}[item.answer] for item in ITEMS]
QUESTIONS = [
    replace(SettingQuestion(item, "vanilla", "vanilla", SettingParams()).to_question(), gold=gold)
    for item, gold in zip(ITEMS, GOLD, strict=True)
]
PROMPTS = [question.prompt for question in QUESTIONS]


def answers(respondent):
    return [respondent.respond(question.prompt, question) for question in QUESTIONS]


def run(tmp_path, **options):
    task = Task(dataset=asked_samples(QUESTIONS), solver=generate(), scorer=exact())
    [log] = inspect_eval(
        task, model="simulated/perfect", log_dir=str(tmp_path), display="none", **options
    )
    assert log.status == "success", log.error
    return log


def test_inspect_runs_a_persona_with_parameters_and_counts_its_tokens(tmp_path, monkeypatch):
    monkeypatch.setattr("tiktoken.get_encoding", None)  # a tokenizer would be downloaded
    log = run(tmp_path)
    assert log.eval.model == "simulated/perfect"
    assert log.results.scores[0].metrics["mean"].value == 1
    usage = log.stats.model_usage["simulated/perfect"]
    assert usage.input_tokens == sum(-(-len(prompt) // 4) for prompt in PROMPTS)
    assert usage.output_tokens == len(PROMPTS)
    log = run(tmp_path, model_args={"accuracy": 0.5, "seed": 3})
    respondent = make_respondent("perfect", {"accuracy": 0.5, "seed": 3})
    right = sum(said == gold for said, gold in zip(answers(respondent), GOLD, strict=True))
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(right / len(PROMPTS))
    assert 0.2 < right / len(PROMPTS) < 0.8


def test_wrong_names_and_traits_are_refused():
    for name, traits, told in (
        ("nobody", {}, r"unknown persona 'nobody'.*conformist"),
        ("judge", {"accuracy": 1}, "unknown parameter 'accuracy' of persona 'judge'"),
        ("conformist", {"adapt": 1}, "unknown parameter 'adapt'.*adopt.*seed"),
        ("conformist", {"adopt": 1.5}, "adopt=1.5"),
        ("conformist", {"adopt": float("nan")}, "adopt=nan"),
        ("conformist", {"seed": 1.5}, "seed=1.5"),
        ("conformist", {"always": "loud"}, "always='loud'.*'echo'"),
        ("perfect", {"follow_bolding": 2}, "follow_bolding=2"),
        ("examples/sums.py@Adder", {}, "no class 'Adder' of a simulated model in examples/sums.py"),
        ("nowhere.py@Adder", {}, "there is no file nowhere.py with"),
    ):
        with pytest.raises(ValueError, match=told):
            make_respondent(name, traits)
    with pytest.raises(ValueError, match="did you mean 'perfect'"):
        get_model("simulated/perfct")


def test_max_tokens_and_stop_sequences_cut_the_answer():
    model = get_model("simulated/long")
    whole = asyncio.run(model.generate(PROMPTS[0]))
    assert whole.stop_reason == "stop"
    cut = asyncio.run(model.generate(PROMPTS[0], config=GenerateConfig(max_tokens=3)))
    assert (cut.completion, cut.stop_reason) == (whole.completion[:12], "max_tokens")
    assert cut.usage.output_tokens == 3
    stopped = asyncio.run(model.generate(PROMPTS[0], config=GenerateConfig(stop_seqs=["of"])))
    assert (stopped.completion, stopped.stop_reason) == (whole.completion.split("of")[0], "stop")


def test_the_harness_model_gives_the_same_answers_and_stops_where_it_is_told():
    arguments = "persona=coin,seed=4"
    model = get_harness_model("simulated").create_from_arg_string(arguments, {"batch_size": 1})
    expected = answers(make_respondent("coin", {"seed": 4}))
    assert model.generate_until(requests(PROMPTS, {"until": []})) == expected
    model = SimulatedLM("long")
    [whole] = model.generate_until(requests(PROMPTS[:1], {}))
    [cut] = model.generate_until(requests(PROMPTS[:1], {"until": "said", "max_gen_toks": 400}))
    assert cut == whole.split("said")[0]
    [short] = model.generate_until(requests(PROMPTS[:1], {"until": ["said"], "max_gen_toks": 5}))
    assert short == whole[:20]


def requests(contexts, arguments):
    made = [Instance("generate_until", {}, (each, arguments), 0) for each in contexts]
    for request, question in zip(made, QUESTIONS, strict=False):
        request.question = question
    return made
