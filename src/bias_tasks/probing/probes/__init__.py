"""The probes, and which of them a run uses.

To add a probe, write a function with the decorator `probe` in a module of this folder, and add its
name to the values of `Probes` in `parameters.py`.
"""

from collections.abc import Mapping
from itertools import combinations

from bias_tasks.contract.declarations import load_declaration
from bias_tasks.probing.items import Perturbation, ProbedItem, split_stack
from bias_tasks.probing.probes import conversation, options, prompt
from bias_tasks.probing.probes.base import PLACES, Probe, ProbeInput, registered_probes
from bias_tasks.probing.rewordings import HOW_TO_MAKE, Rows
from bias_tasks.randomness import seeded_random
from bias_tasks.user_names import Names, parse_names

__all__ = ["PROBES", "conversation", "options", "perturb", "prompt", "select_probes"]

_DECLARED = load_declaration("bias_tasks.probing").parameters["probes"].values
PROBES: Mapping[str, Probe] = {name: registered_probes()[name] for name in _DECLARED}
"""All probes by name, in the order of `parameters.py`."""


def perturb(item: ProbedItem, variant: str, seed: int, run: ProbeInput) -> Perturbation:
    """Return the perturbation of an item by a probe, or by those of a stack in their order.

    A probe of a stack perturbs the item as the probes before it have left it, and must apply to the
    original item, too: a typo must not hide why `distract` does not apply. Draws depend on the
    seed, the item and the single probe, so that a stack makes a probe's draws again.

    Args:
        item: The item.
        variant: A probe or a stack.
        seed: The seed of the run.
        run: What the probes get besides the item.

    Raises:
        ProbeNotApplicableError: A probe does not apply to the item.
    """
    result, changed = Perturbation(), item
    for name in split_stack(variant):
        for version in dict.fromkeys((item, changed)):
            rng = seeded_random(seed, item.id, name)
            perturbation = PROBES[name].perturb(version, rng, run)
        result, changed = result.then(perturbation), changed.under(perturbation)
    return result


def _check_stack(variant: str) -> None:
    """Raise a ValueError if the probes of a stack cannot be in one prompt in their order."""
    names = split_stack(variant)
    places = {name: PLACES.index(PROBES[name].place) for name in names}
    for first, second in combinations(names, 2):
        place, other_place = PROBES[first].place, PROBES[second].place
        problem = None
        if first == second:
            problem = f"{first} is in it twice: name it once"
        elif "alone" in (place, other_place):
            alone = first if place == "alone" else second
            problem = f"{alone} could undo other probes: run it alone"
        elif place == other_place and place in ("first", "last"):
            problem = f"{first} and {second} both come {place}: choose one"
        elif places[first] > places[second]:
            ordered = "+".join(sorted(places, key=places.__getitem__))
            problem = f"{first} must come after {second}: write {ordered}"
        if problem:
            raise ValueError(f"probes: the stack {variant} is not possible: {problem}")


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
    for variant in selected:
        for name in split_stack(variant):
            if name in impossible:
                raise ValueError(f"probes: {name} {impossible[name]}")
        _check_stack(variant)
    return tuple(selected)
