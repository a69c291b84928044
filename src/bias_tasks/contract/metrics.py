"""The metrics of a family. Each is declared once, in `metrics.yaml` of the family's folder, and
found again by the name under which it is printed.

A printed name is a path such as `vanilla/judging/acc`, `acc/polite` or `reading/std/f1`: what is
measured, then the metric's own name, then what it is split by. A part of the path may end in a
condition: `acc@theta=0.5/rubric`.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cache
from typing import Literal

from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.data.files import read_yaml
from bias_tasks.statistics.estimate import Estimate, standard_error, with_standard_errors

Unit = (
    Literal["share", "difference", "points", "scale points", "percent squared", "ratio", "score"]
    | Literal["count", "verdict"]
)
Better = Literal["higher", "lower"]

_RANGES: Mapping[str, tuple[float, float]] = {"difference": (-1.0, 1.0), "count": (0.0, math.inf)}
"""Lowest and highest value by unit, unless a metric declares its own."""


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """The declaration of one metric.

    A share is between 0 and 1, a difference of shares between -1 and 1; a metric declares if the
    paper's formula can exceed these bounds. Points are on the scale of what is scored; `scale
    points` are those of a judge's scale from 1 to 10. A verdict is 1 or 0.
    """

    name: str
    meaning: str
    unit: Unit = "share"
    low: float = 0.0
    high: float = 1.0
    better: Better | None = None
    """Which direction is better; None if neither is, or if the best value lies in between."""
    source: str = ""
    """Where the paper defines it: section, equation or appendix."""
    parts: tuple[int, ...] = (0,)
    """How many parts of the printed name follow the metric's own name."""
    deterministic_value: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Its value by construction if a prompt always gets the same answer, as at temperature 0, by
    the part of the printed name that follows its own name (an empty text if none does)."""
    needs_knowledge: bool = False
    """Whether its value means nothing for a model whose baseline answers are no better than chance,
    as that of a change of the accuracy."""
    confirmed_by: str = ""
    """The metric whose interval must be above 0 if chance alone does not explain the bias."""
    compares_variants: bool = False
    """Whether it compares answers under several variants, and so uses only items with a parsed
    answer under each of them."""
    counted: bool = False
    """Whether the share is a number of answers among its n, unless several epochs are averaged."""
    by_part: tuple[str, ...] = ()
    """For a metric that is the largest over parts, such as probes: the metric whose largest value
    it is, and the metrics shown with that for each part."""
    sentences: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Sentences for readers, in which `{}` is the value (or 100 times it) and `{part}` the part:
    `loss` and `gain` for a difference, `rest` for what a share lacks to 1, `level` for any value,
    `open` for an effect that may be up to `{}`, `secondary` for a metric of a part, `none` for why
    there is no value, `reference` for what a trivial model gets, and `of` for the answers that
    `unparsed` is a share of. For a counted metric `{}` is its count, such as `85 of 94`. `counts`
    (what the model does, before any statistic) and `excluded` (what is not counted) have the names
    of `Family.counts`."""


@cache
def declared_metrics(package: str) -> tuple[MetricSpec, ...]:
    """Return the metrics of a family, with `COMMON_METRICS`.

    Args:
        package: Dotted name of the family's folder, which has a `metrics.yaml`.
    """
    return (*_read_metrics(package), *COMMON_METRICS)


def _read_metrics(package: str) -> Iterator[MetricSpec]:
    for name, row in read_yaml(package, "metrics").items():
        low, high = _RANGES.get(row.get("unit", ""), (0.0, 1.0))
        lists = {key: tuple(row[key]) for key in ("parts", "by_part") if key in row}
        yield MetricSpec(name=name, **{"low": low, "high": high, **row, **lists})


COMMON_METRICS = ITEMS, ABOVE_CHANCE, ABOVE_CHANCE_SIGNIFICANT = tuple(_read_metrics(__package__))
"""Metrics that every family has without declaring them."""


def find_metric_spec(name: str, declared: Iterable[MetricSpec]) -> MetricSpec | None:
    """Return the declaration of a printed metric; None if it is not declared.

    If several fit, it is the one whose own name is leftmost: `std/f1` is the metric `std`.

    Args:
        name: The printed name.
        declared: The metrics of a family.
    """
    parts = [part.partition("@")[0] for part in name.split("/")]
    specs = {
        n_parts: spec
        for spec in declared
        for n_parts in spec.parts
        if len(parts) > n_parts and parts[-1 - n_parts] == spec.name
    }
    return specs[max(specs)] if specs else None


def check_domain_name(name: str, package: str) -> str:
    """Return the name of a domain that a user chose.

    The name of a metric cannot be one of a domain: it would be unclear whether `a/b` is metric `b`
    in domain `a`, or metric `a` split by `b`.

    Args:
        name: The domain.
        package: Dotted name of the family's folder.

    Raises:
        ValueError: The domain is called like a metric, or has a separator or control character.
    """
    if name in {spec.name for spec in declared_metrics(package)}:
        raise ValueError(f"{name!r} is the name of a metric: give the domain another name")
    if "/" in name or "@" in name or not name.isprintable():
        raise ValueError(
            f"{name!r} becomes a part of metric names: use no '/', no '@' and no control characters"
        )
    return name


def find_headline(spec: TaskSpec, names: Iterable[str]) -> str | None:
    """Return the printed name of the task's headline metric; None if a run has none.

    Args:
        spec: The task.
        names: The printed names of a run's metrics.
    """
    return next(_matching_names(spec.headline, list(names)), None)


def with_headline(metrics: Mapping[str, Estimate], headline: str | None) -> dict[str, Estimate]:
    """Return the metrics of a run with its headline, which has no value if it is not among them.

    No other metric takes the place of a headline whose questions were not answered.

    Args:
        metrics: The metrics by printed name.
        headline: The printed name of the headline that the run plans; None if it is not known.
    """
    if headline is None or headline in metrics:
        return dict(metrics)
    return {headline: Estimate.without_interval(math.nan, 0), **metrics}


def find_parts(spec: MetricSpec | None, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the printed names of a metric's `by_part` by part, in the order of the names.

    Args:
        spec: The metric; None and a metric without `by_part` have no parts.
        names: The printed names of a run's metrics.
    """
    if spec is None or not spec.by_part:
        return {}
    prefix = f"{spec.by_part[0]}/"
    parts = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
    return {part: tuple(f"{metric}/{part}" for metric in spec.by_part) for part in parts}


def reported_names(spec: TaskSpec, names: Iterable[str]) -> tuple[str, ...]:
    """Return which metrics of a run stand in the frameworks' own results.

    Args:
        spec: The task.
        names: The printed names of the run's metrics.

    Returns:
        Printed names, the headline first.
    """
    known = list(names)
    headline = find_headline(spec, known)
    first = [] if headline is None else [headline]
    return tuple(dict.fromkeys([*first, *_matching_names(spec.reported, known)]))


def summarize_metrics(spec: TaskSpec, metrics: Mapping[str, Estimate]) -> dict[str, float]:
    """Return what Inspect shows of a run.

    Args:
        spec: The task.
        metrics: Every metric of the run.

    Returns:
        The headline under its name, its `stderr`, `ci_low` and `ci_high`; `<name>` and
        `<name>_stderr` of the other reported metrics; `above_chance_significant` if it is 0; and
        `items`. nan if there is no value or no interval. Empty if the run has no reported metric.
    """
    names = reported_names(spec, metrics)
    if not names:
        return {}
    headline = metrics[names[0]]
    summary = {names[0]: headline.value, "stderr": standard_error(headline)}
    summary |= {"ci_low": headline.ci_low, "ci_high": headline.ci_high}
    summary |= with_standard_errors({name: metrics[name] for name in names[1:]})
    if not_above_chance(metrics):
        summary[ABOVE_CHANCE_SIGNIFICANT.name] = 0.0
    return summary | {ITEMS.name: metrics[ITEMS.name].value if ITEMS.name in metrics else math.nan}


def not_above_chance(metrics: Mapping[str, Estimate]) -> bool:
    """Return whether the baseline answers are not significantly better than chance, if known."""
    estimate = metrics.get(ABOVE_CHANCE_SIGNIFICANT.name)
    return estimate is not None and estimate.value == 0


def _matching_names(patterns: Iterable[str], names: Sequence[str]) -> Iterator[str]:
    """Yield the names that match a pattern, pattern by pattern."""
    return (name for pattern in patterns for name in filter(_compile(pattern).match, names))


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern: a report matches names thousands of times."""
    return re.compile(translate(pattern))
