"""All figures of one run."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    COMPARED,
    REFORMULATIONS,
    VARIANTS,
    Variant,
    weighed_rewordings,
    why_no_score,
)
from bias_tasks.binary_qa.metrics_classes import class_figures
from bias_tasks.binary_qa.metrics_mbs import (
    CORE,
    DEFAULT_WEIGHTS,
    SIGNED,
    check_weights,
    mbs,
    sampling_errors,
    score_estimate,
)
from bias_tasks.binary_qa.metrics_table import MISSING, UNREAD, Table, agreement
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import QUANTILE, Estimate, standard_error
from bias_tasks.statistics.intervals import NOTHING, limits_wanted, rate
from bias_tasks.statistics.magnitude import Magnitude, magnitude
from bias_tasks.statistics.outcomes import Mask

Card = dict[str, Estimate]
_YES = BINARY_LABELS.index("Yes")
_BELOW, _ABOVE = 0.03, 0.02
"""How often a standard deviation may be below its interval, and above it: where it is 0 only the
first can happen."""


def scorecard(
    run: Table, protocol: PaperProtocol, weights: Mapping[str, float] | None = None
) -> Card:
    """Every figure of one run with its 95 % interval, by its name.

    Only what was run is there. A figure that is not defined (an empty denominator, the precision of
    a class never answered, a standard deviation over one domain) is nan with n = 0, and so is what
    is made of it. One that rests on a single cluster has nan bounds. A ValueError where `weights`
    are not what they can be.

    Answers are compared within an epoch, and a question's value is the mean over its epochs. Under
    "published" an unread answer is consistent with an unread one, and the opposite of any that was
    read. `weights` are those of the core metrics in `mbs` (`check_weights`); None: the paper's."""
    weighed = check_weights(DEFAULT_WEIGHTS if weights is None else weights)
    parts = [run.of_domain(code) for code in range(len(run.domains))]
    cards = [_figures(part, protocol) for part in parts]
    card = _figures(run, protocol)
    card |= composites(run, parts, card, cards, protocol, weighed)
    for domain, figures in zip(run.domains, cards, strict=True):
        card |= {f"{domain}/{name}": figure for name, figure in figures.items()}
    return card | {"domains": _unbounded(float(len(run.domains)), run.gold.size)}


def _figures(part: Table, protocol: PaperProtocol) -> Card:
    """The figures that stand beside each domain too."""
    card: Card = {}
    if part.asked("original"):
        answer = part.answer("original")
        card |= class_figures(part)
        card["yes_rate"] = rate(part.sample(part.values(answer == _YES, answer != MISSING)))
    for name, compared in COMPARED.items():
        if part.asked("original", *compared):
            card[name] = rate(part.sample(agreement(part, compared, protocol)))
    # Not every question can be reworded in every way: figures are over those that are.
    reworded: dict[str, tuple[Variant, ...]] = {kind: (kind,) for kind in REFORMULATIONS}
    for name, compared in {**reworded, "prc": COMPARED["prc"], "nrc": COMPARED["nrc"]}.items():
        if part.asked("original", *compared):
            if name in reworded:
                card[f"agree/{name}"] = rate(part.sample(agreement(part, compared, protocol)))
            # Known, not estimated.
            share = float(_asked_under(part, compared).mean())
            card[f"coverage/{name}"] = _unbounded(share, part.gold.size)
    for variant in VARIANTS:
        if part.asked(variant):
            answer = part.answer(variant)
            right = part.values(answer == part.right(variant), answer != MISSING)
            card[f"acc/{variant}"] = rate(part.sample(right))
    asked = (part.answers != MISSING).sum(axis=1)
    unread = (part.answers == UNREAD).sum(axis=1) / asked
    return card | {"unread": rate(part.sample(part.values(unread, asked > 0)))}


def _asked_under(part: Table, variants: Sequence[str]) -> Mask:
    """Which questions were asked under the original and all of these variants in one epoch."""
    every = np.logical_and.reduce([part.answer(v) != MISSING for v in ("original", *variants)])
    return part.values(every, every).known


