"""Which of a run's figures need noise that the run cannot have."""

from __future__ import annotations

from collections.abc import Iterator

from bias_tasks.families import load_family
from bias_tasks.figures import needs_noise
from bias_tasks.results.run import Run


def without_noise(run: Run) -> Iterator[str]:
    """What to say beside the figures of a run at temperature 0 that measure noise; a line each."""
    if run.settings.get("temperature") != 0:
        return
    declared = load_family(run.record["family"]).figures
    settled = needs_noise((figure.name for figure in run.metrics), declared)
    for value in sorted(set(settled.values())):
        names = ", ".join(name for name, fixed in settled.items() if fixed == value)
        yield (
            f"at temperature 0 a deterministic model has {value:g} by construction: {names}; to "
            "measure noise, ask at the temperature in use"
        )
