"""Which probes there are, and which of them a run asks."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.judging.probes.authority import Authority
from bias_tasks.judging.probes.dressing import Dressing
from bias_tasks.judging.probes.formatting import Formatting
from bias_tasks.judging.probes.verbosity import Verbosity
from bias_tasks.names import did_you_mean
from bias_tasks.parameters import Names, names_in

POSITION = "position"
"""The pair in the other order."""
DRESSINGS: Mapping[str, Dressing] = {
    each.name: each for each in (Verbosity(), Formatting(), Authority())
}
"""By name: what is done to one response."""
_CONTROL = "_control"


def control_of(name: str) -> str | None:
    """The dressing whose control a variant is: the other response wears it. None for no control."""
    dressing = name.removesuffix(_CONTROL)
    return dressing if dressing != name and dressing in DRESSINGS else None


def dressing_of(name: str) -> Dressing | None:
    """What a probe does to a response; None where it does nothing."""
    return DRESSINGS.get(control_of(name) or name)


def chosen_probes(names: Names, *, pairs: bool) -> tuple[str, ...]:
    """The probes of these names, in their order.

    Args:
        names: a list, or one text that separates them by commas; None for all but the controls.
        pairs: whether two responses are compared, so that they have an order.

    Raises:
        ValueError: there is no probe of a name, it needs a pair, or none is named.
    """
    usual = (*((POSITION,) if pairs else ()), *DRESSINGS)
    if names is None:
        return usual
    known = (*usual, *(f"{name}{_CONTROL}" for name in DRESSINGS))
    found = tuple(dict.fromkeys(names_in(names)))
    for name in found:
        if name == POSITION and not pairs:
            raise ValueError(f"probes: {name} needs two responses in one prompt: leave it out here")
        if name not in known:
            near = did_you_mean([name], known)
            raise ValueError(f"probes: there is no {name!r}{near}: there are {', '.join(known)}")
    if not found:
        raise ValueError(f"probes: none is named: there are {', '.join(known)}")
    return found
