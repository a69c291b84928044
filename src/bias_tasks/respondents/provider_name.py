"""The name by which Inspect finds the simulated respondents, which are loaded once it is used."""

from __future__ import annotations

from inspect_ai.model import ModelAPI, modelapi


@modelapi(name="simulated")
def simulated() -> type[ModelAPI]:
    """Provider of the simulated respondents."""
    from bias_tasks.respondents.provider import SimulatedAPI

    return SimulatedAPI
