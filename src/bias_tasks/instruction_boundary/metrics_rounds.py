"""Computes the metrics of multi-turn that compare the last round with the first."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.instruction_boundary.items import FORMS, INVALID, LABELS, UNPARSED
from bias_tasks.instruction_boundary.metrics_table import GOLD
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import Mask, build_outcome_table
from bias_tasks.statistics.rate_intervals import difference, rate


def compute_round_metrics(
    outcomes: Sequence[Outcome[SettingExtra]], protocol: PaperProtocol, intervals: bool
) -> dict[str, Estimate]:
    """Compute `delta_round` and the transitions between the first and the last round.

    Both rounds are of one sample, so that their prompts share their history. A pair counts for
    `delta_round` and for the transitions of right and wrong answers if both answers are parsed;
    transitions of labels are shares of all answers of the form. Several epochs of an item count as
    their mean. An answer that a grader parsed counts as unparsed, as it would in the first round,
    which no grader sees.

    Args:
        outcomes: The outcomes of one variant.
        protocol: Under `published` every pair counts, and an unparsed answer is wrong.
        intervals: Whether intervals are computed.

    Returns:
        Empty if no outcome has a first round.
    """
    rows = [outcome for outcome in outcomes if outcome.extra.first_label is not None]
    if not rows:
        return {}
    table = build_outcome_table(rows, intervals=intervals)
    first, last, form = (
        np.array(list(map(value, rows)))[table.cell[:, 0]]
        for value in (
            lambda row: row.extra.first_label,
            lambda row: UNPARSED if row.extra.graded else row.extra.label,
            lambda row: row.extra.form,
        )
    )
    was_right = table.grid(lambda row: row.extra.first_correct)[:, 0] == 1
    is_right = table.grid(lambda row: row.score == 1 and not row.extra.graded)[:, 0] == 1
    strata = np.array(table.of_items(lambda row: GOLD.index(row.extra.gold_label)))

    def sample(values: Mask | Floats, kept: Mask) -> WeightedSample:
        """Return each item's mean over its kept rows."""
        return table.sample(np.where(kept, values, np.nan), strata)

    is_compared = (first != UNPARSED) & (last != UNPARSED) | (protocol == "published")
    masks = {name: form == name for name in FORMS if name in form}
    changes = np.subtract(is_right, was_right, dtype=float)
    metrics = {"delta_round": difference(sample(changes, is_compared))}
    for before, after in product((True, False), repeat=2):
        name = "_to_".join("right" if right else "wrong" for right in (before, after))
        moved = (was_right == before) & (is_right == after)
        metrics[f"transition/{name}"] = rate(sample(moved, is_compared))
    for kind, mask in masks.items():
        metrics[f"{kind}/delta_round"] = difference(sample(changes, mask & is_compared))
        for label, other in product((*LABELS[kind], INVALID, UNPARSED), repeat=2):
            moved = (first == label) & (last == other)
            metrics[f"{kind}/transition/{label}_to_{other}"] = rate(sample(moved, mask))
    return {name: replace(estimate, p=None) for name, estimate in metrics.items()}
