"""What lm-eval's metadata may say."""

import pytest
from bias_tasks.harness.instruction_boundary import PARAMETERS, run_parameters

from bias_tasks.data.errors import DataError
from bias_tasks.instruction_boundary.settings import SettingParams
from tests.bias_tasks.harness_runs import load, model_arguments


def test_nothing_said_is_the_defaults():
    run = run_parameters({"version": 1, "config_source": "x.yaml"})
    assert run.setting == SettingParams()
    assert (run.data, run.sources, run.paired, run.n, run.first_round) == (
        "paper",
        None,
        True,
        None,
        None,
    )


def test_null_is_not_said():
    assert run_parameters({"n": None, "sources": None, "seed": None}) == run_parameters({})


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("protocl", "protocol"),
        ("source", "sources"),
        ("shot", "shots"),
        ("pair", "paired"),
        ("distractor", "distractors"),
        ("suggestion", "suggest"),
        ("firstround", "first_round"),
    ],
)
def test_a_misspelt_parameter_is_named(wrong, right):
    with pytest.raises(ValueError, match=f"'{wrong}'.*did you mean '{right}'"):
        run_parameters({wrong: "x"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("paired", "false"),
        ("paired", 1),
        ("n", "10"),
        ("n", True),
        ("sources", 3),
        ("seed", "1"),
        ("seed", 1.5),
        ("protocol", "both"),
        ("shots", 0),
        ("distractors", 10),
        ("suggest", "maybe"),
    ],
)
def test_a_wrong_value_is_named(name, value):
    with pytest.raises(ValueError, match=f"{name}="):
        run_parameters({name: value})


@pytest.mark.parametrize("name", ["rounds", "polish", "form"])
def test_what_is_said_elsewhere_is_refused(name):
    with pytest.raises(ValueError, match=f"`{name}`|says the {name}"):
        run_parameters({name: 2})


def test_labels_that_the_command_line_turns_into_truth_values_are_labels():
    assert run_parameters({"suggest": True}).setting.suggest == "True"


def test_no_argument_of_the_harness_models_passes_for_a_misspelling():
    run_parameters(dict.fromkeys(model_arguments() - set(PARAMETERS)))


def test_a_label_of_the_other_form_is_refused_by_the_task():
    with pytest.raises(ValueError, match="suggest=Unknown"):
        load("ib_conformity_choice", data="synthetic", n=3, suggest="Unknown")


def test_items_that_cannot_be_had_say_how_lm_eval_takes_parameters(tmp_path):
    with pytest.raises(DataError) as caught:
        load("ib_vanilla_choice", data=str(tmp_path / "nowhere.csv"))
    assert "--metadata" in caught.value.__notes__[0]
