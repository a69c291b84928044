"""Simulated models as models of each framework, without a network."""

import asyncio
from dataclasses import replace

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import exact
from inspect_ai.solver import generate
from lm_eval.api.instance import Instance
from lm_eval.api.registry import get_model as get_lm_eval_model

from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.simulated.persona import make_simulated_model
from bias_tasks.solvers.inspect_api import PrerequisiteError
from bias_tasks.solvers.sample_state import question_samples
from tests.bias_tasks.command_line import typed_inspect

ITEMS = load_items("synthetic", form="judging", n=24).items
GOLD = [{"True": "1", "False": "2", "Unknown": "3"}[item.answer] for item in ITEMS]
QUESTIONS = [
    replace(SettingQuestion(item, "vanilla", "vanilla", SettingParams()).to_question(), gold=gold)
    for item, gold in zip(ITEMS, GOLD, strict=True)
]
PROMPTS = [question.prompt for question in QUESTIONS]


def list_answers(model):
    return [model.respond(question.prompt, question) for question in QUESTIONS]


def run(tmp_path, **options):
    task = Task(dataset=question_samples(QUESTIONS), solver=generate(), scorer=exact())
    [log] = inspect_eval(
        task, model="simulated/perfect", log_dir=str(tmp_path), display="none", **options
    )
    assert log.status == "success", log.error
    return log


def test_inspect_runs_a_persona_with_traits_and_counts_its_tokens(tmp_path, monkeypatch):
    monkeypatch.setattr("tiktoken.get_encoding", None)  # a tokenizer would be downloaded
    log = run(tmp_path)
    assert log.eval.model == "simulated/perfect"
    assert log.results.scores[0].metrics["mean"].value == 1
    usage = log.stats.model_usage["simulated/perfect"]
    assert usage.input_tokens == sum(-(-len(prompt) // 4) for prompt in PROMPTS)
    assert usage.output_tokens == len(PROMPTS)
    log = run(tmp_path, model_args={"accuracy": 0.5, "seed": 3})
    answers = list_answers(make_simulated_model("perfect", {"accuracy": 0.5, "seed": 3}))
    right = sum(answer == gold for answer, gold in zip(answers, GOLD, strict=True))
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(right / len(PROMPTS))
    assert 0.2 < right / len(PROMPTS) < 0.8


def test_wrong_names_and_traits_raise_an_error():
    for name, traits, message in (
        ("nobody", {}, r"unknown persona 'nobody'.*conformist"),
        ("grader", {"accuracy": 1}, "unknown parameter 'accuracy' of persona 'grader'"),
        ("conformist", {"adapt": 1}, "unknown parameter 'adapt'.*adopt.*seed"),
        ("conformist", {"adopt": 1.5}, "adopt=1.5"),
        ("conformist", {"adopt": float("nan")}, "adopt=nan"),
        ("conformist", {"seed": 1.5}, "seed=1.5"),
        ("conformist", {"always": "loud"}, "always='loud'.*'echo'"),
        ("perfect", {"follow_bolding": 2}, "follow_bolding=2"),
        ("examples/sums.py@Adder", {}, "no class 'Adder' of a simulated model in examples/sums.py"),
        ("nowhere.py@Adder", {}, "there is no file nowhere.py with"),
    ):
        with pytest.raises(ValueError, match=message):
            make_simulated_model(name, traits)
    with pytest.raises(ValueError, match="did you mean 'perfect'"):
        get_model("simulated/perfct")


def test_an_error_in_a_users_file_is_one_line_with_its_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for text, message in (
        ("\nclass Mine(Simulated)\n    pass", "mine.py, line 2: expected ':'"),
        ("def f():\n    Other\nf()\n", "mine.py, line 2: NameError: name 'Other' is not defined"),
        ("raise OSError('one\\ntwo')\n", "mine.py, line 1: OSError: one two"),
        ("import other\n", "other.py, line 1: '(' was never closed"),
    ):
        (tmp_path / "mine.py").write_text(text)
        (tmp_path / "other.py").write_text("(")
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(ValueError, match="line") as caught:
            make_simulated_model("mine.py@Mine")
        assert str(caught.value).endswith(message)
    words = ("eval", "bias_tasks/vanilla", "-T", "data=core", "--model=simulated/mine.py@Mine")
    done = typed_inspect(*words, "--display=none")
    assert isinstance(done.exception, PrerequisiteError)  # Inspect prints its message alone
    assert "simulated/mine.py@Mine: " in str(done.exception.message)


def test_max_tokens_and_stop_sequences_truncate_the_answer():
    model = get_model("simulated/long")
    full = asyncio.run(model.generate(PROMPTS[0]))
    assert full.stop_reason == "stop"
    truncated = asyncio.run(model.generate(PROMPTS[0], config=GenerateConfig(max_tokens=3)))
    assert (truncated.completion, truncated.stop_reason) == (full.completion[:12], "max_tokens")
    assert truncated.usage.output_tokens == 3
    stopped = asyncio.run(model.generate(PROMPTS[0], config=GenerateConfig(stop_seqs=["of"])))
    assert (stopped.completion, stopped.stop_reason) == (full.completion.split("of")[0], "stop")


def test_the_lm_eval_model_gives_the_same_answers_and_stops_at_stop_sequences():
    arguments = "persona=coin,seed=4"
    model = get_lm_eval_model("simulated").create_from_arg_string(arguments, {"batch_size": 1})
    expected = list_answers(make_simulated_model("coin", {"seed": 4}))
    assert model.generate_until(build_requests(PROMPTS, {"until": []})) == expected
    model = SimulatedLM("long")
    [full] = model.generate_until(build_requests(PROMPTS[:1], {}))
    [truncated] = model.generate_until(
        build_requests(PROMPTS[:1], {"until": "said", "max_gen_toks": 400})
    )
    assert truncated == full.split("said")[0]
    [short] = model.generate_until(
        build_requests(PROMPTS[:1], {"until": ["said"], "max_gen_toks": 5})
    )
    assert short == full[:20]


def build_requests(contexts, arguments):
    requests = [Instance("generate_until", {}, (context, arguments), 0) for context in contexts]
    for request, question in zip(requests, QUESTIONS, strict=False):
        request.question = question
    return requests
