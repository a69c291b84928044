"""The words for what runs show: one run by itself, and two runs that are compared."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.metrics import MetricSpec
from bias_tasks.contract.unparsed_notice import find_unparsed_variants
from bias_tasks.results.text import join_texts

NO_VALUE: Final = "NO VALUE"
UNPARSED: Final = "UNPARSED"
AT_CHANCE: Final = "AT CHANCE"
INCONCLUSIVE: Final = "INCONCLUSIVE"
SMALL: Final = "SMALL"
FOUND: Final = "FOUND"
GAIN: Final = "GAIN"
MEASURED: Final = "MEASURED"
_MAX_LISTED = 3
"""Variants that a sentence lists."""
NOT_MEASURED: Final = (NO_VALUE, UNPARSED)
"""Verdicts after which nothing is known."""
RunVerdict = Literal[
    "NO VALUE", "UNPARSED", "AT CHANCE", "INCONCLUSIVE", "SMALL", "FOUND", "GAIN", "MEASURED"
]
"""What one run shows."""
Verdict = Literal[
    "NO VALUE", "UNPARSED", "INCONCLUSIVE", "BETTER", "WORSE", "HIGHER", "LOWER", "EQUIVALENT"
]
"""What a run shows against another run."""


def explain_unparsed(
    family: AnyFamily, spec: MetricSpec, name: str, counts: Mapping[str, Counter[str]]
) -> str:
    """Return under which variants too many answers are unparsed for a metric; empty if none.

    A metric that compares variants uses items with a parsed answer under each of them. If many
    answers are unparsed, these items may differ from the others.

    Args:
        family: The family of the run.
        spec: The declaration of the metric.
        name: Its printed name. If a part of it is a variant, the metric compares that variant with
            its baseline, else all variants.
        counts: Number of answers by variant, then by cause or `PARSED`.
    """
    if not spec.compares_variants:
        return ""
    named = set(name.split("/")) & counts.keys()
    compared = named | {family.baseline_variant(variant) for variant in named} or counts.keys()
    listed = [
        f"{share:.0%} under {variant}"
        for variant, share in find_unparsed_variants(family, counts).items()
        if variant in compared
    ]
    return f"too many answers are unparsed: {join_texts(listed, _MAX_LISTED)}" if listed else ""
