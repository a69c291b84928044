"""Which probes there are, and which of them a run asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bias_tasks.names import did_you_mean
from bias_tasks.parameters import Names, chosen_names, names_in
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.probes.base import Probe
from bias_tasks.probing.probes.conversation import Polish, Reflect, Suggest
from bias_tasks.probing.probes.distract import Distract
from bias_tasks.probing.probes.few_shot import FewShot
from bias_tasks.probing.probes.format import AnswerFormat
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
        FewShot(),
        Distract(),
        Polish(),
        Reflect(),
        AnswerFormat(),
    )
}
"""By name."""


def chosen_probes(
    names: Names,
    *,
    likelihoods: bool = False,
    once: bool = False,
    formats: Names = None,
    rewordings: Rewordings | None = None,
) -> Sequence[Probe]:
    """The probes of these names, or all that are possible.

    Args:
        names: a list, or one text that separates them by commas; None for all there are.
        likelihoods: whether choices are compared by their likelihood, and none is written.
        once: whether the host asks each question once, and can't ask anything before or behind.
        formats: of which `format` draws; None for all there are.
        rewordings: the file that the user gives.

    Raises:
        ValueError: there is no probe of a name, it needs a written answer, a second one or a
            file that is not given, or none takes the one that is.
    """
    known = {name: each.with_rewordings(rewordings) for name, each in PROBES.items()}
    if formats is not None:
        drawn = chosen_names("formats", formats, tuple(FINAL_FORMATS))
        known[AnswerFormat.name] = AnswerFormat(drawn)
    if names is None:
        every = [each for each in known.values() if _impossible(each, likelihoods, once) is None]
        return _with_formats(every, formats)
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
    if rewordings is not None and not any(each.takes_rewordings for each in found):
        raise ValueError(
            "rewordings: none of the probes takes them; leave it out, or add paraphrase or "
            "language to the probes"
        )
    return _with_formats(found, formats)


def _with_formats(probes: Sequence[Probe], formats: Names) -> Sequence[Probe]:
    """The probes, unless formats are named for one that is not among them."""
    if formats is not None and AnswerFormat.name not in {each.name for each in probes}:
        raise ValueError(
            f"formats: they are those of the probe {AnswerFormat.name}, which is not asked here"
        )
    return probes


def _impossible(probe: Probe, likelihoods: bool, once: bool) -> str | None:
    """Why a probe can't be asked; None where it can."""
    if likelihoods and probe.generates:
        return "needs a written answer, and this task compares likelihoods"
    if once and (probe.goes_on or probe.rewrites):
        what = "again behind its answer" if probe.goes_on else "for another prompt first"
        return (
            f"asks a model {what}, and this host asks each question once: leave it out here, or "
            "run it in Inspect"
        )
    return probe.lacking()
