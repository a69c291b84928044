"""Formats a run's headline metric for every output, and lists the run's caveats."""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from math import isnan
from typing import NamedTuple

from bias_tasks.contract.metrics import MetricSpec, find_metric_spec, find_parts, not_above_chance
from bias_tasks.contract.record import low_limit_notice
from bias_tasks.contract.unparsed_notice import MAX_UNPARSED_SHARE
from bias_tasks.results.answer_distribution import (
    compute_unparsed_shares,
    describe_constant_answers,
)
from bias_tasks.results.run import Run, list_reasons
from bias_tasks.results.shards import REDUCING_SETTINGS
from bias_tasks.results.tables import format_interval, format_number
from bias_tasks.results.text import shorten
from bias_tasks.statistics.estimate import Estimate

_NO_REAL_MODELS = ("simulated", "mockllm", "dummy")
"""Providers of models that stand in for a real one, in tests and examples."""


class Headline(NamedTuple):
    """A run's headline metric as texts."""

    value: str
    """The value; a dash if there is none."""
    interval: str
    """The interval, or the reason why there is no value."""
    basis: str = ""
    """The number of items or answers that it is about: `85 of 94`, or `n = 282`."""
    doubt: str = ""
    """The sentence on baseline answers that are not shown to be better than chance; else empty."""


def format_headline(run: Run, name: str | None = None) -> Headline:
    """Format a run's headline metric; it has no value if no answer is parsed.

    Args:
        run: The run.
        name: Printed name of another metric.
    """
    unparsed = run.metrics.get("unparsed")
    if unparsed is not None and unparsed.value == 1:
        return Headline("-", "no answer is parsed")
    name = name or run.headline or ""
    estimate, spec = run.metrics.get(name), run.metric_spec(name)
    if estimate is None or isnan(estimate.value):
        reason = spec.sentences.get("none", "there is nothing to measure")
        if constant := describe_constant_answers(run.distributions):
            reason = f"{constant}; no score"
        return Headline("-", "; ".join(filter(None, (reason, describe_unscored(run)))))
    part = shorten(find_largest_part(spec, estimate.value, run.metrics))
    value = f"{part} {format_number(estimate.value)}".strip()
    count = estimate.count if spec.counted else None
    basis = f"n = {estimate.n:,}" if count is None else f"{count:,} of {estimate.n:,}"
    return Headline(value, format_interval(estimate), basis, _find_doubt(run))


def _find_doubt(run: Run) -> str:
    """Return what the baseline answers are if they are not shown to beat chance, else ''.

    They are compared with chance by the metric `above_chance_significant` and by the metrics that
    `TaskSpec.chance` names.
    """
    if not_above_chance(run.metrics):
        right, total = run.baseline_correct
        return f"{right:,} of {total:,} baseline answers are right: not shown to beat chance"
    for pattern, chance in run.spec.chance.items():
        baseline = next((n for n in run.metrics if fnmatchcase(n, pattern)), None)
        if baseline is not None and not run.metrics[baseline].ci_low > chance:
            estimate = run.metrics[baseline]
            value = f"{format_number(estimate.value)} ({format_interval(estimate)})"
            return f"{baseline} is {value}: not shown to beat chance ({chance:g})"
    return ""


def list_caveats(run: Run) -> list[str]:
    """Return the sentence on constant answers, if any, and the caveats of a run."""
    return [*filter(None, [describe_constant_answers(run.distributions)]), *find_caveats(run)]


def find_caveats(run: Run) -> Iterator[str]:
    """Yield what a reader must know about a run, besides constant answers; most serious first.

    Args:
        run: The run, after `load_answers`.
    """
    if run.model.partition("/")[0] in _NO_REAL_MODELS:
        yield "the model is simulated: its answers do not describe any real model"
    if run.samples.missing:
        present = run.samples.total - run.samples.missing
        yield f"{present:,} of {run.samples.total:,} samples are in the log, and in the metrics"
    if excluded := describe_unscored(run):
        yield excluded
    yield from run.findings
    yield from run.record.notes
    max_tokens = run.settings.get("max_tokens") or run.settings.get("max_gen_toks")
    if notice := low_limit_notice(run.record.answer_limit, max_tokens):
        yield notice
    reducing = [name for name in REDUCING_SETTINGS if run.settings.get(name)]
    if reducing:
        yield f"the run covers only a part of the task ({', '.join(reducing)})"
    if run.settings.get("temperature") == 0:
        yield from _describe_repeats(run)


def describe_unscored(run: Run) -> str:
    """Return how many samples have no score, and why; empty if all of them have one."""
    excluded, listed = sum(run.unscored_reasons.values()), list_reasons(run.unscored_reasons)
    count = f"{excluded:,} of {run.samples.total:,} samples are in no metric: "
    return count + listed if excluded else ""


def format_unparsed_share(run: Run) -> str:
    """Format the share of unparsed answers; if it differs by variant, the largest one."""
    shares = compute_unparsed_shares(run.distributions)
    worst = max(shares, key=shares.__getitem__)
    name = f" {worst}" if len(shares) > 1 and shares[worst] > MAX_UNPARSED_SHARE else ""
    return f"unparsed: {shares[worst]:.0%}{name}"


def group_by_caveat(runs: Iterable[tuple[Run, Iterable[str]]]) -> dict[str, list[Run]]:
    """Return each caveat with the runs that it is about.

    Args:
        runs: Each run with its caveats.
    """
    by_caveat: dict[str, list[Run]] = {}
    for run, caveats in runs:
        for caveat in caveats:
            by_caveat.setdefault(caveat, []).append(run)
    return by_caveat


def _describe_repeats(run: Run) -> Iterator[str]:
    """Yield what a run at temperature 0 shows of the noise between identical prompts."""
    differing, total = run.repeats
    if differing:
        yield (
            f"this server is not deterministic: at temperature 0, {differing:,} of {total:,} "
            "repeats of a prompt get another answer"
        )
        return
    fixed = find_deterministic_metrics(run.metrics, run.family.metrics)
    known = {name: value for name, value in fixed.items() if run.metrics[name].value == value}
    for value in sorted(set(known.values())):
        names = ", ".join(name for name in known if known[name] == value)
        yield (
            f"at temperature 0 a deterministic model has {value:g} by construction: {names}; to "
            "measure noise, use the temperature of your application"
        )


def find_deterministic_metrics(
    names: Iterable[str], declared: Iterable[MetricSpec]
) -> dict[str, float]:
    """Return the metrics whose value is fixed if a prompt always gets the same answer.

    Args:
        names: Names of a run's metrics.
        declared: The metrics of its family.

    Returns:
        The fixed values by metric.
    """
    specs, values = tuple(declared), {}
    for name in names:
        spec = find_metric_spec(name, specs)
        if spec is None:
            continue
        ending = name.rpartition(spec.name)[2].lstrip("/")
        if ending in spec.deterministic_value:
            values[name] = spec.deterministic_value[ending]
    return values


def find_largest_part(
    spec: MetricSpec | None, value: float, metrics: Mapping[str, Estimate]
) -> str:
    """Return the part, such as a probe, whose metric has the value of the maximum over parts.

    Args:
        spec: The declaration of the maximum.
        value: Its value.
        metrics: All metrics of the run.

    Returns:
        The part; empty if the metric is not a maximum over parts.
    """
    parts = find_parts(spec, metrics).items()
    return next((part for part, (name, *_) in parts if metrics[name].value == value), "")
