"""What lm-eval logs of a sample under a metric's name is the sample's own value."""

import json
import math
from statistics import fmean

import pytest

from tests.bias_tasks.harness_runs import gold, log, run

TASKS = {
    "ib_vanilla_judging": {"judging/acc", "unparsed"},
    "ib_conformity_choice": {"choice/acc", "unparsed"},
    "binaryqa": {"unparsed"},
    "binaryqa_arc": {"acc/original", "acc/reversed", "unparsed"},
    "binaryqa_ll": {"unparsed"},
    "complexeval_basic": {"unparsed"},
    "judge_pairwise": {"score/baseline", "unparsed"},
    "format_mapping": {"fi/json", "fi/yaml"},
}
"""The metrics of which samples have a value of their own, by task."""
CORE = {"data": "core"}
"""The items of tasks whose default is a download."""


def some_parsed(doc):
    """The right answer, a wrong one or none, whichever follows from the id."""
    return (gold(doc), gold(doc), "Final Answer: no", "", '{"answer": "B"}')[len(doc["id"]) % 5]


def check_columns(rows, aggregates):
    """Compare the mean of each column with the metric of the run; return which have values."""
    with_values = set()
    for name in rows[0]["metrics"]:
        values = [row[name] for row in rows if not math.isnan(row[name])]
        if values:
            assert fmean(values) == pytest.approx(aggregates[f"{name},none"]), name
            with_values.add(name)
    return with_values


@pytest.mark.parametrize("task", TASKS)
def test_the_mean_of_a_column_is_the_metric_of_the_run(task, tmp_path):
    if task == "binaryqa_ll":
        results = run([task], lambda doc, text: len(doc["id"]) % 3 - len(text), n=10)
    else:
        data = CORE if task.startswith(("ib_", "format_")) else {}
        results = run([task], some_parsed, n=30, **data)
    rows = [*map(json.loads, log(results, task, tmp_path).read_text("utf-8").splitlines())]
    assert check_columns(rows, results["results"][task]) == TASKS[task]


def test_a_parsed_and_correct_answer_is_not_unparsed():
    [row, *_] = run(["ib_vanilla_judging"], gold, n=5, **CORE)["samples"]["ib_vanilla_judging"]
    assert (row["unparsed"], row["judging/acc"]) == (0, 1)
    assert math.isnan(row["rs"])
    assert math.isnan(row["items"])
