"""The same answers, item by item, give the same figures in Inspect and in lm-eval."""

import math

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.instruction_boundary.items import FORMS
from bias_tasks.instruction_boundary.settings import SETTINGS
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.tasks import instruction_boundary as tasks
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import log, run, values
from tests.bias_tasks.mocks import mock

RESPONDENT = {"adopt": 0.4, "reflect": 0.3, "abstention": 0.1, "accuracy": 0.6, "seed": 5}


def in_inspect(setting, form, tmp_path, persona="conformist", planted=RESPONDENT, **parameters):
    [log] = inspect_eval(
        getattr(tasks, setting)(form=form, **parameters),
        model=f"simulated/{persona}",
        model_args=planted,
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    return inspect_runs.values(log)


def in_lm_eval(setting, form, tmp_path, persona="conformist", planted=RESPONDENT, **parameters):
    task = f"ib_{setting}_{form}"
    model = SimulatedLM(persona, **planted)
    if setting == "multi_turn":
        results = run([f"{task}_round1"], model, **parameters)
        parameters["first_round"] = str(log(results, f"{task}_round1", tmp_path))
    return values(run([task], model, **parameters), task)


def assert_equal(inspect_figures, harness_figures):
    assert set(inspect_figures) == set(harness_figures)
    for name, value in inspect_figures.items():
        other = harness_figures[name]
        same = math.isnan(value) and math.isnan(other)
        assert same or abs(value - other) < 1e-9, name


@pytest.mark.parametrize("setting", SETTINGS)
def test_figures_are_equal(setting, tmp_path):
    form = FORMS[SETTINGS.index(setting) % 2]
    parameters = {"data": "synthetic", "n": 24, "seed": 3}
    figures = in_inspect(setting, form, tmp_path / "inspect", **parameters)
    assert_equal(figures, in_lm_eval(setting, form, tmp_path / "lm_eval", **parameters))
    assert 0 < figures[f"{form}/acc"] < 1


def test_figures_are_equal_on_the_papers_items(shared_data, tmp_path):
    parameters = {"data": "paper", "n": 60, "protocol": "published"}
    figures = in_inspect("conformity", "choice", tmp_path / "inspect", **parameters)
    assert_equal(figures, in_lm_eval("conformity", "choice", tmp_path / "lm_eval", **parameters))


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_repeats_its_prompt_has_answered_nothing_in_either_host(form, tmp_path):
    parameters = {"data": "synthetic", "n": 6}
    [log] = inspect_eval(
        tasks.conformity(form=form, **parameters),
        model=mock(lambda prompt: prompt),
        log_dir=str(tmp_path),
        display="none",
    )
    [score] = log.results.scores
    assert score.metrics["unread"].value == 1
    task = f"ib_conformity_{form}"
    figures = values(run([task], lambda doc: doc["prompt"], **parameters), task)
    assert figures["unread"] == 1
