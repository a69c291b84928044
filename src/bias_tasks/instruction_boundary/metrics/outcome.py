"""What became of one item under one setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bias_tasks.instruction_boundary.items import Form

INVALID = "invalid"
UNREAD = "unread"
"""Shares of these two stand beside the label shares of an outcome."""


@dataclass(frozen=True, slots=True)
class SettingOutcome:
    """What became of one item under one variant.

    Shares are between 0 and 1: over one epoch they are 0 or 1, over several their mean.
    """

    item: str
    cluster: str
    form: Form
    variant: str
    """Name of the setting, or `vanilla`."""
    gold: str
    """Gold label of the item: True, False, Unknown, single, multiple or none."""
    ok: float
    """Share of epochs whose prediction equals gold (choice form: the same set of options)."""
    labels: Mapping[str, float] = field(default_factory=dict)
    """Share of each output label of the form, and of `invalid` and `unread`; sums to 1."""
    judged: float = 0.0
    """Share of epochs whose answer a judge model read."""
    suggested: str | None = None
    """Conformity: the label that was (or, for the vanilla twin, would have been) suggested."""
    at_suggestion: float | None = None
    """Conformity: share of epochs whose answer is the suggested one."""
    suggestion_is_gold: bool | None = None
    """Conformity: whether the suggested answer is the right one."""
    origin: str | None = None
    """The data set that the item was taken from, where that is known."""
