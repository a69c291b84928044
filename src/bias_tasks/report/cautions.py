"""What a reader must know of a run before its figures are believed."""

from __future__ import annotations

from collections.abc import Iterator

from bias_tasks.record import unread_notice
from bias_tasks.report.gather import Told
from bias_tasks.results.noise import without_noise
from bias_tasks.results.table import lost

_SIMULATED = ("simulated", "mockllm", "dummy")
"""How the names of models begin that are none."""
_PART = ("limit", "sample_id", "samples")
"""Settings by which a run asks less than its task has."""


def warnings(told: Told) -> Iterator[str]:
    """The warnings that belong to a run, the gravest first."""
    run = told.run
    if run.model.partition("/")[0] in _SIMULATED:
        yield "the model is simulated: its answers say nothing of any real model"
    missing = lost(run.samples)
    if missing is not None:
        yield missing
    if told.answers is None:
        yield f"its answers are not here ({told.missing}): nothing is shown of what moved"
    else:
        notice = unread_notice(told.answers.outcomes(), in_form=told.family.measures_form)
        if notice is not None:
            yield notice
    for source in run.record["provenance"]:
        if source.get("made") == "by rule":
            yield "its attacks were made by rule, and not by an attacker model as in the paper"
    yield from run.notes
    partly = [each for each in _PART if run.settings.get(each)]
    if partly:
        yield f"only a part of the task was asked ({', '.join(partly)})"
    yield from without_noise(run)
