"""The papers' models stand beside ours only where the same was asked; their numbers are printed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bias_tasks.data.files import read_yaml
from bias_tasks.families import load_family
from bias_tasks.results.report.collect import Column, ReportedRun
from bias_tasks.results.report.printed import printed_beside
from bias_tasks.results.run import FigureValue, Run

TABLES = "bias_tasks.results.report"


def column(family, task, n, figure, changes=(), **settings):
    """A column of one run that asked a task as its defaults say, but for `changes`."""
    spec = load_family(family).tasks[task]
    parameters = {each.name: each.default for each in spec.parameters} | dict(changes)
    record = {
        **{"family": family, "task": task, "protocol": "corrected", "data": "paper"},
        **{"parameters": parameters, "changed": dict(changes), "notes": [], "provenance": []},
    }
    metrics = (FigureValue(figure, 0.5, 0.4, 0.6, n),)
    run = Run(
        task,
        "inspect",
        "m",
        record,
        n,
        metrics,
        Path("log"),
        settings={"temperature": 0} | settings,
    )
    return Column(load_family(family), task, "", (ReportedRun(run, None, "no answers"),))


def test_the_whole_of_the_papers_recipe_has_the_papers_models_beside_it():
    found = printed_beside(column("binary_qa", "binaryqa", 1000, "mbs"))
    assert found.values["GPT-4o"] == 86.0
    assert "not public" in found.caveat


@pytest.mark.parametrize(
    ("n", "changes", "settings"),
    [
        (999, {}, {}),
        (1000, {"data": "synthetic"}, {}),
        (1000, {"n": 1000}, {}),
        (1000, {"order": "no_yes"}, {}),
        (1000, {"base": True}, {}),
        (1000, {"weights": {"f1": 1.0}}, {}),
        (1000, {"domains": ["reading"]}, {}),
        (1000, {}, {"limit": 1000}),
        (1000, {}, {"temperature": 0.7}),
    ],
)
def test_anything_else_has_none(n, changes, settings):
    assert printed_beside(column("binary_qa", "binaryqa", n, "mbs", changes, **settings)) is None


def test_one_run_that_asked_something_else_is_enough():
    whole = column("binary_qa", "binaryqa", 1000, "mbs")
    part = column("binary_qa", "binaryqa", 40, "mbs")
    assert printed_beside(replace(whole, runs=whole.runs + part.runs)) is None


def test_rs_is_printed_of_the_judging_form_under_the_papers_protocol():
    asked = {"form": "judging", "protocol": "published"}
    found = printed_beside(column("instruction_boundary", "vanilla", 450, "rs", asked))
    assert found.values["gpt-4o"] == 0.382
    assert printed_beside(column("instruction_boundary", "vanilla", 450, "rs")) is None
    assert (
        printed_beside(column("instruction_boundary", "conformity", 450, "delta_acc", asked))
        is None
    )


def test_judges_and_formats_have_none():
    for family, task in (("complex_eval", "complexeval_math"), ("output_format", "format_mcq")):
        assert printed_beside(column(family, task, 100, "asr_excess")) is None


def test_the_numbers_are_those_of_the_papers_tables(golden):
    tables = read_yaml(TABLES, "printed")
    binary = json.loads((golden / "binary_qa_tables.json").read_text(encoding="utf-8"))["overall"]
    for figure, values in tables["binary_qa"]["figures"].items():
        printed = {model: row[figure] for model, row in binary.items() if model != "Baseline"}
        assert values == printed
    path = golden / "instruction_boundary_table3.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    vanilla = {row["model"]: row["rs_published"] for row in rows if row["setting"] == "Vanilla"}
    ours = tables["instruction_boundary"]["figures"]["rs"]
    assert {model: pytest.approx(value / 100) for model, value in vanilla.items()} == ours
