"""The report's plots from data frames."""

import sys

import pandas as pd
import pytest

from bias_tasks import answer_distribution_df, plots, results_df
from bias_tasks.instruction_boundary_tasks import conformity
from bias_tasks.judge_bias_tasks import judge_pairwise
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.runs import run_inspect


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    for task in (conformity(data="synthetic", n=8), judge_pairwise(data="synthetic", n=4)):
        run_inspect(folder, task, "simulated/conformist")
    return folder


def names(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_each_function_plots_the_rows_of_a_frame(logs):
    pytest.importorskip("matplotlib").use("agg")
    results, distribution = results_df(logs), answer_distribution_df(logs)
    headlines = results[results["headline"]]
    ax = plots.plot_headlines(results)
    assert names(ax) == [f"{task}, {name}" for task, name in headlines[["task", "metric"]].values]
    points, intervals = ax.collections
    assert points.get_offsets()[:, 0].tolist() == pytest.approx(headlines["value"].tolist())
    ends = [(*segment[0], *segment[1])[::2] for segment in intervals.get_segments()]
    assert ends == [tuple(bounds) for bounds in headlines[["ci_low", "ci_high"]].values]

    probes = [name for name in results["metric"] if name.startswith("answers_changed/")]
    ax = plots.plot_probe_effects(results)
    assert [f"answers_changed/{name}" for name in names(ax)] == probes

    judging = distribution[distribution["form"] == "judging"]
    ax = plots.plot_answer_distribution(judging)
    gold, answers = ([bar.get_width() for bar in bars] for bars in ax.containers)
    assert (gold[::-1], answers[::-1]) == (judging["gold"].tolist(), judging["answers"].tolist())
    assert len(names(ax)) == len(judging)
    assert ax.get_xlabel() == "answers"


def test_a_ranking_is_plotted_from_its_csv(logs, tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    run_inspect(tmp_path, conformity(data="synthetic", n=8), "simulated/steadfast")
    out = tmp_path / "rank.csv"
    assert typed("rank", logs, tmp_path, "--task", "conformity", "--out", out, "--format", "csv")
    ax = plots.plot_ranking(pd.read_csv(out))
    best, worst = names(ax)
    assert best.startswith("simulated/steadfast: P(best) ")
    assert worst.startswith("simulated/conformist: P(best) ")
    assert [point[0] for point in ax.collections[0].get_offsets()] == sorted(
        pd.read_csv(out)["value"]
    )


def test_a_metric_without_value_or_interval_is_left_out(logs):
    pytest.importorskip("matplotlib").use("agg")
    results = results_df(logs).assign(value=float("nan"), ci_low=None, ci_high=None)
    assert len(names(plots.plot_headlines(results))) == 2


def test_nothing_to_plot_is_one_error(logs):
    results = results_df(logs)
    with pytest.raises(ValueError, match="no row has a share of changed answers"):
        plots.plot_probe_effects(results[results["task"] == "conformity"])
    with pytest.raises(ValueError, match="no row has a label"):
        plots.plot_answer_distribution(answer_distribution_df(logs)[:0])


def test_without_the_extra_the_error_names_matplotlib(logs, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setattr(pd.plotting._core, "_backends", {})
    message = r'^plots need matplotlib: run pip install "bias-tasks\[plots\]"$'
    for plot in (plots.plot_headlines, plots.plot_probe_effects):
        with pytest.raises(ImportError, match=message):
            plot(results_df(logs))
    with pytest.raises(ImportError, match=message):
        plots.plot_answer_distribution(answer_distribution_df(logs))
