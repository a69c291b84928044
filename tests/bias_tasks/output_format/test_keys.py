"""What is wrong with the keys of mappings, and the metrics over formats and data sets."""

import math
from dataclasses import replace

import pytest

from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.metrics import MetricOptions
from bias_tasks.output_format.metrics_groups import compute_run_metrics
from bias_tasks.output_format.plan import FormatQuestion
from tests.bias_tasks.output_format.cases import CASES
from tests.bias_tasks.output_format.runs import make_items

[ITEM] = make_items("mapping", 1)  # requests Task and Method
UNREADABLE = ("unreadable",)
YAML = {
    "Task: [a]\nMethod: [b]": (),
    "Method: []\nTask:\n- a\n": (),
    "tasks:\n- a\nMethod: [b]": ("invented", "missing"),
    "task: a\nMethod:\n- b": ("invented", "missing"),  # the first key in another spelling
    "Task_1: a\nTask_2: b\nMethod: [c]": ("missing", "split"),  # the paper's example
    "task 1: a\nTask: [b]\nMethod: [c]": ("split",),
    "- Task: a\n- Task: b\n- Method: c": ("duplicate",),
    "Task: [a]\nTask: [b]\nMethod: [c]": ("duplicate",),
    "Task:\n- name: a\nMethod: [b]": ("invented",),  # at any depth
    "Based on the text, they are:\nTasks: [a]\nMethods: [b]": ("invented", "missing"),
    "Here are the entities of it:\n- Task: a\n- Method: b": (),
    "{'Task': ['a'], 'Method': []}": (),
    "Task:[a]": UNREADABLE,
    "a, b and c": UNREADABLE,
    "": UNREADABLE,
    "[" * 5000: UNREADABLE,
    "&a [*a]": UNREADABLE,
}
JSON = {
    "{'Task': ['a'], 'Method': []}": (),
    'Here it is:\n```json\n{"Task": [], "Method": [null, true]}\n```': (),
    '{"Task": [], "Task": ["it\\\'s"]}': ("missing", "duplicate"),
    '{"Task": [{"name": "a"}], "Method": []}': ("invented",),
    "{'Task1': ['a'], 'TASK-2': ['b'], 'x': 1}": ("invented", "missing", "split"),
    "{}": ("missing",),
    "{'Task'}": UNREADABLE,
    '{"Task": [}': UNREADABLE,
    "Task: [a]": UNREADABLE,
    "{" * 5000: UNREADABLE,
}


@pytest.mark.parametrize(("format", "cases"), [("yaml", YAML), ("json", JSON)])
def test_flaws_of_keys_by_hand(format, cases):
    for text, flaws in cases.items():
        assert FORMATS[format].find_key_flaws(text, ITEM, "zs") == flaws, text[:60]
    text, flaws = list(cases.items())[2 if format == "yaml" else 3]
    for tagged, expected in (
        (f"So <ANSWER>{text}</ANSWER>", flaws),
        (f"<ANSWER>a</ANSWER> <ANSWER>{text}</ANSWER>", flaws),  # the last one
        (f"<ANSWER>{text}", UNREADABLE),
        (text, UNREADABLE),
    ):
        assert FORMATS[format].find_key_flaws(tagged, ITEM, "zs_cot") == expected, tagged


def test_an_answer_that_follows_has_no_flaw():
    """The cases have lead-ins, remarks and fences."""
    rows = [
        (FORMATS[name].find_key_flaws(text, item, prompting), text)
        for name, item, prompting, cases in CASES
        if FORMATS[name].category == "mapping"
        for text, payload, *_ in cases
        if payload is not None
    ]
    assert len(rows) > 20
    assert [row for row in rows if row[0]] == []


def score(format, texts, dataset="synthetic"):
    """Return outcomes of one item per text."""
    data = replace(FormatQuestion(ITEM, format, FormatParams()).scoring_data(), dataset=dataset)
    outcomes = (FAMILY.score_visible_text(data, Answer(text)) for text in texts)
    return [replace(row, item=f"{i}", cluster=f"{i}") for i, row in enumerate(outcomes)]


def test_rates_of_keys_by_hand():
    """Of five answers one is unreadable. Of the four others two have an invented key."""
    yaml = score("yaml", [*YAML][:3] + ["Task_1: a", "nothing", "Method: []\nx: a"][:2])
    rows = [*yaml, *score("json", ["{'Task': [], 'Method': []}"] * 2)]
    metrics = compute_run_metrics(rows, MetricOptions())
    rates = {name: metrics[f"{name}_keys/yaml"].value for name in ("unreadable", "invented")}
    assert rates == {"unreadable": 0.2, "invented": 0.25}
    assert metrics["missing_keys/yaml"].value == 0.5
    assert (metrics["split_keys/yaml"].value, metrics["split_keys/yaml"].n) == (0.25, 4)
    assert metrics["duplicate_keys/yaml"].value == metrics["invented_keys/json"].value == 0
    assert metrics["invented_keys/yaml"].ci_low < 0.25 < metrics["invented_keys/yaml"].ci_high
    # Logs of earlier versions do not say.
    old = [replace(row, extra=replace(row.extra, key_flaws=None)) for row in yaml]
    metrics = compute_run_metrics(old, MetricOptions())
    assert math.isnan(metrics["unreadable_keys/yaml"].value)
    assert metrics["invented_keys/yaml"].n == 0
    assert not any("keys/" in name for name in compute_run_metrics(wrapped([1]), MetricOptions()))


def wrapped(scores, dataset="synthetic"):
    """Return outcomes in bolding with these scores; None does not follow."""
    [item] = make_items("number", 1)
    data = replace(FormatQuestion(item, "bolding", FormatParams()).scoring_data(), dataset=dataset)
    return [
        replace(
            FAMILY.score_visible_text(data, Answer("" if score is None else "**1**")),
            **{"item": f"{dataset}{i}", "cluster": f"{dataset}{i}", "score": score or 0.0},
        )
        for i, score in enumerate(scores)
    ]


def test_share_of_reliable_results_by_hand():
    """Two of three verdicts with a value; all scores equal are no verdict."""
    rows = [
        *wrapped([1, 0] * 5, "a"),  # all follow: nothing is estimated
        *wrapped([1, 0] * 5, "b"),
        *wrapped([None] * 4, "c"),  # none follows
        *wrapped([1] * 4, "d"),
    ]
    metrics = compute_run_metrics(rows, MetricOptions(moe=0.5))
    assert math.isnan(metrics["d/reliable/bolding"].value)
    share = metrics["reliable_share"]
    assert (share.value, share.n) == (pytest.approx(2 / 3), 3)
    assert "wrapping/reliable_share" not in metrics
    metrics = compute_run_metrics([*rows, *score("json", ["{}"] * 3)], MetricOptions(moe=0.5))
    assert metrics["wrapping/reliable_share"] == share
    assert metrics["mapping/reliable_share"].value == 0
    assert (metrics["reliable_share"].value, metrics["reliable_share"].n) == (0.5, 4)
    only = compute_run_metrics(wrapped([1, 1]), MetricOptions())["reliable_share"]
    assert math.isnan(only.value)
