"""All figures of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bias_tasks.binary_qa.items import BINARY_LABELS, REFORMULATIONS, VARIANTS
from bias_tasks.binary_qa.metrics.classes import class_figures
from bias_tasks.binary_qa.metrics.composites import composites
from bias_tasks.binary_qa.metrics.consistency import COMPARED, agreement, consistency
from bias_tasks.binary_qa.metrics.outcome import BinaryOutcome
from bias_tasks.binary_qa.metrics.score import DEFAULT_WEIGHTS, check_weights
from bias_tasks.binary_qa.metrics.table import MISSING, UNREAD, Table, table
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate

Card = dict[str, Estimate]
_YES = BINARY_LABELS.index("Yes")


def binary_scorecard(
    outcomes: Sequence[BinaryOutcome],
    *,
    protocol: PaperProtocol = "corrected",
    weights: Mapping[str, float] | None = None,
) -> Card:
    """Every figure of one run with its 95 % interval, by its name.

    Only what was run is there; no outcomes give no figures. A figure that is not defined (an empty
    denominator, the precision of a class never answered, a standard deviation over one domain) is
    nan with n = 0, and so is what is made of it. One that rests on a single cluster has nan bounds.

    Args:
        outcomes: at most one for each item, variant and epoch, in any order. Answers are compared
            within an epoch, and a question's value is the mean over its epochs.
        protocol: under "published" an unread answer is consistent with an unread one, and the
            opposite of any that was read.
        weights: of the core metrics in `mbs`; see `check_weights`. Default: the paper's.

    Raises:
        ValueError: an outcome stands twice, has an unknown variant or label, or is at odds with
            another of its item; or `weights` or `protocol` are not what they can be.
    """
    return figures_of(table(outcomes) if outcomes else None, protocol, weights)


def figures_of(
    run: Table | None, protocol: PaperProtocol, weights: Mapping[str, float] | None
) -> Card:
    """Every figure of a table, as `binary_scorecard` has them; of None there are none."""
    if protocol not in ("corrected", "published"):
        raise ValueError(f"protocol is {protocol!r}: it is corrected or published")
    weighed = check_weights(DEFAULT_WEIGHTS if weights is None else weights)
    if run is None:
        return {}
    parts = [run.of_domain(code) for code in range(len(run.domains))]
    cards = [_figures(part, protocol) for part in parts]
    card = _figures(run, protocol)
    card |= composites(run, parts, card, cards, protocol, weighed)
    for domain, figures in zip(run.domains, cards, strict=True):
        card |= {f"{domain}/{name}": figure for name, figure in figures.items()}
    count = float(len(run.domains))
    return card | {"domains": Estimate(count, count, count, run.gold.size)}


def _figures(part: Table, protocol: PaperProtocol) -> Card:
    """The figures that stand beside each domain too."""
    card: Card = {}
    if part.asked("original"):
        answer = part.answer("original")
        card |= class_figures(part)
        card["yes_rate"] = rate(part.sample(part.values(answer == _YES, answer != MISSING)))
    for name, compared in COMPARED.items():
        if part.asked("original", *compared):
            card[name] = rate(part.sample(consistency(part, name, protocol)))
    card |= _by_rewording(part, protocol)
    for variant in VARIANTS:
        if part.asked(variant):
            answer = part.answer(variant)
            right = part.values(answer == part.right(variant), answer != MISSING)
            card[f"acc/{variant}"] = rate(part.sample(right))
    asked = (part.answers != MISSING).sum(axis=1)
    unread = (part.answers == UNREAD).sum(axis=1) / asked
    return card | {"unread": rate(part.sample(part.values(unread, asked > 0)))}


def _by_rewording(part: Table, protocol: PaperProtocol) -> Card:
    """Agreement with each rewording alone, and the shares of questions that have what is compared.

    Not every question can be reworded in every way: figures are over those that are.
    """
    card: Card = {}
    asked = [kind for kind in REFORMULATIONS if part.asked("original", kind)]
    for kind in asked:
        card[f"agree/{kind}"] = rate(part.sample(agreement(part, (kind,), protocol)))
        card[f"coverage/{kind}"] = _coverage(part, (kind,))
    for name, compared in COMPARED.items():
        if set(compared) <= set(asked):
            card[f"coverage/{name}"] = _coverage(part, compared)
    return card


def _coverage(part: Table, compared: Sequence[str]) -> Estimate:
    """The share of questions that were asked under all of these variants: known, not estimated."""
    both = np.logical_and.reduce([part.answer(v) != MISSING for v in ("original", *compared)])
    share = float(part.values(both, both).known.mean())
    return Estimate(share, share, share, part.gold.size)
