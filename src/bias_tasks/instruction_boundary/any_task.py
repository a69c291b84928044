"""Scores answers to any task by label: tense labels, sparse labels, and the rates of both."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_uppercase
from typing import Literal

import numpy as np

from bias_tasks.contract.outcomes import Answer, Extra, Outcome
from bias_tasks.contract.questions import ScoringData
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, INVALID, choice_label
from bias_tasks.instruction_boundary.metrics import compute_accuracies, compute_robustness
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import build_outcome_table, index_values
from bias_tasks.statistics.rate_intervals import rate

LabelForm = Literal["choice", "judging", "yes_no"]
LabelParser = Callable[[str], str | None]
"""Function that returns the label of a text, or None if it has none."""
Target = str | int | Sequence[str | int]
"""A label; or the correct options by letter, position or text."""
_FORM_LABELS: Mapping[LabelForm, set[str]] = {
    "judging": {"true", "false", "unknown"},
    "yes_no": {"yes", "no"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelExtra(Extra):
    """What the label metrics need of an outcome besides its score."""

    group: Literal["sr", "gr"]
    """The rate that counts the sample: `sr` if its gold label is tense, `gr` if sparse."""


@dataclass(frozen=True, slots=True)
class TaskLabels:
    """The labels of a task, in any case, and how answers are parsed."""

    tense: tuple[str, ...]
    sparse: tuple[str, ...]
    read: LabelForm | LabelParser | None = None
    """Form of the answers, or their parser. None parses choices if a sample has options, else the
    form to which the labels belong."""

    def __post_init__(self) -> None:
        """Check that labels are not repeated.

        Raises:
            ValueError: A label is repeated, or there is no tense label.
        """
        if len(self.names) < len(self.tense) + len(self.sparse) or not self.tense:
            raise ValueError("expected different labels in tense= and sparse=, at least one tense")

    @property
    def names(self) -> dict[str, str]:
        """The labels in their order, by their normalized texts."""
        return {_normalize(label): label for label in (*self.tense, *self.sparse)}

    def score_answer(
        self, item: str, cluster: str, target: Target, options: Sequence[str], answer: Answer
    ) -> Outcome[LabelExtra]:
        """Return the outcome of an answer.

        Args:
            item: Id of the sample.
            cluster: What the sample shares with others.
            target: The sample's target.
            options: Texts of its options, displayed with letters; empty if it has none.
            answer: The model's answer, without reasoning.

        Raises:
            ValueError: The target is not a label or an option, or no form of answers is known.
        """
        targets = [target] if isinstance(target, str | int) else list(target)
        correct = _find_correct_options(item, targets, options) if options else None
        gold = self._find_label(", ".join(map(str, targets)), options, correct)
        if gold is None:
            raise ValueError(
                f"sample {item}: its target {target!r} is none of the labels "
                f"{', '.join(self.names.values())}: name it in tense= or sparse="
            )
        parsed = self._parse(item, answer, options)
        label, is_correct = None, False
        if not parsed.unparsed:
            selected = parsed.options if options and not callable(self.read) else None
            label = self._find_label(parsed.label or "", options, selected) or INVALID
            is_correct = label == gold if selected is None else selected == correct
        data = ScoringData(item=item, cluster=cluster, variant="", gold=gold)
        return Outcome[LabelExtra].from_answer(
            data,
            answer,
            parsed,
            answer=label,
            score=float(is_correct),
            extra=LabelExtra(group="sr" if gold in self.tense else "gr"),
        )

    def _find_label(
        self, value: str, options: Sequence[str], positions: tuple[int, ...] | None
    ) -> str | None:
        """Return the label of a value, or of the options at `positions`; None if it has none."""
        names = self.names
        if positions is None:
            return names.get(_normalize(value))
        if set(names) <= set(CHOICE_LABELS):
            return names.get(choice_label(positions))
        if len(positions) != 1:
            return None
        text, letter = options[positions[0]], ascii_uppercase[positions[0]]
        return names.get(_normalize(text), names.get(_normalize(letter)))

    def _parse(self, item: str, answer: Answer, options: Sequence[str]) -> ParsedAnswer:
        if callable(self.read):
            label = self.read(answer.text)
            if label is None:
                return unparsed(UnparsedReason.NO_VALUE, "the function found nothing")
            return ParsedAnswer(label)
        forms = (form for form, labels in _FORM_LABELS.items() if set(self.names) <= labels)
        form = self.read or ("choice" if options else next(forms, None))
        if form is None or (form == "choice" and not options):
            raise ValueError(
                f"sample {item} has no choices: say how its answers are parsed, by read='judging', "
                "'yes_no' or a function from a text to a label"
            )
        choices = tuple(options) if form == "choice" else ()
        return answer.parse(AnswerForm(form, choices, "letters"))


def compute_label_metrics(outcomes: Sequence[Outcome[LabelExtra]]) -> dict[str, Estimate]:
    """Compute `acc`, `sr`, `gr`, each also by label, `rs`, `or/<label>` and `unparsed`.

    Output rates and `unparsed` are over all items. Several epochs of an item count as their mean.

    Args:
        outcomes: The outcomes of a run, at least one.
    """
    table = build_outcome_table(outcomes)
    golds, labels = index_values(table.of_items(lambda outcome: outcome.gold))
    correct = table.sample(table.grid(lambda outcome: outcome.score)[:, 0], golds)
    is_sparse = np.array(table.of_items(lambda outcome: outcome.extra.group == "gr"))
    groups = {"sr": ~is_sparse, "gr": is_sparse}
    for code, label in enumerate(labels):
        group = "gr" if is_sparse[golds == code].any() else "sr"
        groups[f"{group}/{label}"] = golds == code
    metrics = compute_accuracies(correct, groups)
    metrics["rs"] = compute_robustness(correct, [(~is_sparse, is_sparse)])
    for label in dict.fromkeys([*labels, *(outcome.answer for outcome in outcomes), None]):
        shares = table.grid(partial(_has_answer, label))[:, 0]
        metrics["unparsed" if label is None else f"or/{label}"] = rate(table.sample(shares, golds))
    return metrics


def _has_answer(label: str | None, outcome: Outcome[LabelExtra]) -> bool:
    return outcome.answer == label


def _find_correct_options(
    item: str, targets: Sequence[str | int], options: Sequence[str]
) -> tuple[int, ...]:
    """Return the positions of the correct options, counted from 0 and sorted."""
    texts = [_normalize(option) for option in options]
    letters = list(ascii_uppercase[: len(options)])
    positions = set()
    for target in targets:
        name = str(target).strip()
        if isinstance(target, int) and 0 <= target < len(options):
            positions.add(target)
        elif _normalize(name) in texts:
            positions.add(texts.index(_normalize(name)))
        elif name in letters:
            positions.add(letters.index(name))
        elif name:
            raise ValueError(f"sample {item}: its target {target!r} is none of its options")
    return tuple(sorted(positions))


def _normalize(text: str) -> str:
    return text.strip().casefold()
