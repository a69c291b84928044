"""What lm-eval's metadata may say to the tasks of binary question answering."""

import pytest

from bias_tasks.binary_qa.family import FAMILY
from tests.bias_tasks.harness_runs import load

SYNTHETIC = {"data": "synthetic", "n": 4}
PARAMETERS = FAMILY.tasks["binaryqa"].parameters
NAMES = [parameter.name for parameter in PARAMETERS]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("domain", "domains"),
        ("source", "sources"),
        ("weight", "weights"),
        ("oder", "order"),
        ("reformulation", "reformulate"),
        ("protocl", "protocol"),
    ],
)
def test_a_misspelt_parameter_is_named(wrong, right):
    with pytest.raises(ValueError, match=f"'{wrong}'.*did you mean '{right}'"):
        load("binaryqa", **SYNTHETIC, **{wrong: "x"})


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"order": "alphabetical"}, "yes_no, no_yes"),
        ({"order": 3}, "yes_no, no_yes"),
        ({"protocol": "strict"}, "corrected, published"),
        ({"weights": {"f2": 1.0}}, "f2"),
        ({"weights": "f1"}, "a number for each metric"),
        ({"domains": "reading,law"}, "law"),
        ({"domains": [3]}, "a name or a list of names"),
        ({"n": "8"}, "a whole number"),
        ({"n": 0}, "n=0: expected a whole number from 1 on"),
        ({"seed": 1.5}, "a whole number"),
        ({"data": "missing.jsonl"}, "missing.jsonl"),
        ({"reformulate": "maybe"}, "grammar"),
    ],
)
def test_a_wrong_value_gives_one_clear_error(parameters, said):
    with pytest.raises((ValueError, RuntimeError), match=said):
        load("binaryqa", **SYNTHETIC | parameters)


def test_a_task_of_one_domain_takes_no_other():
    with pytest.raises(ValueError, match="name says domains='reading': leave `domains` out"):
        load("binaryqa_reading", **SYNTHETIC, domains="multi_hop")
