"""Summarizes a run's headline metric as a sentence for readers who do not know the metric."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from bias_tasks.contract.metrics import MetricSpec
from bias_tasks.results.answer_distribution import count_unparsed, describe_constant_answers
from bias_tasks.results.caveats import find_largest_part, format_headline
from bias_tasks.results.run import Run
from bias_tasks.results.tables import format_interval, format_number
from bias_tasks.results.verdicts import RunVerdict, explain_unparsed
from bias_tasks.statistics.estimate import Estimate, standard_error
from bias_tasks.statistics.holm import holm
from bias_tasks.statistics.mover import interval_p_value
from bias_tasks.statistics.paired_metrics import DETECTABLE_ERRORS

SMALL_BIAS = 0.05
"""A smaller bias is reported as small: 5 of 100 answers, or 5 points."""
SMALL_SCALE_POINTS = 0.1
"""Likewise in points of a judge's scale: a point for 10 of 100 responses."""
_SCALE_POINTS, _SCALE_LENGTH = "scale points", 9
_SIGNIFICANCE_LEVEL = 0.05


class Finding(NamedTuple):
    """What a metric of a run shows, by default its headline."""

    word: RunVerdict
    sentence: str
    metric: Estimate | None = None
    """None if there is nothing to measure."""
    name: str = ""
    """Printed name of the metric; empty if the run has no headline."""

    @property
    def tone(self) -> Literal["bad", "good", "open"]:
        """Whether a bias is shown, is shown to be small, or neither."""
        if self.word == "FOUND":
            return "bad"
        return "good" if self.word in ("GAIN", "SMALL") else "open"


def build_finding(run: Run) -> Finding:
    """Summarize a run's headline metric in the sentences that its family declares.

    A bias is FOUND if the 95 % interval excludes that there is none, or, for a share of changed
    answers, that it is below `SMALL_BIAS`. It is SMALL if the whole interval is below `SMALL_BIAS`,
    which comes first. If the baseline answers are no better than chance, a small bias is not called
    small, and changes of the accuracy are called nothing at all (`MetricSpec.needs_knowledge`). A
    bias that chance can explain (`MetricSpec.confirmed_by`) is AT CHANCE, not FOUND. A metric that
    compares variants is UNPARSED if too many answers under one of them are.
    docs/results.md has the rule for readers.

    A run of several settings has the finding on the setting with the strongest bias.
    """
    settings = list_setting_findings(run)
    return settings[0] if settings else _build_metric_finding(run, run.headline or "")


def list_setting_findings(run: Run) -> list[Finding]:
    """Summarize the headline of each setting of a run, the strongest bias first.

    A FOUND or GAIN also needs a p-value below 0.05, Holm-adjusted over the settings.

    Returns:
        Findings whose sentences begin with the setting; none for a task with one setting.
    """
    names = _find_setting_headlines(run)
    p_values = holm([_test(run.metrics[name]) for name in names.values()])
    weaker: Mapping[str, RunVerdict] = {"FOUND": "INCONCLUSIVE", "GAIN": "SMALL"}
    findings = []
    for (setting, name), p_value in zip(names.items(), p_values, strict=True):
        finding = _build_metric_finding(run, name, setting)
        if p_value >= _SIGNIFICANCE_LEVEL:
            finding = finding._replace(word=weaker.get(finding.word, finding.word))
        findings.append(finding._replace(sentence=f"{setting}: {finding.sentence}"))
    return sorted(findings, key=lambda finding: rank_strength(run, finding), reverse=True)


def _find_setting_headlines(run: Run) -> dict[str, str]:
    """Return the printed name of the headline metric of each setting."""
    names: dict[str, str] = {}
    for headline in run.spec.setting_headlines:
        for name in run.metrics:
            setting, _, metric = name.rpartition("/")
            if metric == headline and setting and "/" not in setting:
                names.setdefault(setting, name)
    return names


def _test(estimate: Estimate) -> float:
    """Return the p-value that follows from an interval; 1 without an interval."""
    if math.isnan(estimate.ci_low):
        return 1.0
    return interval_p_value(estimate.value, estimate.ci_low, estimate.ci_high)


def rank_strength(run: Run, finding: Finding) -> tuple[int, float]:
    """Return a key that is largest for the finding with the strongest bias."""
    value = math.nan if finding.metric is None else finding.metric.value
    spec = run.metric_spec(finding.name)
    bias = _compute_bias(spec, value) / (_SCALE_LENGTH if spec.unit == _SCALE_POINTS else 1)
    ranks = {"NO VALUE": 0, "UNPARSED": 1, "FOUND": 3}
    return ranks.get(finding.word, 2), -math.inf if math.isnan(bias) else bias


def _build_metric_finding(run: Run, name: str, setting: str = "") -> Finding:
    """Summarize one metric of a run, as in `build_finding`.

    Args:
        run: The run.
        name: Printed name of the metric; empty if the run has no headline.
        setting: The setting that the metric is about; empty if it is about the run.
    """
    estimate, spec = run.metrics.get(name), run.metric_spec(name)
    headline = format_headline(run, name)
    if headline.value == "-":
        estimate = None
    unparsed = explain_unparsed(run.family, spec, name, count_unparsed(run.distributions))
    if unparsed:
        return Finding("UNPARSED", unparsed, estimate, name)
    if estimate is None:
        is_constant = describe_constant_answers(run.distributions) is not None
        parts = "" if is_constant else _fill(run, spec, name, "counts"), headline.interval
        return Finding("NO VALUE", "; ".join(filter(None, parts)), name=name)
    if not spec.sentences.keys() & {"loss", "rest"}:
        finding = _build_level_finding(run, spec, name)
    else:
        finding = _build_bias_finding(run, spec, name, setting)
    if headline.doubt and (spec.needs_knowledge or finding.tone == "good"):
        return Finding("AT CHANCE", headline.doubt, estimate, name)
    if finding.word == "FOUND" and spec.confirmed_by:
        control = name.removesuffix(spec.name) + spec.confirmed_by
        if control in run.metrics and not run.metrics[control].ci_low > 0:
            reason = run.metric_spec(control).sentences["none"]
            return Finding("AT CHANCE", reason, estimate, name)
    return finding


