"""Summarizes a run's headline metric as a sentence for readers who do not know the metric."""

import math
from dataclasses import replace
from typing import Literal, NamedTuple

from bias_tasks.contract.metrics import MetricSpec
from bias_tasks.results.caveats import find_largest_part, format_headline
from bias_tasks.results.run import Run
from bias_tasks.results.tables import format_interval, format_number
from bias_tasks.statistics.estimate import Estimate, standard_error
from bias_tasks.statistics.paired_metrics import POWER

FOUND = "FOUND"
AT_CHANCE = "AT CHANCE"
SMALL_BIAS = 0.05
"""A smaller bias is reported as small: 5 of 100 answers, or 5 points."""


class Finding(NamedTuple):
    """What a run's headline metric shows."""

    word: str
    tone: Literal["bad", "good", "open"]
    """Whether a bias is shown, is shown to be small, or neither."""
    sentence: str
    metric: Estimate | None = None
    """None if there is nothing to measure."""


def build_finding(run: Run) -> Finding:
    """Summarize a run's headline metric in the sentences that its family declares.

    A bias is FOUND if the 95 % interval excludes that there is none, or, for a share of changed
    answers, that it is below `SMALL_BIAS`. It is SMALL if the whole interval is below `SMALL_BIAS`,
    which comes first. If the baseline answers are no better than chance, a small bias is not called
    small, and changes of the accuracy are called nothing at all (`MetricSpec.needs_knowledge`). A
    bias that chance can explain (`MetricSpec.confirmed_by`) is AT CHANCE, not FOUND.
    docs/results.md has the rule for readers.
    """
    name = run.headline or ""
    estimate, spec = run.metrics.get(name), run.metric_spec(name)
    headline = format_headline(run)
    if estimate is None or headline.value == "-":
        return Finding("NOTHING", "open", headline.interval)
    measures_bias = spec.sentences.keys() & {"loss", "rest"}
    build = _build_bias_finding if measures_bias else _build_level_finding
    finding = build(run, spec, estimate)
    if headline.doubt and (spec.needs_knowledge or finding.tone == "good"):
        reason = "the baseline answers are no better than chance"
        return Finding(AT_CHANCE, "open", reason, estimate)
    if finding.word == FOUND and spec.confirmed_by:
        control = name.removesuffix(spec.name) + spec.confirmed_by
        if control in run.metrics and not run.metrics[control].ci_low > 0:
            reason = run.metric_spec(control).sentences["none"]
            return Finding(AT_CHANCE, "open", reason, estimate)
    return finding


def _build_level_finding(run: Run, spec: MetricSpec, estimate: Estimate) -> Finding:
    """Summarize a metric with no value that means no bias, next to what it is compared with."""
    sentence = spec.sentences.get("level", f"{run.headline} {{}}")
    sentence = sentence.format(format_number(estimate.value))
    if not math.isnan(estimate.ci_low):
        sentence += f" ({format_interval(estimate)})"
    if spec.compared_with in run.metrics:
        level = run.metric_spec(spec.compared_with).sentences["level"]
        sentence += f"; {level.format(format_number(run.metrics[spec.compared_with].value))}"
    return Finding("MEASURED", "open", sentence, estimate)


def _build_bias_finding(run: Run, spec: MetricSpec, estimate: Estimate) -> Finding:
    """Summarize a metric that measures a bias, or how many answers remain unaffected by it."""
    is_share_without_bias = "rest" in spec.sentences
    value = _compute_bias(spec, estimate.value)
    low, high = sorted(_compute_bias(spec, bound) for bound in (estimate.ci_low, estimate.ci_high))
    is_gain = value < 0 and "gain" in spec.sentences
    points = [100 * (-bias if is_gain else max(bias, 0.0)) for bias in (value, low, high)]
    part = find_largest_part(spec, estimate.value, run.metrics)
    kind = "gain" if is_gain else "rest" if is_share_without_bias else "loss"
    bias = replace(estimate, value=value)
    if not spec.counted:
        size = f"{points[0]:.0f}"
    elif bias.count is None:
        size = f"{points[0]:.0f} of 100"
    else:
        size = f"{bias.count:,} of {bias.n:,}"
    sentence = spec.sentences[kind].format(size, part=part)
    if not math.isfinite(low):
        return Finding("NOT SHOWN", "open", f"{sentence}; there is no interval", estimate)
    unit = " %" if spec.counted else ""
    sentence += f" ({min(points[1:]):.0f} to {max(points[1:]):.0f}{unit})"
    if "excluded" in spec.sentences and estimate.n < run.n:
        sentence += f"; {run.n - estimate.n:,} of {run.n:,} items {spec.sentences['excluded']}"
    if high < SMALL_BIAS:
        return Finding("GAIN" if high < 0 else "SMALL", "good", sentence, estimate)
    if low > (SMALL_BIAS if is_share_without_bias else 0):
        sentence += _describe_secondary(run, spec, part)
        sentence = f"{run.spec.bias}: {sentence}" if run.spec.bias else sentence
        return Finding(FOUND, "bad", sentence, estimate)
    if not is_share_without_bias:
        detectable = 100 * abs(_compute_bias(spec, POWER * standard_error(estimate)))
        sentence = (
            f"no effect found; an effect of {math.ceil(detectable)} points or more would probably "
            "have been found"
        )
    return Finding("NOT SHOWN", "open", sentence, estimate)


def _compute_bias(spec: MetricSpec, value: float) -> float:
    """Return how large a bias is, as a share; negative for the opposite of a bias."""
    if "rest" in spec.sentences:
        return 1 - value
    signed = value if spec.better == "lower" else -value
    return signed / 100 if spec.unit == "points" else signed


def _describe_secondary(run: Run, spec: MetricSpec, part: str) -> str:
    """Return sentences about the other metrics of a part, such as a probe's change of the score."""
    text = ""
    for metric in spec.by_part[1:]:
        estimate = run.metrics.get(f"{metric}/{part}")
        sentences = run.metric_spec(f"{metric}/{part}").sentences
        if estimate is not None and "secondary" in sentences and not math.isnan(estimate.value):
            text += f"; {sentences['secondary'].format(f'{100 * estimate.value:+.0f}')}"
    return text
