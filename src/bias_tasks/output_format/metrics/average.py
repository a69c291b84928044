"""The paper's distilled tables: figures of each format averaged over data sets and promptings.

Every data set under every prompting is a *part* and counts alike, however many items it has
(appendix C, Tables 3 to 5, 7 to 9, 11 to 13 and 15 to 17); BiasF is the variance of the averages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics.bias import format_variance
from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.output_format.metrics.rates import est_true, follow_rate, systematic
from bias_tasks.output_format.metrics.rows import BETWEEN, FormatRows, Part, column_of, joined
from bias_tasks.output_format.metrics.table import Table, table, table_of
from bias_tasks.statistics.covariance import correlation, ratio_covariance
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.mover import mover_mean

_NOT_FOLLOWED = Estimate(0.0, 0.0, 0.0, 0)


def average_card(
    parts: Mapping[Part, Sequence[FormatOutcome]], protocol: PaperProtocol
) -> dict[str, Estimate]:
    """`fi/<format>`, `sys/<format>`, `est_true/<format>`, and what compares them, averaged.

    Formats that every part has are averaged. Where no answer of a part follows a format, its
    `est_true` is not defined, and neither is the average; published: it counts as 0 there, as in
    the paper's tables. Parts of one data set share their items, so that their errors correlate.

    Args:
        parts: at least two parts with their outcomes, of one category of formats.
        protocol: as `format_scorecard` takes it.

    Raises:
        ValueError: as `format_scorecard` does.
    """
    run = table([_in_part(part, row) for part, rows in parts.items() for row in rows], protocol)
    return _card(
        run, {part: {row.format for row in rows} for part, rows in parts.items()}, protocol
    )


def averages_of(parts: Mapping[Part, FormatRows], protocol: PaperProtocol) -> dict[str, Estimate]:
    """The same of rows, whose items and clusters are numbered alike in all parts."""
    run = table_of(joined(parts), protocol)
    return _card(run, {part: set(rows.asked()) for part, rows in parts.items()}, protocol)


def _card(
    run: Table, parts: Mapping[Part, set[str]], protocol: PaperProtocol
) -> dict[str, Estimate]:
    """The figures of a table whose columns are the parts' formats; `parts` says which each has."""
    formats = sorted(set.intersection(*parts.values()))
    asked = run.asked.astype(float)
    card = _averaged(run, "fi", formats, parts, run.follows, asked)
    card |= _averaged(run, "sys", formats, parts, run.score, asked)
    return card | _averaged(run, "est_true", formats, parts, run.score, run.follows, protocol)


def _in_part(part: Part, row: FormatOutcome) -> FormatOutcome:
    """The outcome under names that are unique over all parts; promptings share their items."""
    return replace(
        row,
        item=f"{part[0]}{BETWEEN}{row.item}",
        cluster=f"{part[0]}{BETWEEN}{row.cluster}",
        format=column_of(part, row.format),
    )


def _averaged(
    run: Table,
    name: str,
    formats: Sequence[str],
    parts: Mapping[Part, object],
    top: Floats,
    bottom: Floats,
    protocol: PaperProtocol = "corrected",
) -> dict[str, Estimate]:
    """One figure of every format, which is `top` over `bottom`, and its variance over formats."""
    columns = {fmt: [run.formats.index(column_of(part, fmt)) for part in parts] for fmt in formats}
    known = bottom.sum(axis=0) > 0
    covariance = np.zeros((len(run.formats),) * 2)
    covariance[np.ix_(known, known)] = ratio_covariance(
        top[:, known], bottom[:, known], run.cluster
    )
    averages = {
        fmt: _average(
            [_figure(run, name, column, protocol) for column in own],
            _correlation(covariance[np.ix_(own, own)], [dataset for dataset, _ in parts]),
        )
        for fmt, own in columns.items()
    }
    card = {f"{name}/{fmt}": average for fmt, average in averages.items()}
    if name == "sys":
        return card
    defined = [fmt for fmt, average in averages.items() if not math.isnan(average.value)]
    weights = np.zeros((len(defined), len(run.formats)))
    for row, fmt in enumerate(defined):
        weights[row, columns[fmt]] = 1 / len(parts)
    varied = format_variance(
        [averages[fmt] for fmt in defined], weights @ covariance @ weights.T, len(run.items)
    )
    if name == "fi":
        return card | {"fi_var": varied.seen}
    return card | {
        "bias_f": varied.seen,
        "bias_f_corrected": varied.corrected,
        "bias_f_noise": varied.noise,
    }


def _figure(run: Table, name: str, column: int, protocol: PaperProtocol) -> Estimate:
    if name == "fi":
        return follow_rate(run, column)
    if name == "sys":
        return systematic(run, column)
    found = est_true(run, column)
    return found if found.n or protocol == "corrected" else _NOT_FOLLOWED


def _correlation(covariance: Floats, datasets: Sequence[str]) -> Floats:
    """The parts' correlations; where a part has no spread to tell, it goes with its data set's."""
    related = correlation(covariance)
    names = np.array(datasets)
    silent = np.diagonal(covariance) == 0
    same = names[:, None] == names
    related[same & (silent[:, None] | silent)] = 1.0
    return related


def _average(figures: Sequence[Estimate], related: Floats) -> Estimate:
    """The mean of the parts' figures, with limits made of theirs (MOVER)."""
    mean = mover_mean(figures, related)
    if math.isnan(mean.value):
        return mean
    high = min(mean.ci_high, max(mean.value, 1.0))
    return replace(mean, ci_low=max(mean.ci_low, 0.0), ci_high=high)
