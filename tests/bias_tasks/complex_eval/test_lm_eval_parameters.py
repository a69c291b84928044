"""What lm-eval's metadata may say to the judge tasks."""

import dataclasses

import pytest

from bias_tasks.families import load_family
from bias_tasks.respondents.traits import Traits
from tests.bias_tasks.complex_eval.answers import mixed
from tests.bias_tasks.harness_runs import Answering, load, model_arguments, run

SYNTHETIC = {"data": "synthetic", "n": 2}
BASIC, MATH, WRITING = "complexeval_basic", "complexeval_math", "complexeval_writing"
ATTENTION = "complexeval_attention_limit"
DOCUMENTS = {BASIC: 20, "complexeval_basic_rubric": 12, MATH: 8, WRITING: 12, ATTENTION: 42}
EVERY_PARAMETER = {
    parameter.name: parameter
    for spec in load_family("complex_eval").tasks.values()
    for parameter in spec.parameters
}


@pytest.mark.parametrize(
    ("task", "wrong", "right"),
    [
        (BASIC, "atack", "attack"),
        (BASIC, "attackss", "attacks"),
        (BASIC, "auxi", "aux"),
        (BASIC, "thetas", "theta"),
        (BASIC, "domain", "domains"),
        (WRITING, "biases", "bias"),
        (WRITING, "response", "responses"),
        (WRITING, "protocl", "protocol"),
        (ATTENTION, "modes", "mode"),
    ],
)
def test_a_misspelt_parameter_is_named(task, wrong, right):
    with pytest.raises(ValueError, match=f"'{wrong}'.*did you mean '{right}'"):
        load(task, **SYNTHETIC, **{wrong: "x"})


@pytest.mark.parametrize(
    ("task", "parameters", "said"),
    [
        (BASIC, {"aux": "background"}, "'background': expected some of none, reference, rubric"),
        (BASIC, {"aux": 3}, "a name or a list of names"),
        (BASIC, {"attack": ""}, "expected some of none, reference, rubric"),
        (BASIC, {"attack": "rubric", "aux": "reference"}, "is judged under aux='none' or"),
        (BASIC, {"theta": -1}, "theta=-1: expected a number from 0 on"),
        (BASIC, {"theta": float("nan")}, "theta=nan"),
        (BASIC, {"theta": "0.5"}, r"theta='0.5': expected a number .*\(in --metadata\)"),
        (BASIC, {"theta": True}, "expected a number"),
        (BASIC, {"protocol": "strict"}, "expected one of corrected, published"),
        (BASIC, {"n": "8"}, "a whole number"),
        (BASIC, {"n": 0}, "n=0: expected a whole number from 1 on"),
        (BASIC, {"seed": 1.5}, "a whole number"),
        (BASIC, {"domains": "Law"}, "no item of the domain law"),
        (BASIC, {"sources": "rmb"}, "belong to data='paper'"),
        (BASIC, {"data": "missing.jsonl"}, "missing.jsonl"),
        (WRITING, {"bias": "stereotype_amplification"}, "expected some of format"),
        (WRITING, {"beta": 0}, "beta=0: expected a number above 0"),
        (WRITING, {"responses": "mine.jsonl"}, "belong to data='paper'"),
        (ATTENTION, {"mode": "both"}, "'both': expected some of joint, per_dimension"),
        (ATTENTION, {"k": 21}, "whole numbers from 0 to 20"),
        (ATTENTION, {"k": 1.5}, r"k=1.5: expected whole numbers \(in --metadata\)"),
        (ATTENTION, {"k": True}, "k=True: expected whole numbers"),
        (ATTENTION, {"k": []}, "whole numbers from 0 to 20"),
        (ATTENTION, {"n": 0}, "n=0: expected a whole number from 1 on"),
    ],
)
def test_a_wrong_value_gives_one_clear_error(task, parameters, said):
    with pytest.raises((ValueError, RuntimeError), match=said):
        load(task, **SYNTHETIC | parameters)


@pytest.mark.parametrize(
    ("task", "parameters", "said"),
    [
        (
            "complexeval_basic_rubric",
            {"aux": "none"},
            "the task's name says aux='none,rubric': leave `aux` out",
        ),
        (
            "complexeval_basic_original",
            {"attack": "rubric"},
            "or run a task whose name does not say it",
        ),
        (BASIC, {"bias": "format"}, "`bias` belongs to complexeval_math, complexeval_role"),
        (BASIC, {"beta": 1}, "`beta` belongs to complexeval_role_playing, complexeval_w"),
        (MATH, {"beta": 1}, "`beta` belongs to complexeval_role_playing"),
        (WRITING, {"theta": 1}, "`theta` belongs to complexeval_basic: leave it out here"),
        (WRITING, {"aux": "none"}, "`aux` belongs to complexeval_basic: leave it out here"),
        (ATTENTION, {"data": "mine.jsonl"}, "says data='synthetic': leave `data` out"),
        (ATTENTION, {"beta": 1}, "`beta` belongs to complexeval_role_playing"),
    ],
)
def test_what_another_task_takes_is_not_passed_over(task, parameters, said):
    with pytest.raises(ValueError, match=said):
        load(task, **SYNTHETIC | parameters)


def test_what_the_name_says_may_be_said_again():
    given = load("complexeval_basic_original", **SYNTHETIC, attack="none").task_docs
    assert len(given) == len(load("complexeval_basic_original", **SYNTHETIC).task_docs)


def test_the_attention_limit_passes_over_the_data_of_other_tasks():
    """A group hands the same metadata to all of its tasks."""
    task = load(ATTENTION, n=1, data="synthetic")
    assert len(task.task_docs) == 21
    assert task.config.metadata["bias_tasks"]["data"] == "flaw_bank"


@pytest.mark.parametrize("task", DOCUMENTS)
def test_null_is_not_said(task):
    given = dict.fromkeys(EVERY_PARAMETER) | SYNTHETIC
    assert len(load(task, **given).task_docs) == DOCUMENTS[task]


def test_a_number_of_flaws_may_be_given_in_any_way():
    for k in (3, "3", [3], ["3"], "3,3"):
        assert len(load(ATTENTION, n=2, k=k).task_docs) == 2


@pytest.mark.parametrize("task", DOCUMENTS)
def test_no_argument_of_a_model_passes_for_a_parameter(task):
    """The harness mixes them into what it hands over."""
    arguments = model_arguments() | {field.name for field in dataclasses.fields(Traits)}
    assert arguments & set(EVERY_PARAMETER) == {"seed"}
    mixed_in = dict.fromkeys((arguments | {"persona", "model"}) - {"seed"}, "x")
    model = Answering(mixed)
    run([task], model, options={"model_args": mixed_in}, **mixed_in, **SYNTHETIC)
    assert len(model.requests) == DOCUMENTS[task]
