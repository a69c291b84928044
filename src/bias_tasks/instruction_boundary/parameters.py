"""The parameters of Instruction Boundary; what each means stands in `tasks.yaml`."""

from __future__ import annotations

from bias_tasks.parameters import declared

PARAMETERS = declared(__package__).parameters
ALL_SETTINGS = "instruction_boundary"
"""Name of the run that asks every setting of the same items."""
