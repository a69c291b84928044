"""The figures of a record of Every Eval Ever: none of a run's intervals is lost, and each figure
has the direction and the range that its family declares."""

import json
import math
from dataclasses import replace

import pytest

from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.results.export.eee import results_of, without_value
from bias_tasks.results.run import FigureValue
from tests.bias_tasks.results.written import of_record, records


def test_no_interval_of_a_run_is_lost(exported, runs):
    for record, _ in records(exported):
        run, card = of_record(runs, record)
        intervals = {
            name: (each.ci_low, each.ci_high)
            for name, each in card.items()
            if math.isfinite(each.ci_low) and math.isfinite(each.ci_high)
        }
        found = {}
        for result in record["evaluation_results"]:
            interval = result["score_details"]["uncertainty"].get("confidence_interval")
            if interval is not None:
                assert interval["confidence_level"] == 0.95
                found[result["evaluation_result_id"]] = interval["lower"], interval["upper"]
        assert found == intervals, run.task
        assert intervals, run.task


def test_every_figure_that_has_a_value_is_a_result_and_the_others_are_named(exported, runs):
    for record, _ in records(exported):
        _, card = of_record(runs, record)
        scores = {
            each["evaluation_result_id"]: each["score_details"]["score"]
            for each in record["evaluation_results"]
        }
        assert len(scores) == len(record["evaluation_results"])
        assert scores == {n: each.value for n, each in card.items() if math.isfinite(each.value)}
        told = record["source_metadata"]["additional_details"].get("figures_without_value", "[]")
        assert set(json.loads(told)) == set(card) - set(scores)
        for each in record["evaluation_results"]:
            n = each["score_details"]["uncertainty"]["num_samples"]
            assert n == card[each["evaluation_result_id"]].n


def test_the_headline_comes_first_and_alone_is_marked(exported, runs):
    for record, rows in records(exported):
        run, _ = of_record(runs, record)
        marked = [
            each["evaluation_result_id"]
            for each in record["evaluation_results"]
            if each["score_details"].get("details", {}).get("headline") == "true"
        ]
        assert marked == [record["evaluation_results"][0]["evaluation_result_id"]]
        assert marked == [run.headline.name]
        assert {row["evaluation_result_id"] for row in rows} == set(marked)


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_direction_and_range_are_those_declared(name, runs):
    """Of each declared figure of a family, whether or not a small run has it."""
    family = load_family(name)
    [run] = [run for run, _ in runs.values() if run.record["family"] == name][:1]
    for figure in family.figures:
        printed = "/".join([figure.name, *["x"] * min(figure.parts)])
        value = FigureValue(printed, 0.5, 0.4, 0.6, 9)
        [result] = results_of(replace(run, metrics=(value,)), {}, {})
        metric = result["metric_config"]
        assert metric["lower_is_better"] is (figure.better == "lower")
        told = metric["additional_details"]["better"]
        assert told == figure.better or (figure.better is None and told.startswith("neither"))
        ends = [
            {"Infinity": math.inf, "-Infinity": -math.inf}.get(end, end)
            for end in (metric["min_score"], metric["max_score"])
        ]
        assert ends == [figure.low, figure.high]
        assert metric["score_type"] == ("binary" if figure.unit == "verdict" else "continuous")


def test_ends_that_are_no_numbers_are_told_as_texts(runs):
    run = next(iter(runs.values()))[0]
    figures = (
        FigureValue("acc", 0.5, 0.1, math.inf, 4),
        FigureValue("acc/x", 0.5, math.nan, math.nan, 4),
        FigureValue("acc/y", math.nan, math.nan, math.nan, 0),
    )
    run = replace(run, metrics=figures)
    first, second = (each["score_details"] for each in results_of(run, {}, {}))
    assert "confidence_interval" not in first["uncertainty"]
    assert first["details"]["ci_lower"] == "0.1"
    assert first["details"]["ci_upper"] == "inf"
    assert second["uncertainty"] == {"num_samples": 4}
    assert without_value(run) == ["acc/y"]
