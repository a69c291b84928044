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
from bias_tasks.probing.probes.reworded import Language, Paraphrase
from bias_tasks.probing.probes.separator import Casing, Separator
from bias_tasks.probing.probes.system import Persona, System
from bias_tasks.probing.probes.wording import Typo
from bias_tasks.probing.rewordings.file import Rewordings

PROBES: Mapping[str, Probe] = {
    each.name: each
    for each in (
        Order(),
        Labels(),
        Separator(),
        Casing(),
        Paraphrase(),
        Language(),
        Typo(),
        System(),
        Persona(),
        Suggest(),
        Reflect(),
        WrappedFormat(),
    )
}
"""By name."""


def chosen_probes(
    names: Names,
    *,
    likelihoods: bool = False,
    once: bool = False,
    rewordings: Rewordings | None = None,
) -> Sequence[Probe]:
    """The probes of these names, or all that are possible.

    Args:
        names: a list, or one text that separates them by commas; None for all there are.
        likelihoods: whether choices are compared by their likelihood, and none is written.
        once: whether the host asks each question once, and can't go on behind the answer.
        rewordings: the file that the user gives.

    Raises:
        ValueError: there is no probe of a name, it needs a written answer, a second one or a
            file that is not given, or none takes the one that is.
    """
    known = {name: each.with_rewordings(rewordings) for name, each in PROBES.items()}
    if names is None:
        return [e for e in known.values() if _impossible(e, likelihoods, once) is None]
    found = []
    for name in dict.fromkeys(names_in(names)):
        if name not in known:
            near = did_you_mean([name], PROBES)
            raise ValueError(f"probes: there is no {name!r}{near}: there are {', '.join(PROBES)}")
        impossible = _impossible(known[name], likelihoods, once)
        if impossible is not None:
            raise ValueError(f"probes: {name} {impossible}")
        found.append(known[name])
    if not found:
        raise ValueError(f"probes: none is named: there are {', '.join(PROBES)}")
    if rewordings is not None and all(each is PROBES[each.name] for each in found):
        raise ValueError(
            "rewordings: none of the probes takes them; leave it out, or add paraphrase or "
            "language to the probes"
        )
    return found


def _impossible(probe: Probe, likelihoods: bool, once: bool) -> str | None:
    """Why a probe can't be asked; None where it can."""
    if likelihoods and probe.generates:
        return "needs a written answer, and this task compares likelihoods"
    if once and probe.goes_on:
        return (
            "asks the model again behind its answer, and this host asks each question once: leave "
            "it out here, or run it in Inspect"
        )
    return probe.lacking()
