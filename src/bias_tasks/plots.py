"""The report's plots in a notebook, from data frames. They need the extra `bias-tasks[plots]`.

Each function returns matplotlib's axes. Select the rows that you want to plot before.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_PROBE_EFFECTS = ("answers_changed/", "edited_shift/")
"""How the metrics of a probe's effect begin; the second one is of judges of near ties."""
_INCHES_PER_LABEL = 0.25
"""Height of a label's bars in new axes, so that labels do not overlap however many there are."""


def plot_headlines(results: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot the headline metric of each run with its 95 % interval.

    The runs share one axis: leave out metrics of another scale, such as `mbs`.

    Args:
        results: Rows of `bias_tasks.results_df`.
        ax: Axes to plot on; new ones by default.

    Raises:
        ValueError: No row is a headline metric.
    """
    return _plot_intervals(results[results["headline"].astype(bool)], "headline metric", ax)


def plot_probe_effects(results: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot the share of answers that each probe changes, with its 95 % interval.

    For near ties it is the share of verdicts that move to the edited response.

    Args:
        results: Rows of `bias_tasks.results_df`, of runs of `probe` or of the judge tasks.
        ax: Axes to plot on; new ones by default.

    Raises:
        ValueError: No row is of a probe.
    """
    rows = results[results["metric"].str.startswith(_PROBE_EFFECTS)]
    probes = rows["metric"].str.replace(r"^\w+/", "", regex=True)
    return _plot_intervals(rows.assign(metric=probes), "share of changed answers", ax)


def plot_ranking(ranking: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot the value of each model with its 95 % interval and its probability of being the best.

    Args:
        ranking: Rows of one metric from `bias-tasks rank --format csv`, the best first.
        ax: Axes to plot on; new ones by default.

    Raises:
        ValueError: There is no row.
    """
    shares = ranking["p_best"].map("P(best) {:.2f}".format)
    models = ranking["model"].astype(str) + ": " + shares
    return _plot_intervals(ranking.assign(model="", metric=models), "value", ax)


def plot_answer_distribution(distribution: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot how often each label is answered, next to how often it is correct.

    Args:
        distribution: Rows of `bias_tasks.answer_distribution_df`.
        ax: Axes to plot on; by default new ones, whose height grows with the number of labels.

    Raises:
        ValueError: There is no row.
    """
    names = _name_rows(distribution, ["model", "task", "variant", "form", "label"], "label")
    bars = distribution[["gold", "answers"]].set_axis(names)[::-1]
    size = None if ax is not None else (8, max(4, _INCHES_PER_LABEL * len(bars)))
    axes: Axes = bars.plot.barh(ax=ax, figsize=size, xlabel="answers")
    return axes


def _plot_intervals(rows: pd.DataFrame, value: str, ax: Axes | None) -> Axes:
    names = _name_rows(rows, ["model", "task", "metric"], value)
    positions = range(len(rows))[::-1]
    placed = rows.assign(position=positions)
    axes: Axes = placed.plot.scatter("value", "position", ax=ax, zorder=2)
    axes.hlines(positions, rows["ci_low"].astype(float), rows["ci_high"].astype(float))
    axes.axvline(0, color="gray", linewidth=0.5)
    axes.set_yticks(positions, names)
    axes.set(xlabel=f"{value} (95 % interval)", ylabel="")
    return axes


def _name_rows(rows: pd.DataFrame, columns: list[str], subject: str) -> list[str]:
    """Return names of rows from the columns that have several values, and from the last one.

    Raises:
        ValueError: There is no row.
        ImportError: There is no matplotlib to plot with.
    """
    if rows.empty:
        raise ValueError(f"nothing to plot: no row has a {subject}")
    if find_spec("matplotlib") is None:
        raise ImportError('plots need matplotlib: run pip install "bias-tasks[plots]"')
    varying = [c for c in columns if c == columns[-1] or rows[c].nunique() > 1]
    return [", ".join(filter(None, map(str, row))) for row in rows[varying].to_numpy()]
