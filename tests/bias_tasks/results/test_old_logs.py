"""Logs of version 0.16 are read with today's names of metrics, columns, variants and values.

`logs_0_16` has two runs that version 0.16 made with synthetic items, without the parts that nothing
reads: `judge_pairwise` in Inspect, whose family was called `judging`, and `ib_conformity_choice` in
lm-eval. Some of the answers are unparsed. The expected values are those that version 0.16 reported,
but changes are over parsed answers.
"""

import json
import math
from pathlib import Path

import pytest

from bias_tasks import outcomes_df, results_df
from bias_tasks.contract.metrics import find_metric_spec
from bias_tasks.results.answers import load_all_metrics, load_answers
from bias_tasks.results.find import read_usable_runs
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import copy_as_other_run

LOGS = Path(__file__).parent / "logs_0_16"
INSPECT, LM_EVAL = LOGS / "inspect", LOGS / "lm_eval"
VALUES = {
    INSPECT: {
        # Both items have an unparsed baseline or repeat; the second one's baseline is parsed.
        "max_answers_changed": (math.nan, math.nan, math.nan),
        "score/baseline": (0.0, 0.0, 0.657620),
        "flips_to_wrong/formatting": (0.0, math.nan, math.nan),
        "flips_to_right/repeat": (1.0, math.nan, math.nan),
    },
    LM_EVAL: {
        "choice/acc": (0.0, 0.0, 0.605769),
        "or/unparsed": (1 / 3, 0.064976, 0.782494),
        "unparsed": (1 / 3, 0.064976, 0.782494),
        # Of three pairs one is unparsed.
        "flips_to_wrong": (1 / 2, 0.106805, 0.893195),
        "flips_to_right": (0.0, 0.0, 0.683626),
        "delta_or/unparsed": (1 / 3, -0.455511, 0.807701),
        "moved_to_suggestion": (0.0, math.nan, math.nan),
        "adopted_suggestion": (0.0, 0.0, 0.657620),
    },
}
"""Value and confidence bounds of metrics, most of which had other names."""
ANSWERS = {
    INSPECT: [
        *(("authority", None, 0.0), ("formatting", "2", 0.0), ("baseline", None, 0.0)),
        *(("position", None, 0.0), ("repeat1", "1", 1.0), ("repeat2", "2", 0.0)),
        *(("verbosity", "1", 1.0), ("authority", "2", 0.0), ("formatting", "1", 1.0)),
        *(("baseline", "2", 0.0), ("position", "1", 1.0), ("repeat1", None, 0.0)),
        *(("repeat2", "1", 1.0), ("verbosity", None, 0.0)),
    ],
    LM_EVAL: [
        *(("conformity", None, 0.0), ("vanilla", "3", 1.0), ("conformity", "1", 0.0)),
        *(("vanilla", "1, 2, 4", 1.0), ("conformity", "1", 0.0), ("vanilla", "1", 0.0)),
    ],
}
"""Variant, answer and score of each answer, in order."""


@pytest.mark.parametrize("path", VALUES)
def test_metrics_have_todays_names_and_the_same_values(path):
    frame = results_df(path).set_index("metric")
    for name, expected in VALUES[path].items():
        values = frame.loc[name, ["value", "ci_low", "ci_high"]].tolist()
        assert values == pytest.approx(expected, abs=1e-6, nan_ok=True), name
    [run] = read_usable_runs(path)
    for name in {*run.metrics, *load_all_metrics(run).metrics}:
        assert find_metric_spec(name, run.family.metrics) is not None, name
    headlines = {INSPECT: "max_answers_changed", LM_EVAL: "moved_to_suggestion"}
    assert run.headline == headlines[path]
    assert frame.loc[run.headline, "headline"]


@pytest.mark.parametrize("path", ANSWERS)
def test_answers_have_todays_columns_and_variants(path):
    frame = outcomes_df(path)
    answers = [
        (row.variant, row.answer if isinstance(row.answer, str) else None, row.score)
        for row in frame.itertuples()
    ]
    assert answers == ANSWERS[path]
    assert list(frame["correct"]) == [score == 1 for _, _, score in ANSWERS[path]]
    unparsed = frame[frame["answer"].isna()]
    assert set(unparsed["explanation"]) == {"no value where an answer is expected"}
    assert set(unparsed["reason"]) == {"invalid_response_format"}


def test_the_record_extra_values_and_scoring_data_have_todays_names():
    [run] = read_usable_runs(INSPECT)
    assert (run.record.family, run.record.task) == ("judge_bias", "judge_pairwise")
    assert run.record.task_args == {"data": "synthetic", "n": 2}
    [run] = read_usable_runs(LM_EVAL)
    first, second, *_ = load_answers(run).answers
    assert first.outcome.extra.label == "unparsed"
    data = second.scoring_data
    assert (data.item, data.gold, data.variant) == (second.outcome.item, "3", "vanilla")
    assert data.options.texts[data.options.gold[0]] == "Argon"
    assert run.family.answer_text(data, "3") == "Argon"


def test_all_result_commands_read_old_logs(tmp_path):
    paths = INSPECT, LM_EVAL
    done = typed("results", *paths, columns=200)
    assert done.exit_code == 0, done.output
    for text in ("judge_pairwise (data=synthetic, n=2): max_answers_changed ↓", "ib_conformity"):
        assert text in done.output
    metric = "flips_to_*"
    rows = json.loads(typed("results", *paths, "--metric", metric, "--format", "json").stdout)
    assert {row["framework"] for row in rows} == {"inspect", "lm-eval"}
    page = tmp_path / "report.html"
    assert typed("report", *paths, "--out", page).exit_code == 0
    assert "Bananas." in page.read_text(encoding="utf-8")
    for path in paths:
        [log] = [*path.glob("*.eval"), *path.glob("results_*.json")]
        copy = copy_as_other_run(log, tmp_path / path.name)
        done = typed("compare", path, copy, "--all", "--format", "json")
        assert done.exit_code == 0, done.output
        [pair] = json.loads(done.stdout)["comparisons"]
        assert {metric["difference"] for metric in pair["metrics"]} <= {0.0, None}
    assert typed("export", "parquet", *paths, "--out", tmp_path / "answers.parquet").exit_code == 0
    assert typed("export", "eee", *paths, "--out", tmp_path / "eee").exit_code == 0
