"""Yes/no questions and their eight variants (Khrapunova 2025, sections 2.1 and 2.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypedDict, get_args

from bias_tasks.contract.outcomes import Extra
from bias_tasks.protocols import DesignSource

BinaryLabel = Literal["Yes", "No"]
AnswerOrder = Literal["yes_no", "no_yes"]
Variant = Literal[
    "original", "repeat_2", "repeat_3", "synonym", "polite", "contradictory", "false", "reversed"
]
Reformulation = Literal["synonym", "polite", "contradictory", "false"]
NumberStyle = Literal["threshold", "exact"]
"""Whether a yes/no question made from a question for a number asks for a bound or that number."""

BINARY_LABELS: tuple[BinaryLabel, ...] = get_args(BinaryLabel)
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""The original question, two repeats of it, four rewordings, and the answers in reverse order."""
REFORMULATIONS: tuple[Reformulation, ...] = get_args(Reformulation)
NEGATIVE_REFORMULATIONS: frozenset[str] = frozenset({"contradictory", "false"})
"""Reformulations whose correct answer is the opposite of the original's."""
REFORMULATION_SOURCES: Mapping[Reformulation, DesignSource] = dict.fromkeys(REFORMULATIONS, "paper")
"""Who designed each reformulation. Under `protocol=published`, a run has only the paper's."""
PAPER_DOMAINS: tuple[str, ...] = ("reading", "multi_hop", "numerical", "translation", "ethics")
COMPARED_VARIANTS: Mapping[str, tuple[Variant, ...]] = {
    "prc": ("synonym", "polite"),
    "nrc": ("contradictory", "false"),
    "arc": ("reversed",),
    "sc": ("repeat_2", "repeat_3"),
}
"""Variants whose answers a consistency metric compares with the original's; all must agree."""
MIN_REWORDED_SHARE = 0.9
"""Share of the questions that need all their rewordings for `mbs`."""


class Provenance(TypedDict, total=False):
    """How one rewording was made, as plain JSON values; a reviewer may add more."""

    by: Literal["given", "model", "refused", "grammar"]
    """`grammar` occurs in files of older versions."""
    output: str
    """The rewording, or the last reply of the model."""
    model: str
    prompt: str
    attempts: int
    reason: str
    """Why the model's rewording was refused."""
    turned_from: str
    """The question for a number that the model turned into a yes/no question."""


@dataclass(frozen=True, slots=True)
class BinaryItem:
    """A yes/no question, often about a context (a passage, paragraphs, a translation)."""

    id: str
    question: str
    answer: BinaryLabel
    domain: str
    source: str
    cluster: str
    """Items of one cluster share their context; intervals are clustered by it."""
    context: str | None = None
    reformulations: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Available rewordings, by reformulation."""
    columns: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that no prompt uses, as plain JSON values."""
    provenance: Mapping[str, Provenance] = field(default_factory=dict, hash=False, repr=False)
    """Who made the rewordings, by reformulation; under `question` if a model turned the question
    into a yes/no question."""

    def has_wording(self, variant: str) -> bool:
        """Return whether the item has a text for `variant`; only a rewording can be missing."""
        return variant not in REFORMULATIONS or variant in self.reformulations

    def wording(self, variant: str) -> str:
        """Return the text of the question under `variant`.

        Raises:
            ValueError: The item has no such rewording.
        """
        if not self.has_wording(variant):
            raise ValueError(f"item {self.id} has no {variant} reformulation")
        return self.reformulations.get(variant, self.question)

    def maker(self, kind: Reformulation) -> str | None:
        """Return who made the rewording; None if it is missing.

        A rewording that differs from its provenance was given by a person.
        """
        if kind not in self.reformulations:
            return None
        origin = self.provenance.get(kind, {})
        is_made = origin.get("output") == self.reformulations[kind]
        return origin["by"] if is_made and origin["by"] != "refused" else "given"

    def with_rewording(self, kind: Reformulation, origin: Provenance) -> "BinaryItem":
        """Return the item with one more rewording, or with the reason of its refusal."""
        item = replace(self, provenance={**self.provenance, kind: origin})
        if origin["by"] == "refused":
            return item
        return replace(item, reformulations={**self.reformulations, kind: origin["output"]})

    def gold(self, variant: str) -> BinaryLabel:
        """Return the correct answer under `variant`; negative reformulations reverse it."""
        return opposite(self.answer) if variant in NEGATIVE_REFORMULATIONS else self.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryExtra(Extra):
    """What the metrics need of an outcome besides its score."""

    domain: str
    answer_to_original: str
    """The correct answer to the original question."""
    yes_probability: float | None = None
    """P(Yes) / (P(Yes) + P(No)), if likelihoods were compared and both are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingNumberQuestion(BinaryItem):
    """A 'How many' question of a data set that a model must first turn into a yes/no question.

    `question` is the data set's question and never goes into a prompt of the tasks. `answer` is the
    correct answer to the yes/no question.
    """

    value: int | float
    """The correct number."""
    style: NumberStyle


def select_weighted_reformulations(
    weights: Mapping[str, float] | None,
) -> tuple[Reformulation, ...]:
    """Return the rewordings that `mbs` depends on.

    Args:
        weights: Weights of the core metrics by name; None for the paper's, which need all.
    """
    compared = COMPARED_VARIANTS if weights is None else [n for n, w in weights.items() if w]
    used = {variant for name in compared for variant in COMPARED_VARIANTS.get(name, ())}
    return tuple(kind for kind in REFORMULATIONS if kind in used)


def explain_missing_mbs(domains: Sequence[str], reworded: Sequence[bool]) -> str | None:
    """Return why `mbs` is undefined because too few questions are reworded; None if it is defined.

    Args:
        domains: The domain of each question.
        reworded: Whether each question has all rewordings that have a weight.
    """
    complete = {domain for domain, has_all in zip(domains, reworded, strict=True) if has_all}
    bare = [domain for domain in dict.fromkeys(domains) if domain not in complete]
    if bare:
        return f"no question of {', '.join(bare)} has all its rewordings"
    n_reworded, n_questions = sum(reworded), len(reworded)
    if n_reworded < MIN_REWORDED_SHARE * n_questions:
        return f"{n_reworded} of {n_questions} questions have all their rewordings, fewer than 90 %"
    return None


def opposite(label: BinaryLabel) -> BinaryLabel:
    """Return the other label."""
    return "No" if label == "Yes" else "Yes"
