"""An item of somebody else's task, and how it is asked under a probe; neither knows a host."""

from collections.abc import Iterable
from dataclasses import dataclass

from bias_tasks.probing.options import OptionStyle

PLAIN = "plain"
"""The variant that is the item as its own task asks it."""
REPEAT = "repeat"
"""What the names of variants begin with that ask the very same again."""
PROBES_TRIED = "probes"
"""In the `own` of a plain answer's outcome: the probes that the run tries on each item."""


def places_told(places: Iterable[int]) -> str:
    """Choices by their places in the item: `#2` is its third, whatever label it is shown behind."""
    return " ".join(f"#{place}" for place in sorted(set(places)))


def is_repeat(variant: str) -> bool:
    """Whether the variant asks the plain question again."""
    return variant.startswith(REPEAT) and variant.removeprefix(REPEAT).isdigit()


@dataclass(frozen=True, slots=True)
class ProbedItem:
    """What is known of an item of another task."""

    id: str
    text: str
    """The question as the task's data have it, without its choices and its instructions."""
    choices: tuple[str, ...] = ()
    """The choices that its prompt prints, in their order; empty where it prints none."""
    right: tuple[int, ...] = ()
    """The places of the right choices."""
    target: str = ""
    """The right answer as the task has it."""
    labels: tuple[str, ...] = ()
    """The task's own labels of the choices; empty for A, B, ..."""
    cluster: str = ""
    """Items of one cluster share something; empty where each stands alone."""
    worked: str = ""
    """The item with its right answer, as an example; empty where it can be none."""

    @property
    def own_cluster(self) -> str:
        """Its cluster, or its id where it stands alone."""
        return self.cluster or self.id

    @property
    def gold(self) -> str:
        """The right answer: the places of right choices, as `#2`, or the target without any."""
        return places_told(self.right) if self.choices and self.right else self.target


@dataclass(frozen=True, slots=True)
class Asked:
    """How an item is asked; what is None or empty stays as the task has it."""

    text: str | None = None
    """The question, in other words."""
    order: tuple[int, ...] = ()
    """The choices in the order in which they are shown, by their places in the item."""
    system: str = ""
    """A system message that stands in front."""
    beginning: str = ""
    ending: str = ""
    """What is put before the finished prompt and behind it, with an empty line between."""
    polish: bool = False
    """Whether a model rewrites the finished prompt first."""
    again: str = ""
    """What the model is told behind its answer, so that it answers once more."""
    format: str = ""
    """The name of the format in which the answer is asked for."""
    dress: OptionStyle | None = None
    """The style of the options in the finished prompt."""

    def shown(self, item: ProbedItem) -> tuple[str, ...]:
        """The choices in the order in which they are shown."""
        return tuple(item.choices[place] for place in self.order) if self.order else item.choices
