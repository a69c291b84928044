"""Which probes there are, and which of them a run asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bias_tasks.names import did_you_mean
from bias_tasks.parameters import Names, names_in
from bias_tasks.probing.probes.base import Probe
from bias_tasks.probing.probes.conversation import Reflect, Suggest
from bias_tasks.probing.probes.format import WrappedFormat
from bias_tasks.probing.probes.labels import Labels
from bias_tasks.probing.probes.order import Order
from bias_tasks.probing.probes.separator import Casing, Separator
from bias_tasks.probing.probes.system import Persona, System
from bias_tasks.probing.probes.wording import Paraphrase, Typo

PROBES: Mapping[str, Probe] = {
    each.name: each
    for each in (
        Order(),
        Labels(),
        Separator(),
        Casing(),
        Paraphrase(),
        Typo(),
        System(),
        Persona(),
        Suggest(),
        Reflect(),
        WrappedFormat(),
    )
}
"""By name."""


def chosen_probes(names: Names, *, likelihoods: bool = False) -> Sequence[Probe]:
    """The probes of these names, or all.

    Args:
        names: a list, or one text that separates them by commas; None for all there are.
        likelihoods: whether choices are compared by their likelihood, and none is written.

    Raises:
        ValueError: there is no probe of a name, or it needs a written answer.
    """
    if names is None:
        return [probe for probe in PROBES.values() if not (likelihoods and probe.generates)]
    found = []
    for name in dict.fromkeys(names_in(names)):
        if name not in PROBES:
            near = did_you_mean([name], PROBES)
            raise ValueError(f"probes: there is no {name!r}{near}: there are {', '.join(PROBES)}")
        if likelihoods and PROBES[name].generates:
            raise ValueError(
                f"probes: {name} needs a written answer, and this task compares likelihoods"
            )
        found.append(PROBES[name])
    if not found:
        raise ValueError(f"probes: none is named: there are {', '.join(PROBES)}")
    return found
