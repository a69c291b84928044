"""What a probe is, what it gets from a run, and how it is registered."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from bias_tasks.probing.displayed_options import LETTERS
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.rewordings import Rows
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError, SkipReason


@dataclass(frozen=True, slots=True, eq=False)
class ProbeInput:
    """What a probe gets from a run besides the item."""

    items: Sequence[ProbedItem] = ()
    """All items of the run."""
    other_items: Sequence[ProbedItem] = ()
    """Items of the same task that are not in the run."""
    rewordings: Rows = field(default_factory=dict)
    formats: Sequence[str] = tuple(FINAL_FORMATS)
    """The formats from which the probe `format` draws."""
    instructions: Sequence[str] = ()
    """The user's instructions, from which the probe `instruction` draws."""


Perturb = Callable[[ProbedItem, random.Random, ProbeInput], Perturbation]
"""Returns a perturbation of an item that leaves its correct answer as it is.

The generator is seeded by run, item and probe; it is the only source of chance. Raises
`ProbeNotApplicableError` if the item cannot be perturbed so.
"""


Place = Literal["first", "middle", "examples", "last", "alone"]
PLACES = get_args(Place)
"""Where a probe is in a stack: `first` if it replaces the question, `examples` if it depends on the
order of the choices, `last` if it speaks about the whole prompt, `alone` if others would be lost.
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """A way to perturb prompts."""

    perturb: Perturb
    needs_written_answer: bool
    """Whether tasks that compare likelihoods cannot have it."""
    needs_second_call: bool
    """Whether it calls a model before or after the question, too."""
    place: Place = "middle"
    """Where it is in a stack."""

    @property
    def summary(self) -> str:
        """What it changes, in one sentence: the first paragraph of its docstring."""
        return " ".join((self.perturb.__doc__ or "").partition("\n\n")[0].split())


_REGISTRY: dict[str, Probe] = {}


def probe(
    *,
    needs_written_answer: bool = False,
    needs_second_call: bool = False,
    place: Place = "middle",
) -> Callable[[Perturb], Perturb]:
    """Register a function as the probe of its name.

    The name must be among the values of `Probes` in `parameters.py`, too.

    Args:
        needs_written_answer: As in `Probe`.
        needs_second_call: As in `Probe`; such a probe needs a written answer, too.
        place: As in `Probe`.
    """

    def register(perturb: Perturb) -> Perturb:
        written = needs_written_answer or needs_second_call
        _REGISTRY[perturb.__name__] = Probe(perturb, written, needs_second_call, place)
        return perturb

    return register


def registered_probes() -> dict[str, Probe]:
    """Return the probes of all imported modules by name."""
    return dict(_REGISTRY)


def require_text(item: ProbedItem) -> None:
    """Raise if the item's prompt has no text that can be changed."""
    if not item.text.strip():
        raise ProbeNotApplicableError(SkipReason.NO_TEXT)


def require_choices(
    item: ProbedItem, *, different: bool = False, at_most: int = len(LETTERS)
) -> None:
    """Raise if the prompt displays no choices, too many or, if `different`, two equal ones."""
    if len(item.choices) < 2:
        raise ProbeNotApplicableError(SkipReason.NO_CHOICES)
    if len(item.choices) > at_most:
        raise ProbeNotApplicableError(SkipReason.TOO_MANY_CHOICES, f"more than {at_most}")
    if different and len({" ".join(text.split()) for text in item.choices}) < len(item.choices):
        raise ProbeNotApplicableError(SkipReason.EQUAL_CHOICES)
