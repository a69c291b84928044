"""All figures of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bias_tasks.instruction_boundary.items import VANILLA
from bias_tasks.instruction_boundary.metrics.outcome import SettingOutcome
from bias_tasks.instruction_boundary.metrics.paired import (
    change_over_settings,
    conformity_figures,
    paired_figures,
    pairs,
)
from bias_tasks.instruction_boundary.metrics.rates import variant_figures
from bias_tasks.instruction_boundary.metrics.table import Table, tables
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted


def scorecard(outcomes: Sequence[SettingOutcome]) -> dict[str, Estimate]:
    """Every figure of one run with its 95 % interval, by its name.

    Beside at most one setting, names are bare for the setting and start with `vanilla/` for its
    twin; with several settings every name starts with its variant, and the bare `delta_acc` is the
    change over all of them. Only what was run is there;
    a figure with an empty denominator is nan with n = 0, and one that rests on a single cluster
    has nan bounds. The p-values of `delta_acc` are Holm-adjusted across settings.

    Args:
        outcomes: at most one for each item and variant, in any order.

    Raises:
        ValueError: an item stands twice under one variant, a label or share is impossible, or a
            conformity outcome's twin does not say whether it is at the suggestion.
    """
    return figures_of(tables(outcomes))


def figures_of(variants: Mapping[str, Table]) -> dict[str, Estimate]:
    """Every figure of one run, as `scorecard` has them, from a table for each variant."""
    settings = [name for name in variants if name != VANILLA]
    vanilla = variants.get(VANILLA)
    cards = {name: variant_figures(table) for name, table in variants.items()}
    for name in settings:
        if vanilla is not None:
            cards[name] |= _against(variants[name], vanilla)
    if len(settings) > 1:
        _adjust({name: cards[name] for name in settings})
    bare = None if len(settings) > 1 else next(iter(settings or [VANILLA]))
    named = {
        figure if name == bare else f"{name}/{figure}": estimate
        for name, card in cards.items()
        for figure, estimate in card.items()
    }
    if bare is None and vanilla is not None:
        named["delta_acc"] = change_over_settings([variants[name] for name in settings], vanilla)
    return named


def _against(setting: Table, vanilla: Table) -> dict[str, Estimate]:
    here, there = pairs(setting, vanilla)
    figures = paired_figures(here, there)
    if (setting.suggested >= 0).any():
        suggested = here.suggested >= 0
        figures |= conformity_figures(here.take(suggested), there.take(suggested))
    return figures


def _adjust(cards: Mapping[str, dict[str, Estimate]]) -> None:
    """Holm's adjustment of the p-values of `delta_acc` across settings, in place."""
    deltas = {name: card["delta_acc"] for name, card in cards.items() if "delta_acc" in card}
    for name, delta in holm_adjusted(deltas).items():
        cards[name]["delta_acc"] = delta
