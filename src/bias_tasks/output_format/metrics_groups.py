"""The figures of a whole run: of each data set, prompting and category, and averaged over them.

The averages are the paper's distilled tables (appendix C): every data set under every prompting is
a *part* and counts alike, however many items it has.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np

from bias_tasks.contract.family import Outcome
from bias_tasks.names import PaperProtocol
from bias_tasks.output_format import metrics
from bias_tasks.output_format.metrics import Card, FormatOutcome
from bias_tasks.statistics.covariance import correlation
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.mover import mover_mean

Part = tuple[str, str]
"""A data set and a prompting."""
Group = tuple[str, str, str]
"""Data set, prompting and category: formats are compared within one of each."""
AVERAGE = "average"
"""Stands in a figure's name for all data sets, or all promptings."""


def run_card(outcomes: Sequence[Outcome], options: Mapping[str, Any]) -> Card:
    """Every figure of a run, under its group's name as docs/output_format.md has it. Where the
    option `figures_of` names the one format asked, nothing is compared."""
    asked = {name: options[name] for name in ("moe", "alpha", "protocol") if name in options}
    groups = by_group(outcomes)
    several = [len(set(names)) > 1 for names in zip(*groups, strict=True)]
    cards = {group: metrics.format_scorecard(rows, **asked) for group, rows in groups.items()}
    averages = {
        group: average_card(parts, asked.get("protocol", "corrected"))
        for group, parts in _averaged_over(groups, several).items()
    }
    card: Card = {}
    for group, figures in (cards | averages).items():
        card |= _named(group, several, figures)
    if len(cards) > 1:
        biases = {group: figures["bias_f_corrected"] for group, figures in cards.items()}
        card["mean_bias_f"] = mean_over_groups(biases)
        card["mean_bias_points"] = metrics.in_points(card["mean_bias_f"])
    if (one := options.get("figures_of")) is not None:
        return {name: figure for name, figure in card.items() if name.endswith(f"/{one}")}
    return card


def by_group(outcomes: Sequence[Outcome]) -> dict[Group, list[FormatOutcome]]:
    """In each group what became of each item in each format: means over epochs."""
    answers: dict[tuple[Group, str, str], list[Outcome]] = {}
    for each in outcomes:
        group = each.own["dataset"], each.own["prompting"], each.own["category"]
        answers.setdefault((group, each.item, each.own["format"]), []).append(each)
    groups: dict[Group, list[FormatOutcome]] = {}
    for (group, item, name), epochs in answers.items():
        follows = sum(each.own["follows"] for each in epochs) / len(epochs)
        score = sum(each.score or 0.0 for each in epochs) / len(epochs)
        means = FormatOutcome(item, epochs[0].cluster, name, follows, score)
        groups.setdefault(group, []).append(means)
    return groups


def mean_over_groups(biases: Mapping[Group, Estimate]) -> Estimate:
    """`mean_bias_f`: the mean of `bias_f_corrected`, with limits made of theirs (MOVER): errors of
    one data set, whose groups may share items, add up, those of different data sets in squares. nan
    where one is."""
    datasets = np.array([dataset for dataset, _, _ in biases])
    related = (datasets[:, None] == datasets).astype(float)
    return mover_mean(list(biases.values()), related)


def average_card(parts: Mapping[Part, Sequence[FormatOutcome]], protocol: PaperProtocol) -> Card:
    """`fi/<format>`, `sys/<format>`, `est_true/<format>`, and what compares them, averaged.

    Formats that every part has are averaged. Where no answer of a part follows a format, its
    `est_true` is not defined, and neither is the average; published: it counts as 0 there, as in
    the paper's tables. Parts of one data set share their items, so that their errors correlate.
    """
    run = metrics.table(
        replace(
            each,
            item=f"{part[0]}\n{each.item}",
            cluster=f"{part[0]}\n{each.cluster}",
            format="\n".join((*part, each.format)),
        )
        for part, outcomes in parts.items()
        for each in outcomes
    )
    formats = sorted(set.intersection(*({each.format for each in own} for own in parts.values())))
    columns = {
        name: [run.formats.index("\n".join((*part, name))) for part in parts] for name in formats
    }
    card: Card = {}
    for figure in metrics.FIGURES:
        known = run.ratio(figure)[1].sum(axis=0) > 0
        covariance = np.zeros((known.size, known.size))
        covariance[np.ix_(known, known)], clusters = metrics.errors(run.with_formats(known), figure)
        averages: Card = {}
        for name, own in columns.items():
            found = [metrics.figure_of(run, figure, column) for column in own]
            if figure == "est_true" and protocol == "published":
                found = [each if each.n else Estimate(0.0, 0.0, 0.0, 0) for each in found]
            averages[name] = _average(found, _correlation(covariance[np.ix_(own, own)], parts))
        card |= {f"{figure}/{name}": average for name, average in averages.items()}
        if figure == "sys":
            continue
        defined = [name for name, average in averages.items() if not math.isnan(average.value)]
        weights = np.zeros((len(defined), known.size))
        for row, name in enumerate(defined):
            weights[row, columns[name]] = 1 / len(parts)
        spread, shown = weights @ covariance @ weights.T, [averages[name] for name in defined]
        varied = metrics.variance_card(shown, spread, clusters, run.cluster.size)
        card |= {"fi_var": varied["bias_f"]} if figure == "fi" else varied
    return card


def _correlation(covariance: Floats, parts: Mapping[Part, Any]) -> Floats:
    """The parts' correlations; where a part has no spread to tell, it goes with its data set's."""
    related = correlation(covariance)
    names = np.array([dataset for dataset, _ in parts])
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


def _averaged_over(
    groups: Mapping[Group, Sequence[FormatOutcome]], several: Sequence[bool]
) -> dict[Group, dict[Part, Sequence[FormatOutcome]]]:
    """What is averaged, by the group's name with AVERAGE for each name that it is over."""
    averages: dict[Group, dict[Part, Sequence[FormatOutcome]]] = {}
    for datasets, promptings in ((True, False), (False, True), (True, True)):
        if datasets > several[0] or promptings > several[1]:
            continue
        for (dataset, prompting, category), outcomes in groups.items():
            name = AVERAGE if datasets else dataset, AVERAGE if promptings else prompting, category
            averages.setdefault(name, {})[dataset, prompting] = outcomes
    return {name: parts for name, parts in averages.items() if len(parts) > 1}


def _named(group: Group, several: Sequence[bool], figures: Card) -> Card:
    """The figures under their group's name, as far as a run has several of its kind."""
    opening = list(compress(group[:2], several))
    if set(opening) == {AVERAGE}:
        opening = [AVERAGE]
    within = [group[2]] if several[2] else []
    return {
        "/".join([*opening, *([] if "/" in name else within), name]): figure
        for name, figure in figures.items()
    }
