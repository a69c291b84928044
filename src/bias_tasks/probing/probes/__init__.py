"""The probes, and which of them a run uses.

To add a probe, write a function with the decorator `probe` in a module of this folder, and add its
name to the values of `Probes` in `parameters.py`.
"""

from collections.abc import Mapping

from bias_tasks.contract.declarations import load_declaration
from bias_tasks.probing.probes import conversation, options, prompt
from bias_tasks.probing.probes.base import Probe, registered_probes
from bias_tasks.probing.rewordings import HOW_TO_MAKE, Rows
from bias_tasks.user_names import Names, parse_names

__all__ = ["PROBES", "conversation", "options", "prompt", "select_probes"]

_DECLARED = load_declaration("bias_tasks.probing").parameters["probes"].values
PROBES: Mapping[str, Probe] = {name: registered_probes()[name] for name in _DECLARED}
"""All probes by name, in the order of `parameters.py`."""


def select_probes(
    names: Names, rewordings: Rows, *, likelihoods: bool = False, single_call: bool = False
) -> tuple[str, ...]:
    """Return the requested probes, or by default all that are possible.

    Args:
        names: The requested names; None for all that are possible.
        rewordings: The run's rewordings and translations.
        likelihoods: Whether the task compares likelihoods of choices, so that none is written.
        single_call: Whether the framework makes one call per question.

    Raises:
        ValueError: A requested probe is not possible.
    """
    impossible: dict[str, str] = {}
    for name, probe in PROBES.items():
        if likelihoods and probe.needs_written_answer:
            impossible[name] = "needs a written answer, and this task compares likelihoods"
        elif single_call and probe.needs_second_call:
            impossible[name] = (
                "needs a second model call, and this framework makes one per question: run it in "
                "Inspect"
            )
    if "language" not in {kind for _, kind in rewordings}:
        impossible["language"] = (
            f"needs a file with translations, as rewordings=rewordings.jsonl: {HOW_TO_MAKE}"
        )
    selected = parse_names(names) or [name for name in PROBES if name not in impossible]
    for name in selected:
        if name in impossible:
            raise ValueError(f"probes: {name} {impossible[name]}")
    return tuple(selected)