def composites(
    run: Table,
    parts: Sequence[Table],
    card: Card,
    cards: Sequence[Card],
    protocol: PaperProtocol,
    weights: Mapping[str, float],
) -> dict[str, Estimate]:
    """`std/<metric>` and `average/<metric>` of every core metric that was run, and `mbs`.

    Over one domain there is neither an average nor `mbs`, which is there only where all that it
    weighs was run, and nan where too few questions are reworded (`why_no_score`).

    `parts` and `cards` are the questions of each domain and their figures.
    """
    found = {f"std/{name}": NOTHING for name in CORE if name in card}
    if len(parts) > 1 and all(name in card for name in weights):
        found["mbs"] = NOTHING
    defined = [name for name in CORE if all(part.get(name, NOTHING).n for part in cards)]
    within: dict[str, Floats] = {}
    if len(parts) > 1 and defined:
        std = {name: float(np.std([part[name].value for part in cards])) for name in defined}
        found |= {f"std/{name}": _unbounded(value, card[name].n) for name, value in std.items()}
        scored = set(weights) <= set(defined) and _enough_reworded(run, weights)
        if scored:
            value = mbs({name: card[name].value for name in weights}, std, weights)
            found["mbs"] = _unbounded(value, min(card[name].n for name in weights))
        if limits_wanted() and all(np.unique(part.cluster).size > 1 for part in parts):
            # Precision is far from linear where an answer is rare: its interval says more there.
            precision = np.array([name == "delta_precision" for name in defined])
            least = [[standard_error(part[name]) for name in defined] for part in cards]
            widths = np.where(precision, least, 0.0)
            errors, by_domain = sampling_errors(run, parts, defined, widths, protocol)
            within = {name: by_domain[:, :, place] for place, name in enumerate(defined)}
            spreads = {
                name: spread([part[name].value for part in cards], drawn)
                for name, drawn in within.items()
            }
            for name, deviation in spreads.items():
                figure = found[f"std/{name}"]
                limits = deviation.limits(_BELOW, _ABOVE)
                found[f"std/{name}"] = _within(figure.value, *limits, figure.n)
            if scored:
                columns = dict(zip(defined, errors.T, strict=True))
                found["mbs"] = score_estimate(found["mbs"], card, spreads, columns, weights)
    return found | averages(run, cards, within, protocol)


def spread(values: Sequence[float], errors: Floats) -> Magnitude:
    """The population standard deviation of a figure's values in k domains (errors: draws by k)."""
    deviations = np.array(values) - np.mean(values)
    return magnitude(deviations, errors - errors.mean(axis=1, keepdims=True))


def _enough_reworded(run: Table, weights: Mapping[str, float]) -> bool:
    kinds = weighed_rewordings(weights)
    has = _asked_under(run, kinds)
    reworded = {name: has[run.domain == code].tolist() for code, name in enumerate(run.domains)}
    return not kinds or why_no_score(reworded) is None


def _unbounded(value: float, n: int) -> Estimate:
    return Estimate(value, math.nan, math.nan, n)


def _within(value: float, low: float, high: float, n: int) -> Estimate:
    """The figure with limits that do not lie to one side of it."""
    return Estimate(value, min(low, value), max(high, value), n)


def averages(
    run: Table, cards: Sequence[Card], errors: Mapping[str, Floats], protocol: PaperProtocol
) -> dict[str, Estimate]:
    """`average/<metric>` of every core metric that was run, each domain counting alike (tables 3 to
    6); none with fewer than two domains, and none of a metric that a domain does not define.

    With domains of one size the mean of a consistency is the share over all questions; F1 and the
    precisions are no means, and the domains of a file, or a chosen few, may differ in size.

    `cards` are the figures of each domain, `errors` simulated errors of f1 and the deltas, draws by
    domains, as far as they are known; without them an average has nan bounds.
    """
    if len(cards) < 2:
        return {}
    found = {}
    for name in (name for name in CORE if all(name in card for card in cards)):
        parts = [card[name] for card in cards]
        value, n = float(np.mean([part.value for part in parts])), sum(part.n for part in parts)
        if not all(part.n for part in parts):
            figure = NOTHING
        elif name in COMPARED:  # a share in which the questions of each domain weigh alike together
            sample = run.sample(agreement(run, COMPARED[name], protocol))
            sizes = np.bincount(run.domain, sample.weights)
            figure = rate(replace(sample, weights=sample.weights / sizes[run.domain]))
        elif name not in errors:
            figure = _unbounded(value, n)
        else:
            drawn = errors[name].mean(axis=1)
            low, high = value - np.quantile(drawn, [QUANTILE, 1 - QUANTILE])
            least = -1.0 if name in SIGNED else 0.0
            figure = _within(value, max(float(low), least), min(float(high), 1.0), n)
        found[f"average/{name}"] = figure
    return found
