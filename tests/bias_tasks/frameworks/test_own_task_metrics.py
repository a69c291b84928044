"""Metrics of any task: the page's examples run, and metrics equal hand-computed values."""

import json
import math
import os
import re
from contextlib import chdir

import pytest
import yaml
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from bias_tasks import label_rates, reformulation_consistency
from bias_tasks.harness import any_task
from bias_tasks.statistics.rate_intervals import wilson
from tests.bias_tasks.harness_runs import Answering
from tests.bias_tasks.inspect_runs import evaluate
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.paper_coverage import ROOT

ROWS = ROOT / "examples" / "own_task"
PAGE = (ROOT / "docs" / "probe.md").read_text(encoding="utf-8")
[YAML_LINES] = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
YAML = (ROWS / "my_statements.yaml").read_text(encoding="utf-8")
EXAMPLES = {
    "consistency.py": "{'prc': 1.0, 'nrc': 0.0}\n",
    "label_rates.py": "0.5\n",
    "output_format.py": "0.0\n",
}
"""What each example file prints."""


@pytest.fixture(autouse=True)
def logs(monkeypatch, tmp_path):
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path))


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_file_of_the_page_runs_in_the_folder_that_it_names(name, monkeypatch, capsys):
    assert f"](../examples/own_task/{name})" in PAGE
    code = (ROWS / name).read_text(encoding="utf-8")
    [folder] = re.findall(rf"^ +cd (\S+) && python {re.escape(name)}$", code, re.MULTILINE)
    monkeypatch.chdir(ROOT / folder)
    exec(compile(code, name, "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == EXAMPLES[name]
    assert f"# {EXAMPLES[name]}" in code


def test_every_example_file_runs():
    assert {path.name for path in ROWS.glob("*.py")} == set(EXAMPLES)


def harness(folder, answer, task="my_statements"):
    with chdir(ROWS):
        results = simple_evaluate(
            model=Answering(answer),
            tasks=[task],
            task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        )
    return {name.removesuffix(",none"): value for name, value in results["results"][task].items()}


def test_the_yaml_of_the_page_runs_and_its_metrics_equal_hand_computed_values():
    """Always True: 2 of 4 tense statements and none of 2 sparse ones."""
    assert YAML.endswith(YAML_LINES)
    assert YAML.count("\n") <= 15
    metrics = harness(ROWS, lambda doc: "" if doc["id"] == "s5" else "The answer is True.")
    assert [metrics[name] for name in ("acc", "sr", "gr", "rs")] == pytest.approx(
        [1 / 3, 0.5, 0, 0]
    )
    assert metrics["unparsed"] == pytest.approx(1 / 6)
    assert metrics["sr_ci_low"] < 0.5 < metrics["sr_ci_high"]
    assert metrics["gr_ci_low"] == 0 < metrics["gr_ci_high"] < 1


def test_other_labels_and_rewordings_in_lm_eval(tmp_path):
    """One of four yes/no questions in three wordings has another answer: the polite spider."""
    mine = "from bias_tasks.harness.any_task import consistency_results, metric_list\n"
    mine += "f = consistency_results(opposite=['contradictory'], metrics=['prc', 'nrc'])\n"
    (tmp_path / "mine.py").write_text(f"{mine}m = metric_list(['prc', 'nrc'])\n")
    task = {"task": "mine", "doc_to_text": "{{question}}", "doc_to_target": "answer"}
    task |= {"dataset_kwargs": {"data_files": str(ROWS / "questions.jsonl")}}
    rest = "process_results: !function mine.f\nmetric_list: !function mine.m\n"
    fixed = yaml.safe_dump({**yaml.safe_load(YAML.replace("!function", "")), **task})
    kept = [line for line in fixed.splitlines(True) if not re.match("process|metric", line)]
    (tmp_path / "mine.yaml").write_text("".join(kept) + rest)

    def answer(doc):
        return "No" if doc["id"] in ("spider/polite", "moon/contradictory") else "Yes"

    metrics = harness(tmp_path, answer, "mine")
    assert (metrics["prc"], metrics["nrc"]) == (0.75, 0.25)
    assert (metrics["prc_ci_low"], metrics["prc_ci_high"]) == pytest.approx(wilson(0.75, 4))


def inspected(samples, answers, **task):
    task = Task(dataset=[Sample(input="?", **fields) for fields in samples], **task)
    one_by_one = {"max_samples": 1, "max_connections": 1}
    return evaluate(task, os.environ["INSPECT_LOG_DIR"], mock(answers), status=None, **one_by_one)


def metrics_of(log):
    assert log.status == "success", log.error
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def test_label_rates_of_sets_of_options_and_of_clusters():
    """Gold A, B+C, none, A, A; answers A, B (one of two), none of the options, A and B, empty."""
    golds = ["A", ["B", "C"], "", "A", "A"]
    answers = ["A", "B", "None of the options is correct.", "A, B", ""]
    shared = {"choices": ["x1", "x2", "x3"], "metadata": {"cluster": "one"}}
    samples = [{"id": f"s{n}", "target": gold} | shared for n, gold in enumerate(golds)]
    scorer = label_rates(tense=["single"], sparse=["multiple", "none"])
    metrics = metrics_of(inspected(samples, answers, scorer=scorer))
    assert [metrics[name] for name in ("acc", "sr", "gr")] == pytest.approx([0.4, 1 / 3, 0.5])
    assert metrics["rs"] == pytest.approx(2 * (1 / 3) * 0.5 / (1 / 3 + 0.5))
    assert [metrics[f"gr/{label}"] for label in ("multiple", "none")] == [0, 1]
    outputs = [metrics[f"or/{label}"] for label in ("single", "multiple", "none")]
    assert [*outputs, metrics["unparsed"]] == pytest.approx([0.4, 0.2, 0.2, 0.2])
    assert math.isnan(metrics["acc_ci_low"])  # one cluster alone has no spread

    scorer = label_rates(tense=["cat"], sparse=["unsure"], read=lambda text: text or None)
    samples = [{"id": n, "target": gold} for n, gold in enumerate(("cat", "Unsure", "cat"), 1)]
    metrics = metrics_of(inspected(samples, ["cat", "dog", ""], scorer=scorer))
    assert [metrics[n] for n in ("sr", "gr", "or/cat", "or/invalid", "unparsed")] == pytest.approx(
        [0.5, 0, 1 / 3, 1 / 3, 1 / 3]
    )


def test_consistency_within_epochs_and_clusters():
    """Two items in two epochs: the rewordings of `a` agree in one of them.

    The rewording of `b` is unparsed in the first epoch, and its original in the second: neither
    shows whether they agree.
    """
    samples = [
        {"id": f"{item}/{variant}", "target": "Yes", "metadata": {"q": item, "as": variant}}
        for item in "ab"
        for variant in ("original", "synonym", "repeat_2", "reversed")
    ]
    metric = reformulation_consistency(group="q", variant="as", read="yes_no")
    first = ["Yes", "It is: yes", "Yes", "No", "Yes", "", "Yes", "Yes"]
    second = ["Yes", "No", "Yes", "No", "", "Yes", "Yes", ""]
    log = inspected(samples, [*first, *second], scorer=includes(), metrics=[metric], epochs=2)
    metrics = metrics_of(log)
    assert [metrics[name] for name in ("prc", "sc", "arc")] == [0.5, 1.0, 0.5]
    assert [metrics[f"{name}_n"] for name in ("prc", "sc", "arc")] == [1, 2, 2]
    assert "nrc" not in metrics
    assert metrics["unparsed"] == pytest.approx(3 / 16)


def test_missing_fields_of_a_sample_are_named_in_one_line():
    rewordings = {"scorer": includes(), "metrics": [reformulation_consistency()]}
    labels = {"scorer": label_rates(["Yes"], ["No"])}
    for sample, task, message in (
        ({"target": "maybe"}, labels, "target 'maybe' is none of the labels"),
        ({"target": "D", "choices": ["x"]}, labels, "is none of its options"),
        ({"target": "cat"}, {"scorer": label_rates(["cat"], [])}, "say how its answers are parsed"),
        ({"target": "Yes"}, rewordings, "has no 'item' in its metadata: name it by group="),
    ):
        log = inspected([{"id": "s1", **sample}], ["Yes"], **task)
        assert log.status == "error"
        assert message in log.error.message
        assert "\n" not in log.error.message.strip()


def test_missing_fields_of_a_document_are_named_in_one_line():
    with pytest.raises(ValueError, match="a document has no field 'answer': name it by target="):
        any_task.judging({"id": "s1", "label": "True"}, ["True"])
    with pytest.raises(ValueError, match="'variant': name it by variant="):
        any_task.consistency({"item": "s1"}, ["Yes"])
    twice = [{"item": "s1", "variant": "polite"}] * 2
    scores = [any_task.consistency(doc, ["Yes"])["prc"] for doc in twice]
    with pytest.raises(ValueError, match="item 's1' has two answers under variant 'polite'"):
        any_task.consistency_metrics[0]["aggregation"](scores)
    assert json.dumps(scores) == "[NaN, NaN]"
    assert {any_task.consistency(doc, ["Yes"])["unparsed"] for doc in twice} == {0}
    row = any_task.judging({"id": "s1", "answer": "True"}, ["True"])
    assert {name for name, value in row.items() if value == 1} == {"acc", "sr"}
