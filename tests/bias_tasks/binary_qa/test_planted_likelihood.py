"""Likelihoods agree with the answers, in the process and over HTTP, and need no download."""

import math
import sys

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lm_eval.api.instance import Instance
from lm_eval.models.openai_completions import LocalCompletionsAPI

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.respondents import tokens
from bias_tasks.respondents.completion import NOTHING
from bias_tasks.respondents.echo import echoed
from bias_tasks.respondents.harness_model import SimulatedLM
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.likelihood import likeliest, log_probability
from bias_tasks.respondents.personas import PERSONAS, make_respondent
from tests.bias_tasks.harness_runs import run, values
from tests.bias_tasks.respondents.items import binary_items
from tests.bias_tasks.respondents.test_serve import serving

ITEMS = binary_items(40)
PROMPTS = [ask_binary(item, variant, cue=True) for item in ITEMS for variant in VARIANTS]
KNOWN = KnownItems(ITEMS)


def pairs(prompts):
    """Requests as lm-eval makes them of our tasks: both answers after each prompt."""
    requests = [
        Instance("loglikelihood", {}, (prompt, f" {label}"), number)
        for prompt in prompts
        for number, label in enumerate(("Yes", "No"))
    ]
    for request in requests:
        request.known = ITEMS
    return requests


def chosen(likelihoods):
    """The answers that are likelier, from likelihoods of Yes and No in turn."""
    return [
        "Yes" if likelihoods[place][0] > likelihoods[place + 1][0] else "No"
        for place in range(0, len(likelihoods), 2)
    ]


@pytest.mark.parametrize("name", [name for name in PERSONAS if name != "mute"])
def test_the_likelier_answer_is_the_one_given_at_the_first_call(name):
    parameters = {"seed": 2, "style": "asked", "verbosity": "terse"}
    model = SimulatedLM(name, **parameters)
    likelihoods = model.loglikelihood(pairs(PROMPTS[:80]))
    expected = []
    for prompt in PROMPTS[:80]:
        expected.append(make_respondent(name, parameters).respond(prompt, KNOWN))
    assert chosen(likelihoods) == expected
    for place in range(0, len(likelihoods), 2):
        both = likelihoods[place : place + 2]
        assert sorted(math.exp(each) for each, _ in both) == pytest.approx([0.1, 0.9])
        assert [greedy for _, greedy in both] == [each > math.log(0.5) for each, _ in both]


def test_likelihoods_do_not_change_from_call_to_call():
    model = SimulatedLM("coin")
    assert model.loglikelihood(pairs(PROMPTS)) == model.loglikelihood(pairs(PROMPTS))
    assert set(chosen(model.loglikelihood(pairs(PROMPTS)))) == {"Yes", "No"}


def test_style_verbosity_and_abstention_play_no_part():
    plain = SimulatedLM("steadfast").loglikelihood(pairs(PROMPTS))
    other = SimulatedLM("steadfast", abstention=1.0, style="oblique", verbosity="rambling")
    assert other.loglikelihood(pairs(PROMPTS)) == plain


def test_a_chat_is_read_like_a_plain_prompt():
    model = SimulatedLM("steadfast")
    chats = [model.apply_chat_template([{"role": "user", "content": p}]) for p in PROMPTS]
    assert model.loglikelihood(pairs(chats)) == model.loglikelihood(pairs(PROMPTS))


def test_other_texts_are_less_likely_and_differ():
    answer = likeliest(make_respondent("perfect"), "Which?\n1. this\n2. that\n3. neither", NOTHING)
    chances = {text: log_probability(answer, "Which?", f" {text}") for text in "123456789"}
    assert chances.pop(answer) == math.log(0.9)
    assert max(chances.values()) < math.log(0.1)
    assert len(set(chances.values())) == 8


def test_assistants_and_whole_texts_have_no_likelihoods():
    with pytest.raises(NotImplementedError, match="only personas"):
        SimulatedLM("judge").loglikelihood(pairs(PROMPTS[:1]))
    with pytest.raises(NotImplementedError, match="whole texts"):
        SimulatedLM("coin").loglikelihood_rolling([])


@given(st.text())
def test_tokens_give_the_text_back(text):
    ids = tokens.encode(text)
    assert tokens.decode(ids) == text
    assert "".join(tokens.split(text)) == text


@given(st.text(), st.text())
def test_a_text_is_cut_between_tokens_before_a_space(text, more):
    cut = len(tokens.encode(f"{text}."))
    assert tokens.encode(f"{text}. {more}")[:cut] == tokens.encode(f"{text}.")


