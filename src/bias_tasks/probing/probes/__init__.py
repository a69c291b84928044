"""Which probes there are, and which of them a run asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bias_tasks.names import Names, names_in
from bias_tasks.probing.probes import conversation, options, prompt
from bias_tasks.probing.probes.base import Probe
from bias_tasks.probing.rewordings import HOW, KINDS, Rewordings

PROBES: Mapping[str, Probe] = {
    each.name: each
    for each in (
        *(Probe(ask) for ask in (options.order, options.labels, options.separator, options.casing)),
        *(Probe(ask) for ask in (prompt.paraphrase, prompt.language, prompt.typo)),
        *(Probe(ask) for ask in (prompt.system, prompt.persona, conversation.suggest)),
        *(Probe(ask) for ask in (conversation.few_shot, prompt.distract)),
        Probe(conversation.polish, generates=True, asks_twice=True),
        Probe(conversation.reflect, generates=True, asks_twice=True),
        Probe(conversation.format, generates=True),
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
        names: of `PROBES`: a list, or one text that separates them by commas; None for all.
        likelihoods: whether choices are compared by their likelihood, and none is written.
        once: whether the host asks each question once, and nothing before or behind it.
        formats: of which `format` draws; None for all there are.
        rewordings: the file that the user gives.

    Raises:
        ValueError: a probe needs a written answer, a second one or a file that is not given, or
            none takes the file or the formats that are.
    """
    impossible: dict[str, str] = {}
    for name, probe in PROBES.items():
        if likelihoods and probe.generates:
            impossible[name] = "needs a written answer, and this task compares likelihoods"
        elif once and probe.asks_twice:
            impossible[name] = "asks a model twice, and this host once: run it in Inspect"
    if rewordings is None or "language" not in {kind for _, kind in rewordings.rows}:
        impossible["language"] = (
            f"needs a file with translations, as rewordings=rewordings.jsonl: {HOW}"
        )
    given = names_in(names) or [name for name in PROBES if name not in impossible]
    for name in given:
        if name in impossible:
            raise ValueError(f"probes: {name} {impossible[name]}")
    if rewordings is not None and not {*given} & {*KINDS}:
        raise ValueError(
            "rewordings: none of the probes takes them; leave it out, or add paraphrase or "
            "language to the probes"
        )
    if formats is not None and "format" not in given:
        raise ValueError("formats: they are those of the probe format, which is not asked here")
    return [PROBES[name] for name in given]