def _build_level_finding(run: Run, spec: MetricSpec, name: str) -> Finding:
    """Summarize a metric with no value that means no bias, next to that of a trivial model."""
    estimate = run.metrics[name]
    sentence = spec.sentences.get("level", f"{name} {{}}")
    sentence = sentence.format(format_number(estimate.value))
    if not math.isnan(estimate.ci_low):
        sentence += f" ({format_interval(estimate)})"
    parts = _fill(run, spec, name, "counts"), sentence, spec.sentences.get("reference")
    return Finding("MEASURED", "; ".join(filter(None, parts)), estimate, name)


def _build_bias_finding(run: Run, spec: MetricSpec, name: str, setting: str) -> Finding:
    """Summarize a metric that measures a bias, or how many answers remain unaffected by it."""
    estimate = run.metrics[name]
    is_share_without_bias = "rest" in spec.sentences
    low, high = sorted(_compute_bias(spec, bound) for bound in (estimate.ci_low, estimate.ci_high))
    part = find_largest_part(spec, estimate.value, run.metrics)
    sentence = _describe_bias(run, spec, estimate, name, part)
    counts = "".join(f"{text}; " for text in [_fill(run, spec, name, "counts")] if text)
    sentence = counts + sentence
    if not math.isfinite(low):
        return Finding("INCONCLUSIVE", f"{sentence}; there is no interval", estimate, name)
    small_bias = SMALL_SCALE_POINTS if spec.unit == _SCALE_POINTS else SMALL_BIAS
    if high < small_bias:
        return Finding("GAIN" if high < 0 else "SMALL", sentence, estimate, name)
    if low > (small_bias if is_share_without_bias else 0):
        sentence += _describe_secondary(run, spec, part)
        bias = run.family.tasks.get(setting, run.spec).bias
        sentence = f"{bias}: {sentence}" if bias else sentence
        return Finding("FOUND", sentence, estimate, name)
    if not is_share_without_bias:
        counts = f"{sentence}; " if spec.counted else counts
        sentence = counts + _describe_detectable(spec, estimate)
    return Finding("INCONCLUSIVE", sentence, estimate, name)


def _fill(run: Run, spec: MetricSpec, name: str, kind: str) -> str:
    """Return a metric's sentence of `counts` or `excluded` with its numbers; empty without any."""
    values, template = run.counts.get(name), spec.sentences.get(kind)
    return template.format(**values) if template and values else ""


def _describe_bias(run: Run, spec: MetricSpec, estimate: Estimate, name: str, part: str) -> str:
    """Return the sentence on the size of a bias, with its interval and the items left out."""
    value = _compute_bias(spec, estimate.value)
    low, high = sorted(_compute_bias(spec, bound) for bound in (estimate.ci_low, estimate.ci_high))
    is_gain = value < 0 and "gain" in spec.sentences
    factor, digits = (1, 2) if spec.unit == _SCALE_POINTS else (100, 0)
    points = [factor * (-bias if is_gain else max(bias, 0.0)) for bias in (value, low, high)]
    kind = "gain" if is_gain else "rest" if "rest" in spec.sentences else "loss"
    bias = replace(estimate, value=value)
    if not spec.counted:
        size = f"{points[0]:.{digits}f}"
    elif bias.count is None:
        size = f"{points[0]:.0f} of 100"
    elif bias.count == bias.n > 1 and kind != "rest":  # such a sentence can be negative
        size = f"all {bias.n:,}"
    else:
        size = f"{bias.count:,} of {bias.n:,}"
    sentence = spec.sentences[kind].format(size, part=part)
    if not math.isfinite(low):
        return sentence
    unit = " %" if spec.counted else ""
    sentence += f" ({min(points[1:]):.{digits}f} to {max(points[1:]):.{digits}f}{unit})"
    others = spec.sentences.get("reference"), _fill(run, spec, name, "excluded")
    return "; ".join(filter(None, (sentence, *others)))


def _describe_detectable(spec: MetricSpec, estimate: Estimate) -> str:
    """Return how large an effect may be that was not found.

    The error of a metric with a sentence `open`, which cannot be below 0, is not symmetric: at a
    small value it does not indicate which effects would have been found, and the upper bound is
    reported instead.
    """
    if "open" in spec.sentences:
        return spec.sentences["open"].format(f"{100 * _compute_bias(spec, estimate.ci_high):.0f}")
    if spec.unit == _SCALE_POINTS:
        detectable = DETECTABLE_ERRORS * standard_error(estimate)
        text = f"a rise of {detectable:.1f} points or more would probably have been found"
        return f"no effect found; {text}"
    detectable = 100 * abs(_compute_bias(spec, DETECTABLE_ERRORS * standard_error(estimate)))
    text = f"an effect of {math.ceil(detectable)} points or more would probably have been found"
    return f"no effect found; {text}"


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