def test_the_longest_words_have_ids_that_json_can_carry():
    ids = tokens.encode("\U0010ffff" * 1000 + "\u2003" * 100 + "\ud800")
    assert max(len(str(each)) for each in ids) < sys.int_info.default_max_str_digits
    assert tokens.decode(ids).endswith("\u2003\ud800")


def test_an_echo_leaves_the_prompt_certain_and_weighs_its_last_word():
    prompt = ask_binary(ITEMS[0], "original", cue=True)
    for word, chance in ((" Yes", 0.9), (" No", 0.1)):
        choice = echoed(make_respondent("perfect"), prompt + word, generated=1, known=KNOWN)
        weighed = choice["logprobs"]
        assert choice["text"] == prompt + word + tokens.END
        assert set(weighed["token_logprobs"][:-2]) == {0.0}
        assert math.exp(weighed["token_logprobs"][-2]) == pytest.approx(chance)
        assert max(weighed["top_logprobs"][-2].values()) == math.log(0.9)
        assert {len(each) for each in weighed.values()} == {len(tokens.split(prompt)) + 2}
    assert (
        echoed(make_respondent("perfect"), "", generated=0, known=KNOWN)["logprobs"]["tokens"] == []
    )


def network_model(address, **options):
    return LocalCompletionsAPI(model="x", base_url=f"{address}/v1/completions", **options)


@pytest.mark.parametrize(
    "options",
    [{}, {"tokenized_requests": False}, {"num_concurrent": 8, "batch_size": 3}],
    ids=str,
)
def test_the_harness_network_model_gets_the_same_likelihoods(options):
    prompts = PROMPTS[:8]
    with serving("no_leaner", items=ITEMS) as address:
        model = network_model(address, **options)
        assert model.tokenizer_backend == "remote"  # found without being told
        found = model.loglikelihood(pairs(prompts), disable_tqdm=True)
        generated = model.generate_until(
            [
                Instance("generate_until", {}, (prompt, {"until": [], "max_gen_toks": 9}), n)
                for n, prompt in enumerate(prompts)
            ],
            disable_tqdm=True,
        )
    expected = SimulatedLM("no_leaner").loglikelihood(pairs(prompts))
    assert [greedy for _, greedy in found] == [greedy for _, greedy in expected]
    assert [each for each, _ in found] == pytest.approx([each for each, _ in expected])
    assert generated == chosen(expected)


def test_a_likelihood_task_runs_alike_in_the_process_and_over_http():
    figures = []
    settings = {"data": "synthetic", "n": 8}
    values_of_all = FAMILY.tasks["binaryqa_nrc"].values(settings)
    planned = FAMILY.plan("binaryqa_nrc", values_of_all, likelihoods=True)
    items = [item for question in planned.questions for item in question.known]
    with serving("negation_blind", items=items) as address:
        for model in (SimulatedLM("negation_blind"), network_model(address)):
            results = run(["binaryqa_nrc_ll"], model, **settings)
            figures.append(values(results, "binaryqa_nrc_ll"))
    assert figures[0] == pytest.approx(figures[1], nan_ok=True)
    assert 0 <= figures[0]["nrc"] < 1


def test_texts_with_lone_surrogates_come_back():
    with serving("perfect") as address:
        body = b'{"prompt": "a\\ud800 b", "echo": true, "logprobs": 1, "max_tokens": 0}'
        response = httpx.post(f"{address}/v1/completions", content=body)
        assert response.json()["choices"][0]["text"] == "a\ud800 b"
        ids = httpx.post(f"{address}/tokenize", content=b'{"prompt": "a\\ud800 b"}').json()
        text = httpx.post(f"{address}/detokenize", json={"tokens": ids["tokens"]}).json()
        assert text == {"prompt": "a\ud800 b"}


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("tokenize", b"{}", "prompt must be a text"),
        ("tokenize", b"[", "not JSON"),
        ("detokenize", b'{"tokens": "a"}', "a list of token ids"),
        ("detokenize", b'{"tokens": [3]}', "ids must be those that /tokenize gives"),
    ],
)
def test_a_wrong_request_to_the_tokenizer_is_refused(path, body, message):
    with serving() as address:
        response = httpx.post(f"{address}/{path}", content=body)
    assert response.status_code == 400
    assert message in response.json()["error"]["message"]
