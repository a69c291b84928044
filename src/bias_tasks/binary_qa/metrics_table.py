"""The outcomes of a run as arrays, with one row per epoch of a question."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bias_tasks.binary_qa.family import BinaryExtra
from bias_tasks.binary_qa.items import BINARY_LABELS, NEGATIVE_REFORMULATIONS, VARIANTS
from bias_tasks.contract.outcomes import Outcome
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.outcomes import Mask, code_values, group_rows, item_means

Answers = NDArray[np.int8]

UNPARSED, MISSING = 2, -1
"""Codes in `BinaryTable.answers` of an unparsed answer and of a question without an outcome; other
codes are positions in BINARY_LABELS."""
_VARIANT_COLUMNS: dict[object, int] = {variant: column for column, variant in enumerate(VARIANTS)}
_LABEL_CODES: dict[object, int] = {label: code for code, label in enumerate(BINARY_LABELS)}


@dataclass(frozen=True, slots=True)
class BinaryTable:
    """n questions, and an answer to each under every variant and epoch."""

    domain: Ints
    """Domain of each question, as a position in `domains`."""
    gold: Ints
    """Correct answer to each original question, as a position in BINARY_LABELS."""
    cluster: Ints
    """Cluster of each question."""
    question: Ints
    """Question of each row of `answers`."""
    answers: Answers
    """Rows by VARIANTS: a position in BINARY_LABELS, UNPARSED or MISSING."""
    domains: tuple[str, ...]
    yes_probability: Floats
    """Probability of Yes after the original question, one per row; nan if none is known."""

    def answers_under(self, variant: str) -> Answers:
        """Return the answers under a variant, one per row."""
        return self.answers[:, _VARIANT_COLUMNS[variant]]

    def correct_answers(self, variant: str) -> Answers:
        """Return the correct answers under a variant, one per row."""
        flipped = int(variant in NEGATIVE_REFORMULATIONS)
        return ((self.gold[self.question] + flipped) % 2).astype(np.int8)

    def has_answers(self, *variants: str) -> bool:
        """Return whether each of the variants has any answer."""
        return all((self.answers_under(variant) != MISSING).any() for variant in variants)

    def average_epochs(self, values: Floats | Mask, known: Mask) -> WeightedSample:
        """Return each question's mean over its rows that are known.

        The strata are the gold labels of each domain. A question without known rows has weight 0,
        and its value is a meaningless 0; other questions have weight 1.
        """
        means, has_value = item_means(values, known, self.question, self.gold.size)
        strata = self.domain * len(BINARY_LABELS) + self.gold
        return WeightedSample(means, self.cluster, strata, has_value.astype(float))

    def select_domain(self, domain: int) -> "BinaryTable":
        """Return the questions of one domain; `domains` stays the same."""
        kept = self.domain == domain
        rows = kept[self.question]
        renumbered = np.cumsum(kept) - 1
        return replace(
            self,
            domain=self.domain[kept],
            gold=self.gold[kept],
            cluster=self.cluster[kept],
            question=renumbered[self.question[rows]],
            answers=self.answers[rows],
            yes_probability=self.yes_probability[rows],
        )


def build_table(outcomes: Sequence[Outcome[BinaryExtra]]) -> BinaryTable:
    """Return the table of a run.

    Args:
        outcomes: At least one outcome, in any order. An item's gold label, domain and cluster are
            those of its first outcome.

    Raises:
        ValueError: An item has two answers under one variant in one epoch, or a variant or label is
            unknown.
    """
    extras = [outcome.extra for outcome in outcomes]
    gold = _encode("gold label", [extra.answer_to_original for extra in extras], _LABEL_CODES)
    column = _encode("variant", [outcome.variant for outcome in outcomes], _VARIANT_COLUMNS)
    labels = [outcome.answer for outcome in outcomes]
    answer = _encode("answer", labels, _LABEL_CODES | {None: UNPARSED})
    items = group_rows(code_values(outcome.item for outcome in outcomes))
    rows = group_rows(code_values((outcome.item, outcome.epoch) for outcome in outcomes))
    cells = group_rows(rows.group * len(VARIANTS) + column)
    repeated = np.flatnonzero(cells.first[cells.group] != np.arange(answer.size))
    if repeated.size:
        outcome = outcomes[int(repeated[0])]
        raise ValueError(
            f"item {outcome.item!r} has two answers under variant {outcome.variant!r} in epoch "
            f"{outcome.epoch}"
        )
    answers = np.full((rows.size, len(VARIANTS)), MISSING, dtype=np.int8)
    answers[rows.group, column] = answer
    probabilities = [extra.yes_probability for extra in extras]
    is_original = column == VARIANTS.index("original")
    yes_probability = np.full(rows.size, np.nan)
    yes_probability[rows.group[is_original]] = np.array(probabilities, float)[is_original]
    domains = sorted({extra.domain for extra in extras})
    return BinaryTable(
        domain=np.array([domains.index(extras[row].domain) for row in items.first]),
        gold=gold[items.first],
        cluster=code_values(outcomes[row].cluster for row in items.first),
        question=items.group[rows.first],
        answers=answers,
        domains=tuple(domains),
        yes_probability=yes_probability,
    )


def _encode(name: str, values: Iterable[object], codes: Mapping[object, int]) -> Answers:
    """Return the codes of values; `name` is what messages call a value."""
    try:
        return np.array([codes[value] for value in values], dtype=np.int8)
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
