"""How often a run's answers have each label, next to the gold labels, and which answers are
unparsed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.contract.questions import ScoringData
from bias_tasks.contract.unparsed_notice import PARSED, unparsed_cause
from bias_tasks.results.text import join_texts, shorten

CONSTANT_SHARE = 0.95
"""Parsed answers are constant if at least this share of them has one label."""
_MIN_ANSWERS = 10
"""Fewer parsed answers are not called constant."""
_MAX_LISTED = 4
"""Groups of constant answers that a sentence lists."""
_OPEN_ANSWER = "(open answer)"
"""Stands for the answers to a question that does not offer labels."""
_MAX_LABEL_LENGTH = 40


@dataclass(frozen=True, slots=True)
class AnswerDistribution:
    """The answers to one kind of question under one variant, over all epochs."""

    variant: str
    form: str
    """The kind of question, such as `choice`; empty if a family has one kind."""
    is_baseline: bool
    labels: Counter[str] = field(default_factory=Counter)
    """Number of parsed answers by label, as the prompt displays it."""
    golds: Counter[str] = field(default_factory=Counter)
    """Number of prompts by correct label; empty if no label is correct."""
    correct: Counter[str] = field(default_factory=Counter)
    """Number of correct answers by label; empty if no answer is correct or wrong."""
    unparsed: Counter[str] = field(default_factory=Counter)
    """Number of unparsed answers by cause, a key of `unparsed.yaml`."""

    @property
    def total(self) -> int:
        """Number of answers."""
        return self.labels.total() + self.unparsed.total()

    @property
    def constant_label(self) -> str | None:
        """The label of nearly all parsed answers, if the gold labels are not as constant."""
        largest_gold = max(self.golds.values(), default=0)
        if self.labels.total() < _MIN_ANSWERS or largest_gold > CONSTANT_SHARE * self.total:
            return None
        (label, count), *_ = self.labels.most_common(1)
        is_constant = count >= CONSTANT_SHARE * self.labels.total()
        return label if is_constant and label != _OPEN_ANSWER else None

    @property
    def constant_count(self) -> int:
        """Number of parsed answers with `constant_label`; 0 if there is none."""
        return self.labels[self.constant_label or ""]

    @property
    def name(self) -> str:
        """The variant and the kind of question, such as `vanilla, choice`."""
        return ", ".join(filter(None, (self.variant, self.form)))

    def to_row(self, max_labels: int = 1) -> dict[str, str]:
        """Return a row of a table, with the most frequent labels."""
        labels = [
            f"{label}: {count:,} ({self.correct[label]:,})" if self.golds else f"{label}: {count:,}"
            for label, count in self.labels.most_common()
        ]
        causes = [f"{count:,} {cause}" for cause, count in self.unparsed.most_common()]
        return {
            "variant": self.name,
            "right": f"{self.correct.total():,} of {self.total:,}" if self.golds else "-",
            "answers (right)": join_texts(labels, max_labels, "; "),
            "unparsed": join_texts(causes, 1),
        }


def count_labels(
    family: AnyFamily, answers: Iterable[tuple[ScoringData, AnyOutcome]]
) -> tuple[AnswerDistribution, ...]:
    """Count the answers of a run by variant and kind of question, those of the baseline first.

    Args:
        family: The family that scored the answers.
        answers: Each question's scoring data with the outcome of its answer.
    """
    groups: dict[tuple[str, str], AnswerDistribution] = {}
    for data, outcome in answers:
        variant, form = outcome.variant, family.question_form(data)
        if (variant, form) not in groups:
            is_baseline = family.baseline_variant(variant) is None
            groups[variant, form] = AnswerDistribution(variant, form, is_baseline)
        group = groups[variant, form]
        if outcome.gold and (gold := family.displayed_label(data, outcome.gold)) is not None:
            group.golds[shorten(gold, _MAX_LABEL_LENGTH)] += 1
        if outcome.answer is None:
            group.unparsed[unparsed_cause(outcome)] += 1
        else:
            label = family.displayed_label(data, outcome.answer)
            label = shorten(label or _OPEN_ANSWER, _MAX_LABEL_LENGTH)
            group.labels[label] += 1
            group.correct[label] += bool(family.is_correct(outcome))
    return tuple(sorted(groups.values(), key=lambda group: not group.is_baseline))


def describe_constant_answers(distributions: Sequence[AnswerDistribution]) -> str | None:
    """Return the sentence about a model that gives nearly every baseline prompt the same answer.

    Constant answers under another variant alone are what the variant does to the model.

    Returns:
        None if the answers to no kind of question under the baseline are constant.
    """
    constant = [group for group in distributions if group.is_baseline and group.constant_label]
    if not constant:
        return None
    if len({group.constant_label for group in distributions}) == 1:
        return f"answers {_describe_constant(distributions)}"
    listed = [f"{_describe_constant([group])} ({group.name})" for group in constant]
    return f"answers {join_texts(listed, _MAX_LISTED, '; ')}"


def _describe_constant(groups: Sequence[AnswerDistribution]) -> str:
    """Return the label that all groups have, to how many prompts, and how many are right."""
    count = sum(group.constant_count for group in groups)
    total = sum(group.total for group in groups)
    is_whole = count == total
    share = f"all {total:,}" if is_whole else f"{count:,} of {total:,}"
    unparsed = sum(group.unparsed.total() for group in groups)
    note = f" ({unparsed:,} unparsed)" if unparsed else ""
    text = f"{groups[0].constant_label} to {share} prompts{note}"
    if not all(group.golds for group in groups):
        return text
    right = sum(group.correct.total() for group in groups)
    return f"{text}: {100 * right / total:.0f} % right{', as by chance' if is_whole else ''}"


def count_unparsed(distributions: Iterable[AnswerDistribution]) -> dict[str, Counter[str]]:
    """Return the number of answers by variant, then by cause or `PARSED`."""
    counts: dict[str, Counter[str]] = {}
    for group in distributions:
        parsed = Counter({PARSED: group.labels.total()})
        counts[group.variant] = counts.get(group.variant, Counter()) + parsed + group.unparsed
    return counts


def compute_unparsed_shares(distributions: Iterable[AnswerDistribution]) -> dict[str, float]:
    """Return the share of unparsed answers, from 0 to 1, by variant."""
    return {
        variant: 1 - causes[PARSED] / causes.total()
        for variant, causes in count_unparsed(distributions).items()
    }
