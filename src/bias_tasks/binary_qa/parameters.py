"""What each task of binary question answering asks; its parameters stand in `tasks.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.binary_qa.items import VARIANTS, Variant

ASKED: Mapping[str, tuple[Variant, ...]] = {
    "binaryqa": VARIANTS,
    "binaryqa_prc": ("original", "synonym", "polite"),
    "binaryqa_nrc": ("original", "contradictory", "false"),
    "binaryqa_arc": ("original", "reversed"),
    "binaryqa_sc": ("original", "repeat_2", "repeat_3"),
    "binaryqa_qa": ("original",),
}
"""The variants that each task asks of every question."""
