"""The simulated respondents as a model of each host, without a network."""

import asyncio
import json

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import Score, accuracy, exact, scorer
from inspect_ai.solver import generate
from lm_eval.api.instance import Instance
from lm_eval.api.registry import get_model as get_harness_model

from bias_tasks.family import Question
from bias_tasks.instruction_boundary.prompts.ask import ask
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.respondents import harness_model, provider
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.solvers.sample_state import asked_samples
from tests.bias_tasks.effort import steps
from tests.bias_tasks.respondents.items import judging_items

ITEMS = judging_items(60)
PROMPTS = [ask(item, "vanilla", SettingParams()).prompt for item in ITEMS]
GOLD = [{"True": "1", "False": "2", "Unknown": "3"}[item.answer] for item in ITEMS]
KNOWN = KnownItems(ITEMS)
QUESTIONS = [
    Question(item.id, item.id, item.id, "vanilla", prompt, gold, facts={}, known=(item,))
    for item, prompt, gold in zip(ITEMS, PROMPTS, GOLD, strict=True)
]


def run(task, model, tmp_path, **options):
    [log] = inspect_eval(
        task, model=model, log_dir=str(tmp_path), display="none", log_realtime=False, **options
    )
    assert log.status == "success", log.error
    return log


def task():
    return Task(dataset=asked_samples(QUESTIONS), solver=generate(), scorer=exact())


def test_inspect_runs_a_persona_with_parameters_and_counts_its_tokens(tmp_path, monkeypatch):
    monkeypatch.setattr("tiktoken.get_encoding", None)  # a tokenizer would be downloaded
    log = run(task(), "simulated/perfect", tmp_path)
    assert log.eval.model == "simulated/perfect"
    assert log.results.scores[0].metrics["mean"].value == 1
    usage = log.stats.model_usage["simulated/perfect"]
    assert usage.input_tokens == sum(-(-len(prompt) // 4) for prompt in PROMPTS)
    assert usage.output_tokens == len(PROMPTS)
    log = run(task(), "simulated/perfect", tmp_path, model_args={"accuracy": 0.5, "seed": 3})
    respondent = make_respondent("perfect", {"accuracy": 0.5, "seed": 3})
    right = sum(respondent.respond(p, KNOWN) == g for p, g in zip(PROMPTS, GOLD, strict=True))
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(right / len(PROMPTS))
    assert 0.2 < right / len(PROMPTS) < 0.8


def test_concurrency_does_not_matter(tmp_path):
    outputs = []
    for connections in (1, 50):
        log = run(task(), "simulated/coin", tmp_path, max_connections=connections)
        outputs.append({sample.id: sample.output.completion for sample in log.samples})
    assert outputs[0] == outputs[1]


def test_a_persona_serves_in_a_role(tmp_path):
    @scorer(metrics=[accuracy()])
    def graded():
        async def score(state, target):
            reply = await get_model(role="grader", required=True).generate(PROMPTS[0])
            return Score(value=float(reply.completion == GOLD[0]))

        return score

    role = {"grader": get_model("simulated/perfect")}
    graded_task = Task(dataset=asked_samples(QUESTIONS[:1]), solver=generate(), scorer=graded())
    log = run(graded_task, "simulated/mute", tmp_path, model_roles=role)
    assert log.results.scores[0].metrics["accuracy"].value == 1


def test_max_tokens_and_stop_sequences_cut_the_answer():
    model = get_model("simulated/babbler")
    whole = asyncio.run(model.generate(PROMPTS[0]))
    assert whole.stop_reason == "stop"
    cut = asyncio.run(model.generate(PROMPTS[0], config=GenerateConfig(max_tokens=10)))
    assert (cut.completion, cut.stop_reason) == (whole.completion[:40], "max_tokens")
    assert cut.usage.output_tokens == 10
    stopped = asyncio.run(model.generate(PROMPTS[0], config=GenerateConfig(stop_seqs=["```"])))
    assert (stopped.completion, stopped.stop_reason) == (whole.completion.split("```")[0], "stop")


def test_a_wrong_model_name_or_argument_is_refused():
    with pytest.raises(ValueError, match=r"unknown persona 'nobody'.*conformist"):
        get_model("simulated/nobody")
    with pytest.raises(ValueError, match="unknown parameter 'adapt'"):
        get_model("simulated/conformist", adapt=1)
    assert provider.SimulatedAPI("mute").max_connections() >= 100


def test_the_harness_model_gives_the_same_answers_as_inspects():
    arguments = "persona=coin,seed=4"
    model = get_harness_model("simulated").create_from_arg_string(arguments, {"batch_size": 1})
    respondent = make_respondent("coin", {"seed": 4})
    expected = [respondent.respond(prompt, KNOWN) for prompt in PROMPTS]
    chats = [
        model.apply_chat_template(
            [
                {"role": "user", "content": "Hello."},
                {"role": "assistant", "content": "Hello."},
                {"role": "user", "content": prompt},
            ]
        )
        for prompt in PROMPTS
    ]
    assert json.loads(chats[0])[1] == {"role": "assistant", "content": "Hello."}
    for contexts in (PROMPTS, chats):
        assert model.generate_until(requests(contexts, {"until": []})) == expected


def test_the_harness_model_stops_where_it_is_told():
    model = harness_model.SimulatedLM("babbler")
    [whole] = model.generate_until(requests(PROMPTS[:1], {}))
    [cut] = model.generate_until(requests(PROMPTS[:1], {"until": "```", "max_gen_toks": 400}))
    assert cut == whole.split("```")[0]
    [short] = model.generate_until(requests(PROMPTS[:1], {"until": ["```"], "max_gen_toks": 5}))
    assert short == whole[:20]


def test_an_answer_takes_few_steps():
    """No pattern is compiled anew for each answer: that alone would take 5000."""
    respondent = make_respondent("conformist")
    for prompt in PROMPTS:
        respondent.respond(prompt, KNOWN)
        assert steps(lambda prompt=prompt: respondent.respond(prompt, KNOWN)) < 6000


def requests(contexts, arguments):
    made = [
        Instance("generate_until", {}, (context, arguments), index)
        for index, context in enumerate(contexts)
    ]
    for request in made:
        request.known = ITEMS
    return made
