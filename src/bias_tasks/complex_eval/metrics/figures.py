"""Estimates of many samples at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import difference, rate

Samples = Mapping[str, WeightedSample]


def rates(samples: Samples) -> dict[str, Estimate]:
    """The mean of each sample of values in [0, 1]."""
    return {name: rate(sample) for name, sample in samples.items()}


def changes(samples: Samples) -> dict[str, Estimate]:
    """The mean of each sample of paired differences; p-values are Holm-adjusted across all."""
    return holm_adjusted({name: difference(sample) for name, sample in samples.items()})


def by_domain(samples: Samples, domains: Sequence[str]) -> dict[str, WeightedSample]:
    """`<domain>/<name>`: of each sample the items of one domain (its strata are domains)."""
    return {
        f"{domain}/{name}": replace(sample, weights=sample.weights * (sample.strata == code))
        for code, domain in enumerate(domains)
        for name, sample in samples.items()
    }
