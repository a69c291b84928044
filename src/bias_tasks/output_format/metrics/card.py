"""All figures of one run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bias_tasks.names import PROTOCOLS, PaperProtocol
from bias_tasks.output_format.metrics.bias import format_variance
from bias_tasks.output_format.metrics.differences import differences
from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.output_format.metrics.rates import (
    est_true,
    follow_rate,
    followers,
    reliability,
    systematic,
)
from bias_tasks.output_format.metrics.rows import FormatRows
from bias_tasks.output_format.metrics.table import Table, table_of
from bias_tasks.statistics.columns import Mask
from bias_tasks.statistics.covariance import correlation, ratio_covariance
from bias_tasks.statistics.estimate import Estimate

Card = dict[str, Estimate]


def format_scorecard(
    outcomes: Sequence[FormatOutcome],
    *,
    moe: float = 0.05,
    alpha: float = 0.05,
    protocol: PaperProtocol = "corrected",
) -> Card:
    """Every figure of one run with its 95 % interval, by its name; no outcomes give none.

    What each figure is stands in `figures.yaml`. `bias_f` and the differences are taken over the
    formats that any answer follows, `fi_var` over all.

    A figure that is not defined is nan with n = 0: `est_true` of a format that no answer follows,
    a variance of fewer than two formats. One that rests on a single cluster has nan bounds.

    Args:
        outcomes: at most one for each item and format, in any order.
        moe: margin of error within which `est_true` is reliable, a share.
        alpha: one less the confidence of that verdict.
        protocol: "published" takes scores of answers that don't follow their format into `sys` and
            `est_true`, and n degrees of freedom for `reliable`.

    Raises:
        ValueError: an item stands twice under one format or in two clusters, a share is out of
            range or (corrected) a score above `follows`, or a parameter is not what it can be.
    """
    rows = FormatRows.of(outcomes) if outcomes else None
    return figures_of(rows, moe=moe, alpha=alpha, protocol=protocol)


def figures_of(
    rows: FormatRows | None,
    *,
    moe: float = 0.05,
    alpha: float = 0.05,
    protocol: PaperProtocol = "corrected",
) -> Card:
    """Every figure of rows, as `format_scorecard` has them; of None there are none."""
    if protocol not in PROTOCOLS:
        raise ValueError(f"protocol is {protocol!r}: it is corrected or published")
    for name, value in (("moe", moe), ("alpha", alpha)):
        if not 0 < value < 1:
            raise ValueError(f"{name} is {value}: it must be between 0 and 1")
    if rows is None:
        return {}
    run = table_of(rows, protocol)
    card: Card = {}
    for column, name in enumerate(run.formats):
        card[f"fi/{name}"] = follow_rate(run, column)
        card[f"sys/{name}"] = systematic(run, column)
        card[f"est_true/{name}"] = est_true(run, column)
        asked, sample = run.asked[:, column], followers(run, column)
        card[f"reliable/{name}"], card[f"needed_fi/{name}"] = reliability(
            sample.values[asked], sample.weights[asked], moe, alpha, protocol
        )
    return card | _across(run, card)


def _across(run: Table, card: Card) -> Card:
    """The figures that compare formats."""
    followed: Mask = run.follows.sum(axis=0) > 0
    compared = run.with_formats(followed)
    scores = {name: card[f"est_true/{name}"] for name in compared.formats}
    covariance = ratio_covariance(compared.score, compared.follows, run.cluster)
    items = int(compared.follows.any(axis=1).sum())
    bias = format_variance(list(scores.values()), covariance, items)
    follow = format_variance(
        [card[f"fi/{name}"] for name in run.formats],
        ratio_covariance(run.follows, run.asked.astype(float), run.cluster),
        len(run.items),
    )
    pairs = differences(scores, correlation(covariance))
    return {
        "bias_f": bias.seen,
        "bias_f_corrected": bias.corrected,
        "bias_f_noise": bias.noise,
        "fi_var": follow.seen,
        "formats_compared": _count(followed, len(run.items)),
        "left_out": _count(~followed, len(run.items)),
    } | {f"difference/{pair}": figure for pair, figure in pairs.items()}


def _count(chosen: Mask, n: int) -> Estimate:
    return Estimate(float(chosen.sum()), math.nan, math.nan, n)
