"""Likelihoods agree with the answers."""

import math

import pytest
from lm_eval.api.instance import Instance

from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.respondents.completion import NOTHING
from bias_tasks.respondents.harness_model import SimulatedLM
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.likelihood import likeliest, log_probability
from bias_tasks.respondents.personas import PERSONAS, make_respondent
from tests.bias_tasks.respondents.items import binary_items

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
