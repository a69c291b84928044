"""Which probes there are, and which of them a run asks."""

from collections.abc import Mapping

from bias_tasks.names import Names, names_in
from bias_tasks.probing.probes import conversation, options, prompt
from bias_tasks.probing.probes.base import Probe
from bias_tasks.probing.rewordings import HOW, Rows

PROBES: Mapping[str, Probe] = {
    each.__name__: each
    for each in (
        *(options.order, options.labels, options.separator, options.casing),
        *(prompt.paraphrase, prompt.language, prompt.typo, prompt.system, prompt.persona),
        *(conversation.suggest, conversation.few_shot, prompt.distract, conversation.polish),
        *(conversation.reflect, conversation.format),
    )
}
"""By name."""
ASKED_TWICE = ("polish", "reflect")
"""Those that ask a model before or behind the question, too."""
WRITTEN = (*ASKED_TWICE, "format")
"""Those that need a written answer, and so no task that compares likelihoods has."""


def chosen_probes(
    names: Names, rewordings: Rows, *, likelihoods: bool = False, once: bool = False
) -> tuple[str, ...]:
    """The probes of these names, or all that are possible; a ValueError where one is not, for want
    of translations, or since choices are compared by their likelihoods and none is written, or the
    host asks each question `once`, and nothing before or behind it."""
    impossible: dict[str, str] = {}
    for name in PROBES:
        if likelihoods and name in WRITTEN:
            impossible[name] = "needs a written answer, and this task compares likelihoods"
        elif once and name in ASKED_TWICE:
            impossible[name] = "asks a model twice, and this host once: run it in Inspect"
    if "language" not in {kind for _, kind in rewordings}:
        impossible["language"] = (
            f"needs a file with translations, as rewordings=rewordings.jsonl: {HOW}"
        )
    given = names_in(names) or [name for name in PROBES if name not in impossible]
    for name in given:
        if name in impossible:
            raise ValueError(f"probes: {name} {impossible[name]}")
    return tuple(given)
