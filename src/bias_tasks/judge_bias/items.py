"""Items of judges: prompts with responses, and the data of a question about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bias_tasks.contract.outcomes import Extra
from bias_tasks.contract.questions import ScoringData
from bias_tasks.randomness import seeded_random

Author = Literal["own", "other"]
"""Who wrote an answer in `self_preference`: the evaluated model or the other one."""
Verdicts = Mapping[str, str | None]
"""A judge's verdicts by the author whose answer is first: the preferred author, `tie`, or None for
an unparsed verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBiasParams:
    """The parameters of a run."""

    data: str
    seed: int
    n: int | None
    """Maximum number of items; None for all of them."""
    template: str | None
    """Path of the user's judge prompt; None for the built-in one."""
    pairs: str = "clear"
    """Which pairs of the core set: `clear`, `near` or `all`."""
    probes: tuple[str, ...] = ()
    """Names of the selected probes; empty for the default ones."""
    repeats: int = 0
    """Number of repeats of each baseline question."""


@dataclass(frozen=True, slots=True)
class JudgedPrompt:
    """A prompt with responses.

    Items of `self_preference` have no responses: two models answer the prompt, unless the answers
    are recorded.
    """

    id: str
    prompt: str
    responses: tuple[str, ...] = ()
    """At least two for pairwise comparison, at least one for single scores."""
    preferred: tuple[int, ...] = ()
    """Indices of the better responses, from 0; empty if unknown."""
    near_ties: tuple[tuple[str, str], ...] = ()
    """Further pairs of responses that readers find equally good."""
    cluster: str | None = None
    """Items of one cluster share something, such as the prompt; None for an independent item."""
    domain: str | None = None
    human_labels: tuple[float, ...] = ()
    """Human labels, one per response: its share of votes or its mean score. Empty if unknown."""
    own_answer: str | None = None
    """The recorded answer of the evaluated model, for `self_preference`."""
    other_answer: str | None = None
    """The recorded answer of the other model, for `self_preference`."""
    extra_columns: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file in columns that no task uses."""


@dataclass(frozen=True, slots=True)
class ResponsePair:
    """The two responses of an item that a run uses, or its only one. Numbers count from 1."""

    item: JudgedPrompt
    order: tuple[int, ...]
    """Numbers of the responses in the order in which the baseline question displays them."""
    better: int | None
    """Number of the better response; None if unknown."""
    edited: int
    """Number of the response that probes edit: the worse one, or a random one if unlabelled, of
    which the controls edit the other one."""

    @property
    def unedited(self) -> int | None:
        """Number of the response that only controls edit; None if there is a single response."""
        return next((number for number in self.order if number != self.edited), None)

    def role(self, number: int) -> str:
        """Return the role of a response in sample ids.

        Returns:
            `right` or `wrong`. In an unlabelled pair `one` for the edited response, else `other`.
        """
        if self.better is not None:
            return "right" if number == self.better else "wrong"
        return "one" if number == self.edited else "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBiasData(ScoringData):
    """Scoring data of a question to a judge. Responses are named by their numbers from 1."""

    response_order: tuple[int, ...] = ()
    """Numbers of the two responses in displayed order; one number if the item has one response."""
    edited_response: int | None = None
    """Number of the response that probes edit."""
    response: int | None = None
    """Number of the response to score; None if responses are compared."""
    better_response: int | None = None
    """If a single response is scored: number of the pair's better response, None if unknown."""
    human_labels: tuple[float, ...] | None = None
    """Human labels of the item's responses, one per response."""
    answer_hashes: Mapping[Author, str] | None = None
    """Content hashes of recorded answers. None for all tasks but `self_preference`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBiasExtra(Extra):
    """What metrics need of an outcome. Fields of the same name are those of the scoring data."""

    response_order: tuple[int, ...] = ()
    edited_response: int | None = None
    response: int | None = None
    better_response: int | None = None
    human_labels: tuple[float, ...] | None = None
    verdicts: Mapping[str, Verdicts] | None = None
    """Verdicts by judge. Empty if no answers were compared, None for all tasks but
    `self_preference`."""


def remove_role(variant: str) -> str:
    """Return a variant without the role of a single response: `baseline` for `baseline/right`."""
    return variant.partition("/")[0]


def select_pair(item: JudgedPrompt, seed: int) -> ResponsePair | None:
    """Draw the responses of an item that a run uses: a better and a worse one if it is labelled.

    Args:
        item: The item.
        seed: Seed of the run.

    Returns:
        The pair, or None if both responses have the same text.
    """
    rng = seeded_random(seed, item.id, "pair")
    numbers = range(1, len(item.responses) + 1)
    preferred = [number for number in numbers if number - 1 in item.preferred]
    rejected = [number for number in numbers if number not in preferred]
    better: int | None = None
    if preferred and rejected:
        better, edited = rng.choice(preferred), rng.choice(rejected)
        order = [better, edited]
    else:
        order = rng.sample(numbers, min(2, len(numbers)))
        edited = order[0]
    if len({item.responses[number - 1].strip() for number in order}) < len(order):
        return None
    rng.shuffle(order)
    return ResponsePair(item, tuple(order), better, edited)
