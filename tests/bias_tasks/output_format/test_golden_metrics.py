"""The paper's printed variances and mitigation, and the published outputs' printed cells."""

import csv
import importlib
import json
from functools import partial
from pathlib import Path

import pytest

from bias_tasks.output_format.metrics import (
    FormatOutcome,
    MetricOptions,
    compute_format_metrics,
)

scorecard = partial(compute_format_metrics, options=MetricOptions(protocol="published"))
SCRIPT = Path(__file__).parents[3] / "benchmarks" / "studies" / "published_cells.py"


@pytest.fixture
def bias(golden):
    return json.loads((golden / "output_format_bias.json").read_text(encoding="utf-8"))


@pytest.fixture
def mitigation(bias):
    return bias["mitigation_mmlu_chatgpt"]


def printed(formats, est_true, fi=None):
    """An item in each format whose shares over epochs are the printed percentages."""
    follows = [value / 100 for value in fi] if fi else [1.0] * len(est_true)
    return [
        FormatOutcome("i", "i", name, share, share * percent / 100)
        for name, percent, share in zip(formats, est_true, follows, strict=True)
    ]


def test_every_printed_variance(bias):
    assert len(bias["checks"]) == 14
    for check in bias["checks"]:
        formats = [f"f{place}" for place, _ in enumerate(check["values"])]
        figure = scorecard(printed(formats, check["values"]))["bias_f"]
        mean = sum(check["values"]) / len(check["values"])
        away = sum(abs(value - mean) for value in check["values"]) / len(check["values"])
        # Values and variance are printed to 0.005: each value moves it by twice its distance.
        assert figure.value == pytest.approx(check["var"], abs=0.006 + 2 * 0.005 * away), check


def test_mitigation_table(mitigation):
    """The Var column as it should have been: of EstTrue, of FI, of Sys."""
    for run, expected in mitigation["bias_f"].items():
        rows = mitigation[run]
        card = scorecard(printed(mitigation["formats"], rows["est_true"], rows["fi"]))
        assert card["bias_f"].value == pytest.approx(expected, abs=0.011), run
        assert card["fi_var"].value == pytest.approx(mitigation["var_fi"][run], abs=0.011), run
    for run, expected in mitigation["var_systematic"].items():
        figure = scorecard(printed(mitigation["formats"], mitigation[run]["systematic"]))["bias_f"]
        assert figure.value == pytest.approx(expected, abs=0.011), run


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPT.parent)  # where the script's own imports stand
    return importlib.import_module(SCRIPT.stem)


def test_published_outputs_give_the_printed_cells_and_the_page(script, shared_data, golden):
    scored = script.results(shared_data, golden)
    for result in scored:
        # The cells that do not come out are those with a reason.
        differing = {}
        for cell in result.cells:
            if cell.differs():
                differing.setdefault(cell.format, set()).add(script.METRICS[cell.metric])
        reasons = {name: set(why) for name, why in result.outputs.differs.items()}
        assert differing == reasons, result.outputs.file
    assert sum(map(script.Result.count, scored)) >= 0.89 * sum(len(r.cells) for r in scored)
    if len(scored) == 16:  # the files with which the page was written
        assert script.page(scored) == script.OUT.read_text(encoding="utf-8"), (
            "run python -m benchmarks.studies.published_cells"
        )


def test_a_large_file_is_scored_where_it_is(script, tmp_path, golden):
    """Table 18, by the columns of the scripts; the placeholder counts by braces and by phrase."""
    name = "chatgpt_replicate_3_mcq_mmlu_zs_Wrapping.csv"
    folder = tmp_path / "WING-NUS" / "FormatEval" / "r" / "src" / "output"
    folder.mkdir(parents=True)
    outputs = ["<ANSWER>B</ANSWER>", "**B**", "*A*", "[[C. no]]", "((b))", "So the answer is: B"]
    answers = [cell for output in [*outputs, '"""B"""'] for cell in (output, output[0])]
    head = ["topic", "question", "choices_texts", "input_data", "correct_key", "correct_text"]
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        rows = [[*head, *map(str, range(14))], ["t", "q", "[]", "i", "B", "yes", *answers]]
        csv.writer(file).writerows(rows)
    [result] = script.results(tmp_path, golden)
    assert result.outputs.table_18 == "repeat_3"
    published = {
        metric: [cell.ours["published"] for cell in result.cells if cell.metric == metric]
        for metric in ("fi", "sys")
    }
    assert published == {
        "fi": [100, 100, 100, 0, 100, 0, 100],
        "sys": [100, 100, 0, 0, 100, 0, 100],
    }
    assert [cell.printed for cell in result.cells if cell.metric == "fi"][5] == 9.40
    assert "1 answers fill the placeholder by its phrase" in script.section(result)
