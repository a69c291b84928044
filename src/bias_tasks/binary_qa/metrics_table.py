"""The outcomes of a run as arrays, with one row per epoch of a question."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    NEGATIVE_REFORMULATIONS,
    VARIANTS,
    BinaryExtra,
)
from bias_tasks.contract.outcomes import Outcome
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.outcomes import Mask, OutcomeTable, build_outcome_table

UNPARSED, MISSING = 2, -1
"""Codes in `BinaryTable.answers` of an unparsed answer and of a question without an outcome; other
codes are positions in BINARY_LABELS."""
_LABEL_CODES: dict[object, int] = {label: code for code, label in enumerate(BINARY_LABELS)}


@dataclass(frozen=True, slots=True)
class BinaryTable:
    """n questions, and an answer to each under every variant and epoch."""

    outcomes: OutcomeTable
    """The columns are VARIANTS."""
    domains: tuple[str, ...]
    domain: Ints
    """Domain of each question, as a position in `domains`."""
    gold: Ints
    """Correct answer to each original question, as a position in BINARY_LABELS."""
    answers: Ints
    """Rows by VARIANTS: a position in BINARY_LABELS, UNPARSED or MISSING."""
    yes_probability: Floats
    """Probability of Yes after the original question, one per row; nan if none is known."""

    def answers_under(self, variant: str) -> Ints:
        """Return the answers under a variant, one per row."""
        answers: Ints = self.answers[:, self.outcomes.columns.index(variant)]
        return answers

    def correct_answers(self, variant: str) -> Ints:
        """Return the correct answers under a variant, one per row."""
        flipped = int(variant in NEGATIVE_REFORMULATIONS)
        correct: Ints = (self.gold[self.outcomes.item] + flipped) % 2
        return correct

    def has_answers(self, questions: Mask, variants: Iterable[str]) -> bool:
        """Return whether any of these questions has an answer under each of the variants."""
        rows = questions[self.outcomes.item]
        return all((self.answers_under(variant)[rows] != MISSING).any() for variant in variants)

    def average_epochs(self, values: Floats | Mask, known: Mask) -> WeightedSample:
        """Return each question's mean over its rows that are known.

        The strata are the gold labels of each domain. A question without known rows has weight 0,
        and its value is a meaningless 0; other questions have weight 1.
        """
        return self.outcomes.sample(np.where(known, values, np.nan), self.strata)

    @property
    def strata(self) -> Ints:
        """Domain and gold label of each question as one number."""
        return self.domain * len(BINARY_LABELS) + self.gold


def build_table(outcomes: Sequence[Outcome[BinaryExtra]], intervals: bool = True) -> BinaryTable:
    """Return the table of a run.

    Args:
        outcomes: At least one outcome, in any order. An item's gold label and domain are those of
            its first outcome.
        intervals: Whether intervals are computed.

    Raises:
        ValueError: An item has two answers under one variant in one epoch, or two clusters, or a
            variant or label is unknown.
    """
    table = build_outcome_table(outcomes, VARIANTS, intervals=intervals)
    gold = _encode("gold label", table.of_items(lambda o: o.extra.answer_to_original), _LABEL_CODES)
    labels = _encode("answer", [o.answer for o in outcomes], _LABEL_CODES | {None: UNPARSED})
    domain = table.of_items(lambda outcome: outcome.extra.domain)
    domains = sorted(set(domain))
    probability = table.grid(lambda outcome: outcome.extra.yes_probability)
    return BinaryTable(
        outcomes=table,
        domains=tuple(domains),
        domain=np.array([domains.index(name) for name in domain]),
        gold=gold,
        answers=np.append(labels, MISSING)[table.cell],
        yes_probability=probability[:, VARIANTS.index("original")],
    )


def _encode(name: str, values: Iterable[object], codes: Mapping[object, int]) -> Ints:
    """Return the codes of values; `name` is what messages call a value."""
    try:
        return np.array([codes[value] for value in values])
    except KeyError as error:
        raise ValueError(
            f"{name} {error.args[0]!r} is unknown: expected one of {', '.join(map(str, codes))}"
        ) from error


def find_agreement(table: BinaryTable, variant: str) -> Mask:
    """Return for each row whether the answer under a variant agrees with the original's.

    Answers agree if they are the same, or opposite under a negative reformulation. An unparsed
    answer is treated like a third label.
    """
    original, answer = table.answers_under("original"), table.answers_under(variant)
    is_same = np.equal(answer, original, dtype=np.bool_)
    return ~is_same if variant in NEGATIVE_REFORMULATIONS else is_same


def compute_agreement(
    table: BinaryTable, variants: Sequence[str], protocol: PaperProtocol
) -> WeightedSample:
    """Return whether the answers under all variants agree with the original's of the same epoch.

    PRC, NRC, ARC and SC are means of this (paper, section 2.3, equations 1 to 3).

    Args:
        table: The run.
        variants: Variants that are compared with the original.
        protocol: Under `corrected`, an epoch of a question counts if it has all the answers, and
            all are parsed. Under `published` it counts if it has all, parsed or not.
    """
    agrees = np.all([find_agreement(table, variant) for variant in variants], axis=0)
    compared = ("original", *variants)
    if protocol == "corrected":
        return table.average_epochs(agrees, find_parsed(table, compared))
    answers = np.array([table.answers_under(variant) for variant in compared])
    return table.average_epochs(agrees, (answers != MISSING).all(axis=0))


def find_parsed(table: BinaryTable, variants: Sequence[str]) -> Mask:
    """Return for each row whether it has an answer under all these variants, and all are parsed."""
    is_label = [np.isin(table.answers_under(variant), (0, 1)) for variant in variants]
    all_labels: Mask = np.all(is_label, axis=0)
    return all_labels
